# frozen_string_literal: true

module Katsu
  module Query
    # Conditions on keys of several columns.
    module Tuples
      # The rows in which attributes have one of the tuples. Halves are joined by OR, so that the depth of the condition
      # grows with the logarithm of their number: databases limit it.
      def self.condition(attributes, tuples)
        return ::Arel.sql("1 = 0") if tuples.empty?
        return ::Arel::Nodes::Grouping.new(one(attributes, tuples[0])) if tuples.size == 1

        middle = tuples.size / 2
        halves = [tuples[0...middle], tuples[middle..]].map { |half| condition(attributes, half) }
        halves[0].or(halves[1])
      end

      def self.one(attributes, tuple)
        attributes.zip(tuple).map { |attribute, value| attribute.eq(value) }.reduce(:and)
      end
      private_class_method :one
    end
  end
end
