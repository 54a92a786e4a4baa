# frozen_string_literal: true

module Katsu
  class Serializer
    # What new takes, as a Hash or as keywords: one parameter, as Class#new is slow to hand keywords on.
    module Options
      FILTERS = %i[only except context scope].freeze
      COLLECTION = [:each_serializer, *FILTERS].freeze

      # Raises ArgumentError for names that owner does not know, and where options is no Hash.
      def self.check(owner, options, known)
        refuse(owner, options, known) unless options.is_a?(Hash) && options.size == known.count { |name| options.key?(name) }
      end

      # The same for what a class's body gives; what: the declaration.
      def self.check_declared(owner, what, options, known)
        unknown = options.keys - known
        raise ArgumentError, "#{owner}: #{what} has #{unknown_options(unknown, known)}" unless unknown.empty?
      end

      def self.refuse(owner, options, known)
        raise ArgumentError, "#{owner}: options are keywords or a Hash (got #{options.class}); objects are given to serialize_to_json" unless options.is_a?(Hash)

        unknown = options.keys.reject { |name| known.any? { |other| name.to_s == other.name && options.key?(other) } }
        raise ArgumentError, "#{owner}: #{unknown_options(unknown, known)}"
      end

      def self.unknown_options(unknown, known)
        "unknown option#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}; known are #{known.join(", ")}." \
          "#{NearestName.hint(unknown.first, known)}"
      end
      private_class_method :refuse, :unknown_options
    end
  end
end
