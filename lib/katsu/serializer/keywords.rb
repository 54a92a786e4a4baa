# frozen_string_literal: true

module Katsu
  class Serializer
    # The options of new, a Hash or keywords. Both arrive in one parameter, as Class#new is slow to pass keywords on.
    module Keywords
      FILTERS = %i[only except context scope view transform_keys].freeze
      MANY = [*FILTERS, :by].freeze
      COLLECTION = [:each_serializer, *MANY].freeze

      # Raises ArgumentError for names that owner does not know, and if options is no Hash. beside: true if the object
      # or the collection was given beside them.
      def self.check(owner, options, known, beside: false)
        refuse(owner, options, known, beside) unless options.is_a?(Hash)
        return if options.empty?

        unknown = options.size
        index = 0
        while unknown.positive? && index < known.size
          unknown -= 1 if options.key?(known[index])
          index += 1
        end
        refuse(owner, options, known, beside) unless unknown.zero?
      end

      # The same for the options of a declaration. what: the declaration, for messages.
      def self.check_declared(owner, what, options, known)
        unknown = options.keys - known
        raise ArgumentError, "#{owner}: #{what} has #{unknown_options(unknown, known)}" unless unknown.empty?
      end

      def self.refuse(owner, options, known, beside)
        unless options.is_a?(Hash)
          raise ArgumentError, "#{owner}: options are keywords or a Hash (got #{described(options)}); #{instead(owner)}"
        end

        unknown = options.keys.reject { |name| known.any? { |other| name.to_s == other.name && options.key?(other) } }
        message = unknown_options(unknown, known)
        maybe_object = !beside && owner <= Serializer && unknown.size == options.size && message.end_with?(".")
        object = " If that is the object: #{instead(owner)}" if maybe_object
        raise ArgumentError, "#{owner}: #{message}#{object}"
      end

      # What to write instead, for an object, a collection or a class given in the place of options.
      def self.instead(owner)
        return NoValue.hint(owner) if owner <= Serializer

        "the serializer is named by each_serializer:, such as #{owner}.new(objects, each_serializer: PostSerializer)"
      end

      def self.described(given)
        given.is_a?(Module) ? "the class #{given}" : given.class
      end

      def self.unknown_options(unknown, known)
        names = unknown.map(&:inspect).join(", ")
        hint = NearestName.hint(unknown.first, known)
        "unknown option#{"s" if unknown.size > 1}: #{names}; known are #{known.join(", ")}.#{hint}"
      end
      private_class_method :refuse, :unknown_options, :instead, :described
    end
  end
end
