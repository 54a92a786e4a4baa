# frozen_string_literal: true

module Katsu
  module Cast
    # Timestamps that ActiveRecord converts to Time.zone.
    module ZonedDatetime
      NAME = :zoned_datetime
      VALUES = %w[Time ActiveSupport::TimeWithZone].freeze
      MUTABLE = true # cast under another Time.zone
      RUBY = Datetime::RUBY
      RAW = Ractors.share({**Datetime::RAW, if: "batch.zone_in_utc? && #{Datetime::RAW[:if]}"})

      # True for the type of such columns.
      def self.for?(type)
        ActiveRecord::AttributeMethods::TimeZoneConversion::TimeZoneConverter === type && Datetime.for?(type.__getobj__)
      end

      Cast.register(self)
    end
  end
end
