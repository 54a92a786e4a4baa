# frozen_string_literal: true

module Katsu
  module Portable
    # Whether a text is JSON by the grammar of RFC 8259.
    module JsonText
      GRAMMAR = %r{
        \A [ \t\r\n]*+ (?<value>
          (?<string> " (?: [^"\\\x00-\x1f]++ | \\ (?: ["\\/bfnrt] | u\h{4} ) )*+ " )
          | -?+ (?: 0 | [1-9]\d*+ ) (?: \. \d++ )?+ (?: [eE] [+-]?+ \d++ )?+
          | true | false | null
          | \{ [ \t\r\n]*+ (?: \g<string> [ \t\r\n]*+ : [ \t\r\n]*+ \g<value> [ \t\r\n]*+
              (?: , [ \t\r\n]*+ \g<string> [ \t\r\n]*+ : [ \t\r\n]*+ \g<value> [ \t\r\n]*+ )*+ )?+ \}
          | \[ [ \t\r\n]*+ (?: \g<value> [ \t\r\n]*+ (?: , [ \t\r\n]*+ \g<value> [ \t\r\n]*+ )*+ )?+ \]
        ) [ \t\r\n]*+ \z
      }x
      private_constant :GRAMMAR

      def self.valid?(text)
        Text.utf8?(text) && GRAMMAR.match?(text)
      end
    end
  end
end
