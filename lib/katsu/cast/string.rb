# frozen_string_literal: true

module Katsu
  module Cast
    # Text: escaped, nothing else. PostgreSQL's types whose text is their value too.
    module String
      NAME = :string

      POSTGRESQL = %w[Enum SpecializedString Uuid Xml].map { |name| "PostgreSQL::OID::#{name}" }.freeze
      private_constant :POSTGRESQL

      def self.for?(type)
        [ActiveModel::Type::String, ActiveModel::Type::ImmutableString, ActiveRecord::Type::Text].include?(type.class) ||
          Cast.named?(type, *POSTGRESQL)
      end

      Cast.register(self)
    end
  end
end
