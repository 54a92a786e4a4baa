# frozen_string_literal: true

require_relative "row_values"

module Katsu
  module Query
    # The rows of one query: what a plan is written from in the place of records.
    class Table
      # model: the class whose records these would be. columns: positions in a row by name. types: by the columns'
      # names, what makes their raw values those that a record has. rows: an Array of Arrays of raw values, or a
      # driver's rows. edges: by the associations' names.
      attr_reader :model, :plan, :columns, :types, :rows, :edges

      # names: of the columns, in the order in which they stand in rows. key_types: see RowLayout.
      def initialize(selection, names, rows, key_types = {})
        @selection = selection
        @model = selection.model
        @plan = selection.plans.first
        @rows = rows
        layout = selection.row_layout(names, key_types)
        @columns = layout.columns
        @types = layout.types
        @layout = layout
        @complete = layout.complete?
        @edges = {}
      end

      def size = @rows.size

      # The column that names the class of a row, or nil.
      def class_column = @layout.class_column

      # The number of a column's cast.
      def cast_number(name) = @layout.cast_number(name)

      # False if the database's table has lost a column that is read. keys: columns that are read besides.
      def complete?(keys)
        @complete && keys.all? { |name| @columns.key?(name) }
      end

      # Gives the memory of a driver's rows back, the children's too. What is read of them from then on raises. If there
      # was a row object, the code of a field may have kept it to read it later, and nothing is cleared.
      def clear
        return if @row_object_given

        @rows.clear unless @rows.is_a?(::Array)
        @edges.each_value { |edge| edge.table&.clear if edge.is_a?(Edge) }
      end

      # A light object for the method fields with needs: of a row.
      def row_object(index)
        @row_object_given = true
        row_of(@rows.is_a?(::Array) ? @rows[index] : RowValues.new(@rows, index))
      end

      # Row objects of all rows.
      def row_objects
        @row_objects ||= @rows.map { |row| row_of(row) }
      end

      # The record of a row, with the attributes that were selected.
      def record(index)
        row = @rows[index]
        @model.instantiate(@layout.record_columns.transform_values { |position| row[position] })
      end

      # The values of a column, as records have them.
      def values(name)
        position = @columns.fetch(name)
        type = @types.fetch(name)
        raw = @rows.is_a?(::Array) ? @rows.map { |row| row[position] } : @rows.column(position)
        return raw if raw.all?(::Integer) && @layout.integers?(name)

        raw.map { |value| type.deserialize(value) }
      end

      # The different ones of them; nil is left out, and so are rows that are not written.
      def keys(name)
        written(values(name)).uniq.compact
      end

      # The different values of several columns; without rows that are not written.
      def different(names)
        written(tuples(names)).uniq
      end

      # Notes which rows are written: those with one of these keys, and only the first for each key unless many is true.
      # The query found the other rows too, but nothing below them is read. keys: Arrays of values; nil if each row has
      # a key of an owner.
      def note_written(names, keys, many)
        wanted = keys&.to_h { |key| [key, true] }
        met = {}
        @written = tuples(names).each_with_index.filter_map do |key, index|
          next if (wanted && !wanted.key?(key)) || (!many && met[key])

          met[key] = true
          index
        end
      end

      # The value of a column in the last row.
      def last(name)
        @types.fetch(name).deserialize(@rows[@rows.size - 1][@columns.fetch(name)])
      end

      # The values of several columns, an Array for each row.
      def tuples(names)
        first, *others = names.map { |name| values(name) }
        first.zip(*others)
      end

      private

      def written(values)
        @written ? @written.map { |index| values[index] } : values
      end

      def row_of(values)
        @layout.row_class(values).new(self, values)
      end
    end
  end
end
