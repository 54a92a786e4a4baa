# frozen_string_literal: true

module Katsu
  module Cast
    # Dates: the database's text is ISO 8601 already; some drivers make a Date of it.
    module Date
      NAME = :date
      VALUES = %w[Date].freeze
      MUTABLE = false
      RUBY = {
        if: "batch.standard_times? && VALUE.instance_of?(::Date)",
        text: 'VALUE.strftime("%Y-%m-%d")', quoted: true, hash: 'VALUE.strftime("%Y-%m-%d")'
      }.freeze
      RAW = {
        if: "batch.standard_times? && (VALUE_text = ::Katsu::Portable::TimeText.date(VALUE))",
        text: "VALUE_text", quoted: true, hash: "VALUE_text.dup"
      }.freeze

      # True for the type of such columns.
      def self.for?(type)
        type.instance_of?(ActiveRecord::Type::Date) || Cast.type_named?(type, "PostgreSQL::OID::Date")
      end

      Cast.register(self)
    end
  end
end
