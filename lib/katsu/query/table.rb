# frozen_string_literal: true

module Katsu
  module Query
    # The rows of one query: what a plan is written from in the place of records.
    class Table
      # model: the class whose records these would be. columns: positions in a row by name. types: by the columns'
      # names, what makes their raw values those that a record has. rows: an Array of Arrays of raw values, or a
      # driver's rows. edges: by the associations' names.
      attr_reader :model, :plan, :columns, :types, :rows, :edges

      # names: of the columns, in the order in which they stand in rows.
      def initialize(selection, names, rows)
        @selection = selection
        @model = selection.model
        @plan = selection.plans.first
        @rows = rows
        layout = selection.row_layout(names)
        @columns = layout.columns
        @types = layout.types
        @row_class = layout.row_class
        @edges = {}
      end

      def size = @rows.size

      # A light object for the method fields with needs: of a row.
      def row_object(index)
        @row_class.new(self, @rows[index])
      end

      # Row objects of all rows.
      def row_objects
        @row_objects ||= @rows.map { |row| @row_class.new(self, row) }
      end

      # The record of a row, with the attributes that were selected.
      def record(index)
        row = @rows[index]
        @model.instantiate(@columns.transform_values { |position| row[position] })
      end

      # The values of a column, as records have them; nil is left out.
      def keys(name)
        position = @columns.fetch(name)
        type = @types.fetch(name)
        raw = @rows.is_a?(::Array) ? @rows.map { |row| row[position] } : @rows.column(position)
        raw.each_with_object({}) { |value, found| found[type.deserialize(value)] = true }.except!(nil)
      end
    end

    # How the rows of a parent's table lead to the rows of a table of children: by the position of a key in both. many:
    # true if a parent has an Array of children; otherwise it has the first of them.
    class Edge
      attr_reader :table, :key, :child_key, :many

      # key, child_key: the columns' names.
      def initialize(parent, key, table, child_key, many)
        @table = table
        @many = many
        @key = parent.columns.fetch(key)
        @child_key = table&.columns&.fetch(child_key)
        @key_type = parent.types.fetch(key)
        @child_type = table&.types&.fetch(child_key)
      end

      # The row object or objects of the children of a parent's row.
      def of(row)
        key = @key_type.deserialize(row[@key]) if @table
        return @many ? [] : nil if key.nil?

        @many ? children.fetch(key) { [] } : children[key]
      end

      private

      def children
        @children ||= @many ? all_children : first_children
      end

      def all_children
        each_child.with_object({}) { |(key, child), found| (found[key] ||= []) << child }
      end

      def first_children
        each_child.with_object({}) { |(key, child), found| found[key] ||= child }
      end

      def each_child
        return to_enum(:each_child) unless block_given?

        rows = @table.rows
        @table.row_objects.each_with_index do |child, index|
          yield @child_type.deserialize(rows[index][@child_key]), child
        end
      end
    end
  end
end
