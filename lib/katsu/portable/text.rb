# frozen_string_literal: true

module Katsu
  module Portable
    # Strings to JSON strings.
    module Text
      ESCAPES = Ractors.share((0..0x1f).to_h { |code| [code.chr, format("\\u%04x", code)] }.merge(
        "\b" => "\\b", "\t" => "\\t", "\n" => "\\n", "\f" => "\\f", "\r" => "\\r", "\"" => "\\\"", "\\" => "\\\\"
      ))
      SCRIPT_ESCAPES = Ractors.share(ESCAPES.merge("/" => "\\/", "\u2028" => "\\u2028", "\u2029" => "\\u2029"))
      # All are of a fixed encoding: Ruby compiles others again, in place, for each encoding they meet, which two Ractors may not
      # do at once. Those of bytes are for text that is ASCII or binary and take a fifth of the time of those for UTF-8.
      PLAIN = /[\x00-\x1f"\\]/u
      PLAIN_BYTES = Ractors.share(Regexp.new('[\x00-\x1f"\\\\]'.b, Regexp::FIXEDENCODING))
      SCRIPT = %r{[\x00-\x1f"\\/\u2028\u2029]}u
      NOT_ASCII = /[^\x00-\x7f]/u
      # What String#dump writes in another way than JSON. Without it dump is three times as fast as gsub.
      NOT_AS_DUMPED = Ractors.share(Regexp.new('[\x00-\x07\v\x0e-\x1f\x7f]|#[{$@]'.b, Regexp::FIXEDENCODING))
      private_constant :ESCAPES, :SCRIPT_ESCAPES, :PLAIN, :PLAIN_BYTES, :SCRIPT, :NOT_ASCII, :NOT_AS_DUMPED

      class << self
        # True where text is JSON's text as it stands.
        def unescaped?(text)
          if text.ascii_only?
            !text.match?(PLAIN_BYTES)
          else
            text.encoding == Encoding::UTF_8 && text.valid_encoding? && !text.b.match?(PLAIN_BYTES)
          end
        end

        # The bytes between the quotes, by JSON's own rules. text: valid UTF-8 or US-ASCII.
        def escape(text)
          ascii = text.ascii_only?
          return text unless (ascii ? text : text.b).match?(PLAIN_BYTES)
          return text.dump[1..-2] if ascii && !text.match?(NOT_AS_DUMPED)

          text.gsub(PLAIN, ESCAPES)
        end

        # With script_safe and ascii_only as told.
        def escape_more(text, script_safe, ascii_only)
          text = script_safe ? text.encode(Encoding::UTF_8).gsub(SCRIPT, SCRIPT_ESCAPES) : escape(text)
          ascii_only && !text.ascii_only? ? text.gsub(NOT_ASCII) { |char| units(char) } : text
        end

        # True where text is UTF-8 as it stands.
        def utf8?(text)
          text.ascii_only? ||
            (text.encoding == Encoding::UTF_8 && text.valid_encoding?)
        end

        private

        def units(char)
          char.encode(Encoding::UTF_16BE).unpack("n*").map { |unit| format("\\u%04x", unit) }.join
        end
      end
    end
  end
end
