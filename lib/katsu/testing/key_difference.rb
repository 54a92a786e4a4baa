# frozen_string_literal: true

module Katsu
  module Testing
    # The differences between keys that are expected and those that a serializer writes, in words.
    module KeyDifference
      class << self
        # A line for each; see Keys.of for options.
        def lines(names, serializer, options)
          compare(Keys.tree(Keys.listed(names)), Keys.tree(Keys.of(serializer, options)), "")
        end

        private

        def compare(expected, actual, path)
          (expected.keys | actual.keys).flat_map do |key|
            line(expected, actual, path, key) || inner(expected[key], actual[key], "#{path}#{key}.")
          end
        end

        def line(expected, actual, path, key)
          return ["#{path}#{key}: is not written"] unless actual.key?(key)

          ["#{path}#{key}: is written and was not expected"] unless expected.key?(key)
        end

        # An association that is named without its keys may have any.
        def inner(expected, actual, path)
          return [] unless expected.is_a?(::Hash)
          return ["#{path.chop}: is no association with keys of its own"] unless actual.is_a?(::Hash)

          compare(expected, actual, path)
        end
      end
    end
  end
end
