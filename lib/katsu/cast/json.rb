# frozen_string_literal: true

module Katsu
  module Cast
    # JSON columns: the text is validated and copied, not parsed. For a Hash it is parsed as its type does.
    module Json
      NAME = :json
      VALUES = AsJson::Overrides::CORE
      MUTABLE = true
      RUBY = nil # the batch copies or parses the raw text, see Portable::Batch#json
      # Accepts the texts that may be copied. Made once: JSON.parse makes its options and a parser for each text, which
      # takes a third to a half of a small text's time. nil if the json gem has no Coder, or none that Ractors can
      # share.
      PARSER = begin
        Ractors.share(::JSON::Coder.new(max_nesting: 512, allow_duplicate_key: true)) if defined?(::JSON::Coder)
      rescue StandardError
        nil
      end

      # True for the type of such columns.
      def self.for?(type)
        type.instance_of?(ActiveRecord::Type::Json) || Cast.type_named?(type, "PostgreSQL::OID::Jsonb")
      end

      # Text in which each \u is a character, or one of two halves that stand together. Before version 3 json accepts
      # others.
      CHARACTERS = /\A(?:[^\\]++|\\[^u]|\\u(?![dD][89a-fA-F])|\\u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h)*+\z/
      private_constant :CHARACTERS

      # True if each escape of the text is a character.
      def self.characters?(text)
        !text.include?("\\u") || CHARACTERS.match?(text.b)
      end

      # The value of a JSON column, as as_json gives it. type: the column's; text: its raw value. Raises GeneratorError
      # if the text is not JSON.
      def self.value(serializer, record, name, type, text)
        value = parse(type, text)
        Source.refuse_json(serializer, record, name, text) if value.nil? ? text.strip != "null" : !characters?(text)
        ActiveSupport.parse_json_times ? AsJson.of(value) : value
      end

      # The text parsed as type does: nil if it is not JSON.
      def self.parse(type, text)
        return type.deserialize(text) if PARSER.nil? || ActiveSupport.parse_json_times

        begin
          PARSER.load(text)
        rescue ::JSON::ParserError
          type.deserialize(text)
        end
      end

      Cast.register(self)
    end
  end
end
