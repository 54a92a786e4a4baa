# frozen_string_literal: true

module Katsu
  module Cast
    # Text: escaped, nothing else. Also PostgreSQL's types whose text is their value.
    module String
      NAME = :string
      VALUES = %w[String].freeze
      MUTABLE = true
      RUBY = {
        if: "VALUE.instance_of?(::String) && ::Katsu::Portable::Text.unescaped?(VALUE)", text: "VALUE", quoted: true,
        hash_if: "VALUE.instance_of?(::String)", hash: "VALUE"
      }.freeze
      RAW = {**RUBY, hash: "VALUE.dup"}.freeze # a Hash's owner may change its Strings

      POSTGRESQL = %w[Enum SpecializedString Uuid Xml].map { |name| "PostgreSQL::OID::#{name}" }.freeze
      private_constant :POSTGRESQL

      # True for the type of such columns.
      def self.for?(type)
        text = [ActiveModel::Type::String, ActiveModel::Type::ImmutableString, ActiveRecord::Type::Text]
        text.include?(type.class) || Cast.type_named?(type, *POSTGRESQL)
      end

      Cast.register(self)
    end
  end
end
