# frozen_string_literal: true

module Katsu
  module Cast
    # Text: escaped, nothing else. Also PostgreSQL's types whose text is their value.
    module String
      NAME = :string
      VALUES = %w[String].freeze
      MUTABLE = true
      # With YJIT, instance_of? can take 0.2 us a call after it was called on values of several classes.
      RUBY = {
        if: "::String === VALUE && ::String.equal?(VALUE.class) && ::Katsu::Portable::Text.unescaped?(VALUE)",
        text: "VALUE", quoted: true,
        escaped_if: "::String === VALUE && ::String.equal?(VALUE.class) && ::Katsu::Portable::Text.utf8?(VALUE)",
        escaped: "::Katsu::Portable::Text.escape(VALUE)",
        hash_if: "::String === VALUE && ::String.equal?(VALUE.class)", hash: "VALUE"
      }.freeze
      RAW = {
        if: "::String.equal?(VALUE.class) && ::Katsu::Portable::Text.unescaped?(VALUE)",
        text: "VALUE", quoted: true,
        escaped_if: "::String.equal?(VALUE.class) && ::Katsu::Portable::Text.utf8?(VALUE)",
        escaped: "::Katsu::Portable::Text.escape(VALUE)",
        hash_if: "::String.equal?(VALUE.class)", hash: "VALUE.dup" # a Hash's owner may change its Strings
      }.freeze

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
