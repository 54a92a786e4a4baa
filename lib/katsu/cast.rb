# frozen_string_literal: true

module Katsu
  # How a column's raw value, as the database driver returned it, becomes JSON: one file per kind of column.
  #
  # A cast is chosen once per class and column, by the column's type. What a cast does not know (a raw value of
  # another class, a date that does not exist) goes the long way, by the type's own deserialize and as_json:
  # casts are short cuts and never decide what is right.
  module Cast
    # The casts in the order of their numbers in ext/katsu/casts/cast.h; 0 is the long way.
    NAMES = %i[generic string integer float boolean datetime zoned_datetime date json decimal].freeze

    UTC = ["UTC", "Etc/UTC"].freeze
    # Text that is JSON already; json has it since 2.10.
    JSON_FRAGMENT = defined?(::JSON::Fragment) ? ::JSON::Fragment : nil
    private_constant :UTC, :JSON_FRAGMENT

    @casts = []

    class << self
      def register(cast)
        @casts << cast
      end

      # The number of the cast for a column type (an ActiveModel::Type::Value).
      def number(type)
        cast = @casts.find { |candidate| candidate.for?(type) }
        cast && Standard.cast?(cast::NAME) ? NAMES.index(cast::NAME) : 0
      end

      # True where Rails prints times in ISO 8601 with milliseconds.
      def standard_times?
        encoding = ActiveSupport::JSON::Encoding
        encoding.use_standard_json_time_format && encoding.time_precision == 3
      end

      # True where a database's timestamps are also those of UTC, and need nothing but other punctuation.
      def times_in_utc?
        standard_times? && ActiveRecord.default_timezone == :utc
      end

      # True where Time.zone prints times as UTC does.
      def utc?
        zone = Time.zone
        zone.nil? || UTC.include?(zone.name)
      end

      # The stretch of time around that second (since 1970) in which Time.zone keeps its offset: [first second, the
      # second after the last, offset in seconds]; nil where a time in it is printed in another way.
      def period(second)
        period = Time.zone.tzinfo.period_for(Time.at(second).utc)
        offset = period.observed_utc_offset
        return if %w[UTC UCT].include?(period.abbreviation.to_s) || offset % 60 != 0

        [period.start_transition&.timestamp_value || -(2**62), period.end_transition&.timestamp_value || 2**62, offset]
      end

      # What as_json makes of a value: how it stands in a Hash that a serializer builds.
      def as_json(value)
        case value
        when nil, true, false, ::Integer then value
        when Symbol then value.name
        when ::Float then value.finite? ? value : nil
        else value.instance_of?(::String) ? value : as_json_of_object(value)
        end
      end

      # The same where values may have an as_json of the application's.
      def asked(value)
        Plain.responds?(value, :as_json) ? as_json_of_object(value) : as_json(value)
      end

      # What stands in a JSON column, as as_json gives it. Raises GeneratorError where it is not JSON.
      def parse_json(serializer, record, name, type, text)
        value = Json.parse(type, text)
        Source.refuse_json(serializer, record, name, text) if value.nil? ? text.strip != "null" : !Json.characters?(text)
        ActiveSupport.parse_json_times ? as_json(value) : value
      end

      # True where type is of one of these classes, by name, as an adapter may not be loaded.
      def named?(type, *names)
        names.include?(type.class.name&.delete_prefix("ActiveRecord::ConnectionAdapters::"))
      end

      private

      def as_json_of_object(value)
        return ::JSON.parse(value.json) if JSON_FRAGMENT && value.instance_of?(JSON_FRAGMENT)
        return value.as_json if Plain.responds?(value, :as_json)

        case value
        when ::Hash then value.to_h { |key, inner| [key.to_s, as_json(inner)] }
        when ::Array then value.map { |inner| as_json(inner) }
        when ::String then value.to_s
        else as_json(Plain.of(value))
        end
      end
    end
  end
end

require_relative "cast/plain"
require_relative "cast/standard"
require_relative "cast/settings"
require_relative "cast/string"
require_relative "cast/integer"
require_relative "cast/float"
require_relative "cast/boolean"
require_relative "cast/datetime"
require_relative "cast/date"
require_relative "cast/json"
require_relative "cast/decimal"

Katsu::Cast::Standard.watch
