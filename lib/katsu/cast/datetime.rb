# frozen_string_literal: true

module Katsu
  module Cast
    # Timestamps: the bytes of "2026-01-02 03:04:05.678901" moved into "2026-01-02T03:04:05.678Z"; and the Time objects
    # that some drivers make of them.
    module Datetime
      NAME = :datetime
      VALUES = %w[Time].freeze
      MUTABLE = true # a Time by localtime
      RUBY = {
        if: "batch.standard_times? && " \
            "(::Time.equal?(VALUE.class) || ::ActiveSupport::TimeWithZone.equal?(VALUE.class))",
        text: "VALUE.xmlschema(3)", quoted: true, hash: "VALUE.xmlschema(3)"
      }.freeze
      RAW = {
        if: "batch.raw_times_in_utc? && (VALUE_text = ::Katsu::Portable::TimeText.timestamp(VALUE))",
        text: "VALUE_text", then: "out.setbyte(out.bytesize - VALUE_text.bytesize + 10, 84)", # the T
        ending: "::Katsu::Portable::TimeText::ENDINGS[VALUE_text.bytesize]", quoted: true,
        hash: "::Katsu::Portable::TimeText.iso8601(VALUE_text)"
      }.freeze

      # True for the type of such columns. A type with a precision under three digits cuts off a text's fraction, so it
      # takes the fallback. A type may have a time zone of its own, or that of its connection.
      def self.for?(type)
        known = type.instance_of?(ActiveRecord::Type::DateTime) ||
                Cast.type_named?(type, "PostgreSQL::OID::Timestamp", "PostgreSQL::OID::TimestampWithTimeZone")
        known && type.is_utc? && (type.precision.nil? || type.precision >= 3)
      end

      Cast.register(self)
    end
  end
end
