# frozen_string_literal: true

module Katsu
  module Testing
    # The differences between what is expected and what was written, a line for each, by their paths.
    class Difference
      MISSING = Object.new.freeze
      private_constant :MISSING

      # expected: see Expected.of. actual: parsed JSON.
      def initialize(expected, actual)
        @lines = []
        compare(Expected.of(expected), actual, "")
      end

      # Such as ["author.name: expected \"Ada\", was \"Bo\""]; empty if there are none.
      attr_reader :lines

      private

      def compare(expected, actual, path)
        if expected.is_a?(::Hash) && actual.is_a?(::Hash)
          compare_hashes(expected, actual, path)
        elsif expected.is_a?(::Array) && actual.is_a?(::Array)
          compare_arrays(expected, actual, path)
        elsif !same?(expected, actual)
          @lines << "#{path.empty? ? "the document" : path}: #{words(expected, actual)}"
        end
      end

      def compare_hashes(expected, actual, path)
        (expected.keys | actual.keys).each do |key|
          place = path.empty? ? key : "#{path}.#{key}"
          compare(expected.fetch(key, MISSING), actual.fetch(key, MISSING), place)
        end
      end

      def compare_arrays(expected, actual, path)
        [expected.size, actual.size].max.times do |index|
          compare(element(expected, index), element(actual, index), "#{path}[#{index}]")
        end
      end

      def element(array, index)
        index < array.size ? array[index] : MISSING
      end

      # 1 and 1.0 are two texts.
      def same?(expected, actual)
        return false if MISSING.equal?(expected) || MISSING.equal?(actual)
        return expected === actual if Expected.pattern?(expected)

        expected.class == actual.class && expected == actual
      end

      def words(expected, actual)
        return "expected nothing, was #{shown(actual)}" if MISSING.equal?(expected)

        "expected #{shown(expected)}, was #{MISSING.equal?(actual) ? "missing" : shown(actual)}"
      end

      # RSpec's matchers describe themselves.
      def shown(value)
        return ::JSON.generate(value) unless Expected.pattern?(value)

        value.respond_to?(:description) ? value.description : value.inspect
      rescue ::JSON::GeneratorError, ::JSON::NestingError
        value.inspect
      end
    end
  end
end
