# frozen_string_literal: true

module Katsu
  module Testing
    # What a test expects, in the form of parsed JSON. A Class, a Regexp, a Range, a Proc and a matcher of RSpec stay as
    # they are: they match a value by ===.
    module Expected
      PATTERNS = [::Module, ::Regexp, ::Range, ::Proc].freeze
      private_constant :PATTERNS

      class << self
        def of(value)
          case value
          when ::Hash then value.to_h { |key, inner| [key.to_s, of(inner)] }
          when ::Array then value.map { |inner| of(inner) }
          else pattern?(value) ? value : parsed(value)
          end
        end

        def pattern?(value)
          PATTERNS.any? { |pattern| pattern === value } || value.respond_to?(:matches?)
        end

        private

        # As serializers write it.
        def parsed(value)
          ::JSON.parse(Katsu.generate([AsJson.of_any(value)])).first
        end
      end
    end
  end
end
