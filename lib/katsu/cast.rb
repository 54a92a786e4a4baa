# frozen_string_literal: true

module Katsu
  # How a column's raw value, as the database driver returned it, becomes JSON: one file per kind of column.
  #
  # A cast is chosen once per class and column, by the column's type. What a cast does not know (a raw value of
  # another class, a date that does not exist) goes the long way, by the type's own deserialize and as_json:
  # casts are short cuts and never decide what is right.
  module Cast
    # The casts in the order of their numbers in ext/katsu/cast.h; 0 is the long way.
    NAMES = %i[generic string integer float boolean datetime zoned_datetime date json].freeze

    @casts = []

    class << self
      def register(cast)
        @casts << cast
      end

      # The number of the cast for a column type (an ActiveModel::Type::Value).
      def number(type)
        cast = @casts.find { |candidate| candidate.for?(type) }
        cast ? NAMES.index(cast::NAME) : 0
      end

      # Whether texts of dates and times can be moved as they are: bit 0 for columns without, bit 1 for columns
      # with time zone conversion. They can where all is UTC and ActiveSupport prints ISO 8601 with milliseconds.
      def time_mode
        encoding = ActiveSupport::JSON::Encoding
        return 0 unless encoding.use_standard_json_time_format && encoding.time_precision == 3
        return 0 unless ActiveRecord.default_timezone == :utc

        zone = Time.zone
        zone.nil? || zone.name == "UTC" || zone.name == "Etc/UTC" ? 3 : 1
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

      private

      def as_json_of_object(value)
        return value.as_json if value.respond_to?(:as_json)

        case value
        when Hash then value.to_h { |key, inner| [key.to_s, as_json(inner)] }
        when Array then value.map { |inner| as_json(inner) }
        else value.to_s
        end
      end
    end
  end
end

require_relative "cast/string"
require_relative "cast/integer"
require_relative "cast/float"
require_relative "cast/boolean"
require_relative "cast/datetime"
require_relative "cast/date"
require_relative "cast/json"
