# frozen_string_literal: true

require_relative "as_json"
require_relative "time_format"

module Katsu
  # How a column's raw value, as the database driver returned it, becomes JSON: one file for each kind of column.
  #
  # A cast is chosen once per class and column, by the column's type. What a cast does not know (a raw value of another
  # class, a date that does not exist) takes the fallback, the type's own deserialize and as_json: a cast only saves
  # time and never decides what is right.
  #
  # Each cast is a module with
  # - NAME, its name in both backends;
  # - VALUES, the names of the classes of its Ruby values: if the application gives one of them an as_json, the cast is
  #   not used;
  # - MUTABLE, whether its Ruby value can change in place, or depends on Time.zone: if a record has such a value
  #   already, that is written and not the raw one;
  # - RUBY, how the ruby backend's generated code writes the value, see Portable::Codegen::ValueCode; nil for the
  #   fallback; and RAW, how it writes the raw value;
  # - for?(type), whether it is the cast of columns of that type.
  #
  # The native backend has its half in ext/katsu/casts/. Both halves name the same casts in the same order, which is
  # checked when the library is loaded.
  module Cast
    # Number 0: the fallback.
    GENERIC = :generic

    @casts = []

    class << self
      # The casts, by their numbers from 1 on.
      attr_reader :casts

      # Adds a cast.
      def register(cast)
        @casts += [Ractors.share(cast)]
      end

      # The number of the cast for a column type (an ActiveModel::Type::Value); 0 for the fallback.
      def number(type)
        index = @casts.index { |cast| cast.for?(type) }
        index && AsJson::Overrides.none?(@casts[index]::VALUES) ? index + 1 : 0
      end

      # The name of the cast of that number.
      def name_of(number)
        NAMES[number]
      end

      # The cast of that name.
      def named(name)
        BY_NAME[name]
      end

      # Compares with the native backend's casts, a Hash {name => {mutable: true or false}} in the order of their
      # numbers. Raises LoadError if they differ.
      def check(native)
        names = native.keys
        missing = NAMES - names
        unknown = names - NAMES
        raise LoadError, "casts: ext/katsu/casts/casts.def lacks #{missing.join(", ")}" if missing.any?
        raise LoadError, "casts: lib/katsu/cast.rb lacks #{unknown.join(", ")}" if unknown.any?
        raise LoadError, "casts: lib/katsu/cast.rb has another order than ext/katsu/casts/casts.def" if names != NAMES

        differing = NAMES.find { |name| native[name][:mutable] != mutable?(name) }
        raise LoadError, "casts: #{differing} is mutable on one backend and not on the other" if differing
      end

      # True if the Ruby values of the cast of that name are mutable; any value may be one of the fallback's.
      def mutable?(name)
        name == GENERIC || named(name)::MUTABLE
      end

      # True if type is of one of these classes, by name, as an adapter may not be loaded.
      def type_named?(type, *names)
        names.include?(type.class.name&.delete_prefix("ActiveRecord::ConnectionAdapters::"))
      end
    end
  end
end

require_relative "cast/string"
require_relative "cast/integer"
require_relative "cast/float"
require_relative "cast/boolean"
require_relative "cast/datetime"
require_relative "cast/zoned_datetime"
require_relative "cast/date"
require_relative "cast/json"
require_relative "cast/decimal"
require_relative "cast/money"
require_relative "cast/interval"
require_relative "cast/binary"

module Katsu
  module Cast
    # In the order of their numbers.
    NAMES = [GENERIC, *casts.map { |cast| cast::NAME }].freeze
    BY_NAME = casts.to_h { |cast| [cast::NAME, cast] }.freeze
    private_constant :BY_NAME
  end
end

Katsu::Cast.check(Katsu::Native.casts) if defined?(Katsu::Native)
Katsu::AsJson::Overrides.watch
