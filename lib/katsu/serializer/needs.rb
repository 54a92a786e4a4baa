# frozen_string_literal: true

module Katsu
  class Serializer
    # What a method field, a block or a condition reads of the object: needs: [:title, {address: :country}].
    #
    # Kept as a tree, {title: {}, address: {country: {}}}. Whether the names are columns and associations is known when
    # there is a model; see Query::Selection.
    module Needs
      ACCEPTED = "accepted are the names of columns and associations that it reads, such as " \
                 "needs: [:title, {address: :country}], and [] for none"
      private_constant :ACCEPTED

      class << self
        # The tree; nil if options have no needs:. what: the declaration. Raises ArgumentError.
        def of(serializer, what, options)
          return unless options.key?(:needs)

          tree(serializer, what, options[:needs], options[:needs]).freeze
        end

        private

        def tree(serializer, what, part, given)
          case part
          when Array
            part.map { |name| tree(serializer, what, name, given) }.reduce({}) { |all, one| merge(all, one) }.freeze
          when Hash
            part.to_h do |name, below|
              [checked(serializer, what, name, given), tree(serializer, what, below, given)]
            end.freeze
          else {checked(serializer, what, part, given) => {}.freeze}.freeze
          end
        end

        def merge(one, other)
          one.merge(other) { |_, left, right| merge(left, right).freeze }
        end

        def checked(serializer, what, name, given)
          return name.to_sym if (name.is_a?(Symbol) || name.is_a?(String)) && !name.empty?

          raise ArgumentError, "#{serializer}: #{what} has needs: #{given.inspect}; #{ACCEPTED}"
        end
      end
    end
  end
end
