# frozen_string_literal: true

module Katsu
  module Query
    # How the rows of a parent's table lead to the rows of a table of children: by the position of a key in both, or
    # the positions of its columns. many: true if a parent has an Array of children; otherwise it has the first of them.
    class Edge
      attr_reader :table, :key, :child_key, :many

      # keys, child_keys: the columns' names. table: nil if there are no children at all.
      def initialize(parent, keys, table, child_keys, many)
        @table = table
        @many = many
        @key = positions(parent, keys)
        @child_key = positions(table, child_keys) if table
        @key_types = keys.map { |name| parent.types.fetch(name) }
        @child_types = child_keys.map { |name| table.types.fetch(name) } if table
      end

      # The row object or objects of the children of a parent's row.
      def of(row)
        key = key_of(row, @key, @key_types) if @table
        return @many ? [] : nil if key.nil?

        @many ? children.fetch(key) { [] } : children[key]
      end

      private

      def positions(table, names)
        found = names.map { |name| table.columns.fetch(name) }
        found.size == 1 ? found[0] : found
      end

      # nil if a part of it is.
      def key_of(row, positions, types)
        return types[0].deserialize(row[positions]) if types.size == 1

        key = positions.zip(types).map { |position, type| type.deserialize(row[position]) }
        key unless key.include?(nil)
      end

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
          yield key_of(rows[index], @child_key, @child_types), child
        end
      end
    end

    # How the rows of a parent's table lead to objects: records, or row objects of several tables.
    class ObjectEdge
      # keys: the columns' names. found: [[key, object], ...], in their order.
      def initialize(parent, keys, found, many)
        @positions = keys.map { |name| parent.columns.fetch(name) }
        @types = keys.map { |name| parent.types.fetch(name) }
        @many = many
        @keys = parent.tuples(keys)
        @found = many ? found.group_by(&:first).transform_values { |pairs| pairs.map(&:last) } : first_of(found)
      end

      # The native backend asks at(index) for the objects of a row, and not for a table.
      def objects? = true
      def at(index) = objects(@keys[index])

      # The object or objects of a parent's row.
      def of(row)
        objects(@positions.zip(@types).map { |position, type| type.deserialize(row[position]) })
      end

      private

      def objects(key) = @found.fetch(key) { @many ? [] : nil }

      def first_of(found)
        found.each_with_object({}) { |(key, object), first| first[key] ||= object }
      end
    end
  end
end
