# frozen_string_literal: true

module Katsu
  module Cast
    # Integers, of every width.
    module Integer
      NAME = :integer
      VALUES = %w[Integer].freeze
      MUTABLE = false
      RUBY = {if: "::Integer === VALUE", text: "VALUE.to_s", hash: "VALUE"}.freeze
      RAW = RUBY

      # True for the type of such columns.
      def self.for?(type)
        [ActiveModel::Type::Integer, ActiveModel::Type::BigInteger, ActiveRecord::Type::UnsignedInteger,
         ActiveRecord::Type::DecimalWithoutScale].include?(type.class) ||
          Cast.type_named?(type, "SQLite3Adapter::SQLite3Integer", "PostgreSQL::OID::Oid")
      end

      Cast.register(self)
    end
  end
end
