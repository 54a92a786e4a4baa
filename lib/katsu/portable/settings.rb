# frozen_string_literal: true

module Katsu
  module Portable
    # What a Batch asks Rails and other libraries, once a call.
    module Settings
      # True if Rails prints times in ISO 8601 with milliseconds.
      def standard_times?
        return @standard_times unless @standard_times.nil?

        @standard_times = TimeFormat.standard? ? true : false
      end

      # True if no library wants to see that loaded associations are read.
      def associations_in_place?
        return @associations_in_place unless @associations_in_place.nil?

        @associations_in_place = Source::ReaderPatches.none?
      end

      # True if a database's timestamps are printed as UTC is.
      def raw_times_in_utc?
        return @raw_times_in_utc unless @raw_times_in_utc.nil?

        @raw_times_in_utc = TimeFormat.raw_in_utc? ? true : false
      end

      # True if Time.zone prints times as UTC does.
      def zone_in_utc?
        return @zone_in_utc unless @zone_in_utc.nil?

        @zone_in_utc = TimeFormat.zone_in_utc? ? true : false
      end
    end
  end
end
