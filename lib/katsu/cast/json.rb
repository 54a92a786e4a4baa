# frozen_string_literal: true

module Katsu
  module Cast
    # JSON columns: the text is validated and copied, not parsed. For a Hash it is parsed as its type does.
    module Json
      NAME = :json
      VALUES = AsJson::Overrides::CORE
      MUTABLE = true
      RUBY = nil # the batch copies or parses the raw text, see Portable::Batch#write_json_column
      RAW = {
        if: "::String.equal?(VALUE.class) && ::Katsu::Portable::JsonText.valid?(VALUE)", text: "VALUE", hash: nil
      }.freeze

      # A parser that is made once: JSON.parse makes its options and a parser for each text, which takes a third to a
      # half of a small text's time. nil if the json gem has no Coder, or none that Ractors can share.
      def self.parser(max_nesting)
        Ractors.share(::JSON::Coder.new(max_nesting: max_nesting, allow_duplicate_key: true))
      rescue StandardError # a NameError if there is no Coder
        nil
      end
      private_class_method :parser

      PARSER = parser(Limits::JSON_DEPTH)
      # What it accepts is not nested too deep: json does not count an innermost Array or Hash that is empty.
      SHALLOW_PARSER = parser(Limits::JSON_DEPTH - 1)

      # True for the type of such columns.
      def self.for?(type)
        type.instance_of?(ActiveRecord::Type::Json) || Cast.type_named?(type, "PostgreSQL::OID::Jsonb")
      end

      # One that does not end goes as far as the text: each quote in it would be looked for the end of otherwise.
      STRINGS = /"(?:[^"\\]++|\\.)*+(?:"|\\?\z)/mn
      private_constant :STRINGS

      # True if the text of a JSON column is nested deeper than it may be. Takes longer than to parse it.
      def self.too_deep?(text)
        return false if text.bytesize <= Limits::JSON_DEPTH * 2 || text.count("[{") <= Limits::JSON_DEPTH

        depth = 0
        text.b.gsub(STRINGS, "").each_char do |char|
          depth += 1 if "[{".include?(char)
          depth -= 1 if "]}".include?(char)
          return true if depth > Limits::JSON_DEPTH
        end
        false
      end

      # Text in which each \u is a character, or one of two halves that stand together. Before version 3 json accepts
      # others.
      CHARACTERS = /\A(?:[^\\]++|\\[^u]|\\u(?![dD][89a-fA-F])|\\u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h)*+\z/
      private_constant :CHARACTERS

      # True if each escape of the text is a character.
      def self.characters?(text)
        !text.include?("\\u") || CHARACTERS.match?(text.b)
      end

      # Numbers that may be too large for a Float. The parser makes them Infinity, and as_json nil.
      LARGE_EXPONENT = /\d[eE]\+?\d{3}/
      DIGITS = 300
      MANY_DIGITS = /\d{#{DIGITS}}/
      private_constant :LARGE_EXPONENT, :DIGITS, :MANY_DIGITS

      # True if text may have a number that is too large for a Float.
      def self.large_number?(text)
        LARGE_EXPONENT.match?(text) || (text.bytesize >= DIGITS && MANY_DIGITS.match?(text))
      end

      # What value returns for text that is not JSON.
      INVALID = Object.new.freeze

      # The value of a JSON column, as as_json gives it, or INVALID. type: the column's; text: its raw value. checked:
      # true if text is known to have no escape \u and no large number.
      def self.value(type, text, checked = false)
        value = parse(type, text)
        return INVALID if value.nil? ? text.strip != "null" : !(checked || characters?(text))

        ActiveSupport.parse_json_times || (!checked && large_number?(text)) ? AsJson.of(value) : value
      end

      # The text parsed as type does: nil if it is not JSON, or nested too deep.
      def self.parse(type, text)
        return type.deserialize(text) if PARSER.nil? || ActiveSupport.parse_json_times

        begin
          SHALLOW_PARSER.load(text)
        rescue ::JSON::ParserError
          too_deep?(text) ? nil : parse_deep(text)
        end
      end

      def self.parse_deep(text)
        PARSER.load(text)
      rescue ::JSON::ParserError
        nil
      end
      private_class_method :parse_deep

      Cast.register(self)
    end
  end
end
