# frozen_string_literal: true

module Katsu
  module Portable
    # Timestamps and dates as databases return them, as Rails prints them. What it does not know it leaves to the
    # column's type.
    module TimeText
      DATE = /\A[1-9]\d{3}-\d\d-\d\d\z/
      TIMESTAMP = /\A[1-9]\d{3}-\d\d-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?\z/
      # The position of what stands between date and time.
      BETWEEN = 10
      T = "T".ord
      # What stands behind a timestamp, by its size.
      ENDINGS = Array.new(30).tap do |endings|
        endings[19] = ".000Z"
        endings[23] = "Z"
        endings[24] = "" # of a Time
        endings[29] = "" # with the offset of a zone
      end.freeze
      DAYS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].freeze
      private_constant :DATE, :TIMESTAMP, :BETWEEN, :T, :DAYS

      class << self
        # "2026-01-02 03:04:05.678" of "2026-01-02 03:04:05.678901" in UTC. A text without a fraction is returned as it
        # is, and of a Time in UTC what Rails prints. nil for anything else.
        #
        # The bytes that are missing are for the caller to add, so that no String is made: "T" at position 10, and the
        # end, see ENDINGS.
        def timestamp(raw)
          return raw.instance_of?(::Time) ? of_time(raw) : nil unless raw.instance_of?(::String)
          return unless timestamp?(raw)

          size = raw.bytesize
          return raw.byteslice(0, 23) if size > 22

          size == 19 ? raw : raw.ljust(23, "0")
        end

        # The same in Time.zone, with its offset.
        def zoned(raw)
          time = raw.instance_of?(::String) ? utc(raw) : raw
          return unless time.instance_of?(::Time) && time.utc?

          text = time.in_time_zone.xmlschema(3)
          text if ENDINGS[text.bytesize]
        end

        # What timestamp or zoned returned, as Rails prints it.
        def iso8601(text)
          text = text + ENDINGS[text.bytesize] # rubocop:disable Style/StringConcatenation
          text.setbyte(BETWEEN, T)
          text
        end

        # "2026-01-02", or a Date, as text; nil for anything else.
        def date(raw)
          return raw.instance_of?(::Date) ? raw.strftime("%Y-%m-%d") : nil unless raw.instance_of?(::String)

          raw if DATE.match?(raw) && day?(raw)
        end

        # Called when code is generated. Code that YJIT compiles looks at bytes in half of the time of a Regexp; code
        # that is interpreted takes four times as long.
        def choose(by_bytes = compiled?)
          @by_bytes = by_bytes
        end

        private

        def compiled?
          defined?(::RubyVM::YJIT) && ::RubyVM::YJIT.enabled? ? true : false
        end

        # nil for a Time that is not in UTC, or of a year before 0 or after 9999: their text has another size.
        def of_time(time)
          text = time.xmlschema(3)
          text if text.bytesize == 24
        end

        # The Time of a timestamp in UTC; nil for anything else.
        def utc(raw)
          return unless timestamp?(raw)

          micros = raw.bytesize > 19 ? raw.byteslice(20, 6).ljust(6, "0").to_i : 0
          ::Time.utc(raw[0, 4].to_i, raw[5, 2].to_i, raw[8, 2].to_i, raw[11, 2].to_i, raw[14, 2].to_i, raw[17, 2].to_i,
                     micros)
        end

        def timestamp?(text)
          return TIMESTAMP.match?(text) && day?(text) unless @by_bytes

          size = text.bytesize
          return false if size != 19 && (size < 21 || size > 26 || !fraction?(text, size))

          date_bytes?(text) && time_bytes?(text) && text.getbyte(BETWEEN) == 32 && day?(text)
        end

        # No calls of methods but getbyte, which YJIT writes in place; nor a loop.
        def date_bytes?(text)
          (digit = text.getbyte(0)) > 48 && digit < 58 && (digit = text.getbyte(1)) > 47 && digit < 58 &&
            (digit = text.getbyte(2)) > 47 && digit < 58 && (digit = text.getbyte(3)) > 47 && digit < 58 &&
            text.getbyte(4) == 45 &&
            (digit = text.getbyte(5)) > 47 && digit < 58 && (digit = text.getbyte(6)) > 47 && digit < 58 &&
            text.getbyte(7) == 45 &&
            (digit = text.getbyte(8)) > 47 && digit < 58 && (digit = text.getbyte(9)) > 47 && digit < 58
        end

        def time_bytes?(text)
          (tens = text.getbyte(11)) > 47 && tens < 51 && (digit = text.getbyte(12)) > 47 &&
            digit < (tens == 50 ? 52 : 58) && text.getbyte(13) == 58 &&
            (digit = text.getbyte(14)) > 47 && digit < 54 && (digit = text.getbyte(15)) > 47 && digit < 58 &&
            text.getbyte(16) == 58 &&
            (digit = text.getbyte(17)) > 47 && digit < 54 && (digit = text.getbyte(18)) > 47 && digit < 58
        end

        # True for a point and digits.
        def fraction?(text, size)
          return false unless text.getbyte(19) == 46

          index = 20
          index += 1 while index < size && (digit = text.getbyte(index)) > 47 && digit < 58
          index == size
        end

        # Of a date whose form is right: true if the day exists. Calendars disagree about years before 1600.
        def day?(text)
          return false if text.getbyte(0) == 49 && text.getbyte(1) < 54

          month = (text.getbyte(5) * 10) + text.getbyte(6) - 528
          day = (text.getbyte(8) * 10) + text.getbyte(9) - 528
          return false if month == 0 || month > 12 || day == 0 # rubocop:disable Style/NumericPredicate

          day <= 28 || (day <= DAYS[month] && (month != 2 || ::Date.gregorian_leap?(text.byteslice(0, 4).to_i)))
        end
      end
    end
  end
end
