# frozen_string_literal: true

module Katsu
  module Portable
    class Generator
      # The part of Generator that writes the keys of Hashes.
      module Keys
        private

        # True if key is a String or Symbol and the first key was not of its kind, so that two keys may be written the
        # same: checked once a Hash.
        def mixed_key?(first, key, pairs)
          kind = kind(key)
          return false if kind.nil? || kind == first

          ::Katsu::Generator.check_duplicate_keys(pairs, @path[0...-1]) unless @options.allow_duplicate_key
          true
        end

        def kind(key)
          case key
          when String then :string
          when Symbol then :symbol
          end
        end

        # The key of strict mode for one that is neither String nor Symbol: the result of as_json.
        def strict_key(key)
          refuse(key, "not allowed as object key in JSON") unless @options.as_json
          replacement = call_as_json(key, true)
          refuse(replacement, "not allowed as object key in JSON") unless kind(replacement)
          replacement
        end

        # as_json_called: whether the key is the result of as_json.
        def key(key, as_json_called)
          return @options.as_json ? key_text(key.name, as_json_called) : string(key.name) if Symbol === key

          key_text(String === key && key.instance_of?(String) ? key : AsJson.text(key), as_json_called)
        end

        def key_text(text, as_json_called)
          return written_key(text) if as_json_called || !@options.strict || !@options.as_json || Text.utf8?(text)

          replacement = call_as_json(text, false)
          return written_key(text) if replacement.equal?(text)

          refuse(replacement, "not allowed as object key in JSON") unless String === replacement
          refuse_bytes(text) unless Text.utf8?(replacement)
          written_key(replacement)
        end

        # The result of to_s or as_json may be of a subclass that has a to_json.
        def written_key(text)
          text.instance_of?(String) || @options.rails ? string(text) : value(Text.utf8?(text) ? text : transcode(text))
        end
      end
    end
  end
end
