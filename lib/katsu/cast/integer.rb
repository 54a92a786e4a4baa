# frozen_string_literal: true

module Katsu
  module Cast
    # Integers, of every width.
    module Integer
      NAME = :integer

      def self.for?(type)
        [ActiveModel::Type::Integer, ActiveModel::Type::BigInteger, ActiveRecord::Type::UnsignedInteger,
         ActiveRecord::Type::DecimalWithoutScale].include?(type.class) ||
          Cast.named?(type, "SQLite3Adapter::SQLite3Integer", "PostgreSQL::OID::Oid")
      end

      Cast.register(self)
    end
  end
end
