# frozen_string_literal: true

module Katsu
  module Cast
    # Decimals that the driver returns as BigDecimal: their digits, in quotes; null if not finite. And Floats and
    # Integers (SQLite) that the column's precision and scale leave as they are.
    module Decimal
      NAME = :decimal
      VALUES = %w[BigDecimal].freeze
      MUTABLE = false
      RUBY = nil
      RAW = nil

      # True for the type of such columns. A type that keeps no digit behind the point gives Integers.
      def self.for?(type)
        known = type.instance_of?(ActiveModel::Type::Decimal) || Cast.type_named?(type, "PostgreSQL::OID::Decimal")
        known && type.scale != 0
      end

      Cast.register(self)
    end
  end
end
