# frozen_string_literal: true

module Katsu
  # How Rails' settings say that times are printed.
  module TimeFormat
    UTC = ["UTC", "Etc/UTC"].freeze
    private_constant :UTC

    class << self
      # True if Rails prints times in ISO 8601 with milliseconds.
      def standard?
        encoding = ActiveSupport::JSON::Encoding
        encoding.use_standard_json_time_format && encoding.time_precision == 3
      end

      # True if, besides, a database's timestamps are those of UTC, so that only their punctuation is to change.
      def raw_in_utc?
        standard? && ActiveRecord.default_timezone == :utc
      end

      # True if Time.zone prints times as UTC does.
      def zone_in_utc?
        zone = Time.zone
        zone.nil? || UTC.include?(zone.name)
      end

      # The period around a second (since 1970) in which Time.zone keeps its offset: [first second, the second after the
      # last, offset in seconds]; nil if a time in it is printed in another way.
      def period(second)
        period = Time.zone.tzinfo.period_for(Time.at(second).utc)
        offset = period.observed_utc_offset
        return if %w[UTC UCT].include?(period.abbreviation.to_s) || offset % 60 != 0

        [period.start_transition&.timestamp_value || -(2**62), period.end_transition&.timestamp_value || 2**62, offset]
      end

      # Tells the native backend when one of the settings changes. To read all of them takes a third of the time of a
      # record, so it keeps the answers until then.
      def watch
        report_change(::ActiveRecord, :default_timezone=)
        report_change(::ActiveSupport::JSON::Encoding, :time_precision=, :use_standard_json_time_format=)
        Native.forget_times
      end

      private

      def report_change(owner, *writers)
        reporting = Module.new do
          writers.each do |writer|
            define_method(writer) do |value|
              super(value)
              Native.forget_times
            end
          end
        end
        owner.singleton_class.prepend(reporting)
      end
    end
  end
end
