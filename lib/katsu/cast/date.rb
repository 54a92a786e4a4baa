# frozen_string_literal: true

module Katsu
  module Cast
    # Dates: the database's text is ISO 8601 already; some drivers make a Date of it.
    module Date
      NAME = :date

      def self.for?(type)
        type.instance_of?(ActiveRecord::Type::Date) || Cast.named?(type, "PostgreSQL::OID::Date")
      end

      Cast.register(self)
    end
  end
end
