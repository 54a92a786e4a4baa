# frozen_string_literal: true

module Katsu
  module Cast
    # Timestamps that ActiveRecord converts to Time.zone.
    module ZonedDatetime
      NAME = :zoned_datetime
      VALUES = %w[Time ActiveSupport::TimeWithZone].freeze
      MUTABLE = true # cast under another Time.zone
      RUBY = Datetime::RUBY
      # By the reader the record would keep the time as it is in this Time.zone.
      RAW = Ractors.share({**Datetime::RAW, if: "batch.raw_times_in_utc? && (VALUE_text = batch.zone_in_utc? ? " \
                                                "::Katsu::Portable::TimeText.timestamp(VALUE) : " \
                                                "::Katsu::Portable::TimeText.zoned(VALUE))"})

      # True for the type of such columns.
      def self.for?(type)
        ActiveRecord::AttributeMethods::TimeZoneConversion::TimeZoneConverter === type && Datetime.for?(type.__getobj__)
      end

      Cast.register(self)
    end
  end
end
