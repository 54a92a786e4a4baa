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
      # What databases and ActiveRecord write most of the time: two levels, no escapes, at most a space behind commas and
      # colons. A call of a group costs more than what it matches: without any this takes 0.4 of GRAMMAR's time.
      USUAL = begin
        string = '"[^"\\\\\x00-\x1f]*+"'
        leaf = "(?:#{string}|-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|null|true|false)"
        nest = ->(value) { "(?:#{leaf}|\\{(?:#{string}:[ ]?#{value}(?:,[ ]?#{string}:[ ]?#{value})*+)?+\\}|\\[(?:#{value}(?:,[ ]?#{value})*+)?+\\])" }
        Regexp.new("\\A#{nest.(nest.(leaf))}\\z")
      end
      MOST_NESTED = 512
      private_constant :GRAMMAR, :USUAL, :MOST_NESTED

      def self.valid?(text)
        Text.utf8?(text) && (USUAL.match?(text) || (depth(text) <= MOST_NESTED && GRAMMAR.match?(text)))
      end

      def self.depth(text)
        return 0 if text.count("[{") <= MOST_NESTED

        deepest = depth = 0
        text.gsub(/"(?:[^"\\]|\\.)*"/, "").each_char do |char|
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
