# frozen_string_literal: true

module Katsu
  module Portable
    # Escapes text for JSON strings.
    module Text
      ESCAPES = Ractors.share((0..0x1f).to_h { |code| [code.chr, format("\\u%04x", code)] }.merge(
        "\b" => "\\b", "\t" => "\\t", "\n" => "\\n", "\f" => "\\f", "\r" => "\\r", "\"" => "\\\"", "\\" => "\\\\"
      ))
      SCRIPT_ESCAPES = Ractors.share(ESCAPES.merge("/" => "\\/", "\u2028" => "\\u2028", "\u2029" => "\\u2029"))
      # All have a fixed encoding: Ruby compiles others again, in place, for each encoding they meet, which two Ractors
      # must not do at once. The one of bytes is for ASCII and binary text and takes a fifth of the time.
      TO_ESCAPE = /[\x00-\x1f"\\]/u
      BYTES_TO_ESCAPE = Ractors.share(Regexp.new('[\x00-\x1f"\\\\]'.b, Regexp::FIXEDENCODING))
      # The same set for String#count, which takes two thirds of the time of the Regexp if text is long, and three times
      # as long if it is short.
      COUNTED_TO_ESCAPE = "\x00-\x1f\"\\\\"
      TO_ESCAPE_IN_SCRIPTS = %r{[\x00-\x1f"\\/\u2028\u2029]}u
      NOT_ASCII = /[^\x00-\x7f]/u
      # The bytes that String#dump writes in another way than JSON. For text without them dump is three times as fast as
      # gsub.
      DUMPED_DIFFERENTLY = Ractors.share(Regexp.new('[\x00-\x07\v\x0e-\x1f\x7f]|#[{$@]'.b, Regexp::FIXEDENCODING))
      private_constant :ESCAPES, :SCRIPT_ESCAPES, :TO_ESCAPE, :BYTES_TO_ESCAPE, :COUNTED_TO_ESCAPE,
                       :TO_ESCAPE_IN_SCRIPTS, :NOT_ASCII, :DUMPED_DIFFERENTLY

      class << self
        # True if text needs no escapes and no conversion.
        def unescaped?(text)
          if text.ascii_only?
            !text.match?(BYTES_TO_ESCAPE)
          else
            text.encoding == Encoding::UTF_8 && text.valid_encoding? && !text.b.match?(BYTES_TO_ESCAPE)
          end
        end

        # The same of the bytes of texts that need no conversion, in a binary String.
        def unescaped_bytes?(texts)
          texts.ascii_only? ? texts.count(COUNTED_TO_ESCAPE).zero? : !texts.match?(BYTES_TO_ESCAPE)
        end

        # The position of the first byte from one on that needs an escape, in such a String; or nil.
        def escape_in(texts, from) = texts.byteindex(BYTES_TO_ESCAPE, from)

        # text with JSON's escapes. text: valid UTF-8 or US-ASCII.
        def escape(text)
          ascii = text.ascii_only?
          return text unless (ascii ? text : text.b).match?(BYTES_TO_ESCAPE)
          return text.dump[1..-2] if ascii && !text.match?(DUMPED_DIFFERENTLY)

          text.gsub(TO_ESCAPE, ESCAPES)
        end

        # text with JSON's escapes and those of the options script_safe and ascii_only.
        def escape_more(text, script_safe, ascii_only)
          text = script_safe ? text.encode(Encoding::UTF_8).gsub(TO_ESCAPE_IN_SCRIPTS, SCRIPT_ESCAPES) : escape(text)
          ascii_only && !text.ascii_only? ? text.gsub(NOT_ASCII) { |char| units(char) } : text
        end

        # True if text needs no conversion to UTF-8.
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
