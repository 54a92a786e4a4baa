# frozen_string_literal: true

module Katsu
  module AsJson
    # Stands in for the as_json of a value that has none, as all are without ActiveSupport: gives what ActiveSupport
    # would, but for an object that it would take apart its to_s.
    module Substitute
      class << self
        # value, no String, Hash or Array, as one of these or nil.
        def of(value)
          case value
          when ::Time then own_to_s?(value) ? value.to_s : time(value)
          when date_class then date(value)
          when decimal_class then value.finite? ? value.to_s("F") : nil
          when ::Struct then value.to_h
          when ::Range, ::IO, ::Module then value.to_s
          when ::Enumerable then value.to_a
          else converted(value) || "#{value}" # if to_s returns no String, Ruby's own text
          end
        end

        private

        # With milliseconds, as Rails does by default.
        def time(value)
          value.strftime(value.utc? ? "%Y-%m-%dT%H:%M:%S.%LZ" : "%Y-%m-%dT%H:%M:%S.%L%:z")
        end

        def date(value)
          value.is_a?(::DateTime) ? value.strftime("%Y-%m-%dT%H:%M:%S.%L%:z") : value.strftime("%Y-%m-%d")
        end

        # True for a Time with a to_s of its own, such as a time of the day: Sequel::SQLTime.
        def own_to_s?(value)
          value.method(:to_s).owner != ::Time
        end

        # Objects that convert to a Hash or an Array: Sequel's models, and the values of its JSON columns.
        def converted(value)
          if AsJson.answers?(value, :to_hash) then ::Hash.try_convert(value)
          elsif AsJson.answers?(value, :to_ary) then ::Array.try_convert(value)
          elsif data?(value) then value.to_h
          end
        end

        # nil if the library is not loaded.
        def date_class
          defined?(::Date) ? ::Date : nil
        end

        def decimal_class
          defined?(::BigDecimal) ? ::BigDecimal : nil
        end

        def data?(value)
          defined?(::Data) && ::Data.respond_to?(:define) && ::Data === value
        end
      end
    end
  end
end
