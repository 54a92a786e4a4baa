# frozen_string_literal: true

require_relative "table"
require_relative "relation_checks"
require_relative "drivers"

module Katsu
  module Query
    # Reads a relation as rows: one query for it, and one for each association that is read. No record is made.
    class Rows
      # Rows that turn out to be of a subclass that reads a column in its own way.
      NEEDS_RECORDS = :katsu_needs_records
      private_constant :NEEDS_RECORDS

      # The relation with the columns that are read, and no others. With DISTINCT they decide which rows there are.
      # keys: columns that are read besides those of the selection.
      def self.narrowed(relation, selection, keys)
        names = selection.columns.names | keys
        return relation if relation.distinct_value || names.size == selection.model.columns_hash.size

        relation.select(*(names.empty? ? selection.model.columns_hash.keys.first(1) : names).map(&:to_sym))
      end

      def initialize(selection)
        @selection = selection
      end

      # Why the relation cannot be read in this way, as [[path, why, advice], ...]; empty if it can.
      def obstacles(relation)
        RelationChecks.obstacles(relation) + @selection.obstacles
      end

      # True if the driver's result is read without a Ruby object for each value.
      def driver?(relation)
        with_connection(relation.klass) { |connection| Drivers.available?(connection) }
      end

      # The Table of a relation without obstacles, or nil if its rows need records after all. keys: columns to read
      # besides.
      def load(relation, keys = [])
        LazyLoads.pause do
          catch(NEEDS_RECORDS) { table(relation, @selection, keys, Depth::NONE) }
        end
      end

      private

      # keys: columns that are read besides those of the selection.
      def table(relation, selection, keys, depth)
        result = select(Rows.narrowed(relation, selection, keys), selection.model)
        names = result ? result.columns : selection.model.columns_hash.keys
        table = Table.new(selection, names, result ? result.rows : [])
        throw NEEDS_RECORDS unless Subclasses.read_alike?(table, selection)

        selection.associations.each_value { |association| add_edge(table, selection, association, depth) }
        table
      end

      # nil if the relation is known to be empty.
      def select(relation, model)
        return if RelationChecks.empty?(relation)

        name = "#{model.name} Load"
        query = lambda do
          with_connection(model) do |connection|
            Drivers.select(connection, relation.arel, name) || connection.select_all(relation.arel, name)
          end
        end
        relation.skip_query_cache_value ? model.uncached(&query) : query.call
      end

      def with_connection(model, &block)
        model.respond_to?(:with_connection) ? model.with_connection(&block) : yield(model.connection)
      end

      def add_edge(table, selection, association, depth)
        steps = association.steps.select { |step| depth.allows?(step) }
        return if steps.empty? && association.needs.empty?

        reflection = association.reflection
        below = selection.below(association, steps)
        child_key = reflection.join_primary_key(below.model)
        deeper = steps.reduce(depth) { |inner, step| inner.below(step) }
        children = children(table, selection, association, below, child_key, deeper)
        key = reflection.join_foreign_key
        table.edges[association.name] = Edge.new(table, key, children, child_key, reflection.collection?)
      end

      # nil if no row has a key.
      def children(table, selection, association, below, child_key, depth)
        keys = table.keys(association.reflection.join_foreign_key).keys
        return if keys.empty?

        relation = Reflections.relation(selection.model, association.reflection, keys)
        throw NEEDS_RECORDS unless RelationChecks.obstacles(relation).empty? # a default scope may be another one now
        table(relation, below, [child_key], depth)
      end
    end
  end
end
