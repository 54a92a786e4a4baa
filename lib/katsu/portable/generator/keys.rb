# frozen_string_literal: true

module Katsu
  module Portable
    class Generator
      # The keys of Hashes: the part of Generator that makes text of them.
      module Keys
        private

        # A String or Symbol where the first key was no such thing may come out the same as another: looked at once.
        def mixed_key?(first, key, pairs)
          kind = kind(key)
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

        # In strict mode what is neither String nor Symbol is replaced by what as_json makes of it.
        def strict_key(key)
          refuse(key, "not allowed as object key in JSON") unless @options.as_json
          replacement = call_as_json(key, true)
          refuse(replacement, "not allowed as object key in JSON") unless kind(replacement)
          replacement
        end

        # asked: as_json has been.
        def key(key, asked)
          return string(key.name) if Symbol === key

          key_text(String === key && key.instance_of?(String) ? key : text_of(key), asked)
        end

        def key_text(text, asked)
          return written_key(text) if asked || !@options.strict || !@options.as_json || Text.utf8?(text)

          replacement = call_as_json(text, false)
          return written_key(text) if replacement.equal?(text)

          refuse(replacement, "not allowed as object key in JSON") unless replacement.is_a?(String)
          refuse_bytes(text) unless Text.utf8?(replacement)
          written_key(replacement)
        end

        # What to_s or as_json gives may be of a class of its own, with a to_json.
        def written_key(text)
          text.instance_of?(String) || @options.rails ? string(text) : value(Text.utf8?(text) ? text : transcode(text))
        end
      end
    end
  end
end
