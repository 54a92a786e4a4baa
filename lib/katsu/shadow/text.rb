# frozen_string_literal: true

module Katsu
  module Shadow
    # The JSON text of what one side made.
    module Text
      # What is not compared, and why.
      class NotCompared < StandardError
      end

      # Longer documents are compared byte by byte only.
      MAX_BYTES = 10_000_000
      private_constant :MAX_BYTES

      class << self
        # The text of a value: a String is JSON already. Raises NotCompared for a stream, which can be read only once.
        def of(value)
          value = value.call if value.is_a?(Proc) || value.is_a?(Method)
          return value if value.is_a?(String)
          raise NotCompared, "a #{value.class} can be read only once" if once?(value)

          value.respond_to?(:to_json) ? value.to_json : Katsu.generate(value)
        end

        # The text parsed. side: "old" or "new".
        def parse(text, side)
          raise NotCompared, "the #{side} document has #{text.bytesize} bytes" if text.bytesize > MAX_BYTES

          ::JSON.parse(text, max_nesting: Limits::JSON_DEPTH, allow_duplicate_key: true)
        rescue ::JSON::ParserError
          raise NotCompared, "the #{side} document is not JSON"
        end

        private

        def once?(value)
          return true if value.is_a?(Stream) || value.is_a?(Enumerator) || value.is_a?(IO)

          value.respond_to?(:each) && !value.respond_to?(:to_ary) && !value.respond_to?(:to_hash) &&
            !value.is_a?(Enumerable) && !value.is_a?(Document)
        end
      end
    end
  end
end
