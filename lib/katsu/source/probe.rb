# frozen_string_literal: true

module Katsu
  module Source
    # Tells whether the native backend reads from a loaded record's attributes what ActiveModel's public methods return.
    # Asked once, for a set of attributes made for it: without a table or a connection.
    module Probe
      VALUES = {"a" => 1, "b" => "two", "c" => nil}.freeze
      OWN_TYPES = {"d" => nil}.freeze
      private_constant :VALUES, :OWN_TYPES

      class << self
        # True if all values are read right.
        def passes?
          same?(holder(VALUES)) && (!indexed? || same?(holder(indexed_row))) && new_record?
        rescue StandardError
          false
        end

        private

        def indexed?
          defined?(::ActiveRecord::Result::IndexedRow)
        end

        def indexed_row
          ::ActiveRecord::Result::IndexedRow.new({"a" => 0, "b" => 1, "c" => 2}, VALUES.values)
        end

        def holder(values)
          types = VALUES.transform_values { ::ActiveModel::Type::Value.new }
          record_with(::ActiveModel::AttributeSet::Builder.new(types).build_from_database(values, OWN_TYPES))
        end

        def record_with(attributes)
          Object.new.tap { |record| record.instance_variable_set(:@attributes, attributes) }
        end

        # True if the attributes of a new record are read right.
        def new_record?
          type = ::ActiveModel::Type::Integer.new
          stored = ::ActiveModel::Attribute.from_database("a", "1", type)
          given = ::ActiveModel::Attribute.from_user("b", "2", type)
          record = record_with(::ActiveModel::AttributeSet.new({"a" => stored, "b" => given}))
          return false unless Native.row(record) == [true, false, nil, nil, nil, nil]
          return false unless seen(stored, given, type) == [["1", nil], [nil, nil]]

          [stored, given].each(&:value)
          seen(stored, given, type) == [["1", 1], [nil, 2]] && Native.attribute(stored, nil).nil?
        end

        def seen(stored, given, type)
          [Native.attribute(stored, type), Native.attribute(given, type)]
        end

        def same?(record)
          set = record.instance_variable_get(:@attributes)
          changed, read, columns, values, types, own_types = Native.row(record)
          return false if changed || read || !types.key?("a")
          return false if own_types != OWN_TYPES || raw(columns, values) != VALUES

          VALUES.each { |name, value| return false unless set.fetch_value(name) == value }
          set.write_from_user("a", 5)
          changed, read, = Native.row(record)
          changed && read
        end

        def raw(columns, values)
          columns ? columns.transform_values { |position| values[position] } : values
        end
      end
    end
  end
end
