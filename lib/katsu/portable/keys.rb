# frozen_string_literal: true

module Katsu
  module Portable
    # The keys of Hashes: the part of Generator that makes text of them.
    module Keys
      private

      # String and Symbol keys in one Hash may come out the same: looked at once.
      def mixed_key?(first, key, pairs)
        kind = kind(key) || (:string if @options.strict)
        return false if kind.nil? || kind == first

        ::Katsu::Generator.check_duplicate_keys(pairs) unless @options.allow_duplicate_key
        true
      end

      def kind(key)
        case key
        when String then :string
        when Symbol then :symbol
        end
      end

      def key(key, asked = false)
        case key
        when String then key_text(key.instance_of?(String) ? key : key.to_s, asked)
        when Symbol then string(key.name)
        else
          return key_text(text_of(key), asked) unless @options.strict

          refuse(key, "not allowed as object key in JSON") if asked || !@options.as_json
          key(call_as_json(key, true), true)
        end
      end

      def key_text(text, asked)
        return string(text) if asked || !@options.strict || !@options.as_json || Text.utf8?(text)

        replacement = call_as_json(text, false)
        return string(text) if replacement.equal?(text)

        refuse(replacement, "not allowed as object key in JSON") unless replacement.is_a?(String)
        refuse_bytes(text) unless Text.utf8?(replacement)
        string(replacement)
      end
    end
  end
end
