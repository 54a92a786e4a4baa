# frozen_string_literal: true

module Katsu
  module Portable
    # Checks that a text is JSON by the grammar of RFC 8259, and that each escape is a character: readers refuse half of
    # one (a lone surrogate), or make a broken String of it.
    module JsonText
      GRAMMAR = %r{
        \A [ \t\r\n]*+ (?<value>
          (?<string> " (?: [^"\\\x00-\x1f]++ |
            \\ (?: ["\\/bfnrt] | u (?! [dD][89a-fA-F] ) \h{4} | u [dD][89abAB]\h\h \\ u [dD][c-fC-F]\h\h ) )*+ " )
          | -?+ (?: 0 | [1-9]\d*+ ) (?: \. \d++ )?+ (?: [eE] [+-]?+ \d++ )?+
          | true | false | null
          | \{ [ \t\r\n]*+ (?: \g<string> [ \t\r\n]*+ : [ \t\r\n]*+ \g<value> [ \t\r\n]*+
              (?: , [ \t\r\n]*+ \g<string> [ \t\r\n]*+ : [ \t\r\n]*+ \g<value> [ \t\r\n]*+ )*+ )?+ \}
          | \[ [ \t\r\n]*+ (?: \g<value> [ \t\r\n]*+ (?: , [ \t\r\n]*+ \g<value> [ \t\r\n]*+ )*+ )?+ \]
        ) [ \t\r\n]*+ \z
      }xu
      # json's parser takes less than a third of GRAMMAR's time. Before version 3 it also accepts comments.
      STRICT = ::JSON::VERSION.to_i >= 3
      private_constant :GRAMMAR, :STRICT

      # True if text is JSON.
      def self.valid?(text)
        return false unless Text.utf8?(text)

        (STRICT && !text.include?("\\u") && parses?(text)) || (!Cast::Json.too_deep?(text) && GRAMMAR.match?(text))
      end

      def self.parses?(text)
        Cast::Json::SHALLOW_PARSER.load(text)
        true
      rescue ::JSON::ParserError
        false
      end
      private_class_method :parses?
    end
  end
end
