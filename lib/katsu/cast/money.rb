# frozen_string_literal: true

module Katsu
  module Cast
    # PostgreSQL's money: text as "-$1,234.50", which prints as the decimal that it is, "-1234.5". How a database writes
    # money depends on its locale.
    module Money
      NAME = :money
      VALUES = %w[BigDecimal].freeze
      MUTABLE = false
      RUBY = nil
      RAW = nil

      def self.for?(type)
        Cast.type_named?(type, "PostgreSQL::OID::Money")
      end

      Cast.register(self)
    end
  end
end
