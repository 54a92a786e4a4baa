# frozen_string_literal: true

module Katsu
  module Cast
    # Timestamps: the bytes of "2026-01-02 03:04:05.678901" moved into "2026-01-02T03:04:05.678Z"; and the Time objects
    # that some drivers make of them.
    module Datetime
      NAME = :datetime

      # A type with a precision under three digits cuts a text's fraction off: the long way does. A type may have a time zone of its own, or that of its connection.
      def self.for?(type)
        known = type.instance_of?(ActiveRecord::Type::DateTime) ||
                Cast.named?(type, "PostgreSQL::OID::Timestamp", "PostgreSQL::OID::TimestampWithTimeZone")
        known && type.is_utc? && (type.precision.nil? || type.precision >= 3)
      end

      Cast.register(self)
    end

    # The same, for attributes that ActiveRecord converts to Time.zone.
    module ZonedDatetime
      NAME = :zoned_datetime

      def self.for?(type)
        ActiveRecord::AttributeMethods::TimeZoneConversion::TimeZoneConverter === type &&
          Datetime.for?(type.__getobj__)
      end

      Cast.register(self)
    end
  end
end
