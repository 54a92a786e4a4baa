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
      MAX_NESTED = 512
      # json's parser takes less than a third of GRAMMAR's time. Before version 3 it also accepts comments.
      STRICT = ::JSON::VERSION.to_i >= 3
      private_constant :GRAMMAR, :MAX_NESTED, :STRICT

      # True if text is JSON.
      def self.valid?(text)
        return false unless Text.utf8?(text) && depth(text) <= MAX_NESTED

        (STRICT && !text.include?("\\u") && parses?(text)) || GRAMMAR.match?(text)
      end

      def self.parses?(text)
        Cast::Json::PARSER.load(text)
        true
      rescue ::JSON::ParserError
        false
      end
      private_class_method :parses?

      def self.depth(text)
        return 0 if text.bytesize <= MAX_NESTED * 2 || text.count("[{") <= MAX_NESTED

        deepest = depth = 0
        text.gsub(/"(?:[^"\\]|\\.)*"/u, "").each_char do |char|
          depth += 1 if "[{".include?(char)
          depth -= 1 if "]}".include?(char)
          deepest = depth if depth > deepest
        end
        deepest
      end
      private_class_method :depth
    end
  end
end
