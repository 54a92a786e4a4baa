# frozen_string_literal: true

require_relative "table"
require_relative "edge"
require_relative "link"
require_relative "joined_records"
require_relative "key_query"
require_relative "relation_query"
require_relative "children"
require_relative "relation_checks"
require_relative "given_owner"
require_relative "order_text"
require_relative "drivers"

module Katsu
  module Query
    # Reads a relation as rows: one query for it, and one for each association that is read. Records are made
    # only of associations of which the plans need records.
    class Rows
      # Rows that turn out to be of a subclass that reads a column in its own way.
      NEEDS_RECORDS = :katsu_needs_records
      private_constant :NEEDS_RECORDS

      # The relation with the columns that are read, and no others. With DISTINCT they decide which rows there are, and
      # some orders may mean any of them.
      # keys: columns that are read besides those of the selection; more: what is selected besides.
      def self.narrowed(relation, selection, keys, more = [])
        names = selection.columns.names
        names |= keys unless keys.empty?
        all = relation.distinct_value || names.size == selection.model.columns_hash.size ||
              OrderText.all_columns?(relation) || replaced?(relation)
        return more.empty? ? relation : relation.select(*all_columns(selection.model), *more) if all

        relation.select(*(names.empty? ? selection.model.columns_hash.keys.first(1) : names).map(&:to_sym), *more)
      end

      # True if a CTE has the name of the table and is read instead of it. It may lack columns.
      def self.replaced?(relation)
        relation.values[:with].to_a.flat_map(&:keys).any? { |name| name.to_s == relation.klass.table_name }
      end

      # What ActiveRecord selects if nothing is named: no columns that the model ignores, and from ActiveRecord 8.1 on
      # none but its only_columns.
      def self.all_columns(model)
        named = !model.ignored_columns.empty? || model.enumerate_columns_in_select_statements ||
                (model.respond_to?(:only_columns) && !model.only_columns.empty?)
        named ? model.columns_hash.keys.map { |name| model.arel_table[name] } : [model.arel_table[::Arel.star]]
      end

      def initialize(selection, reading)
        @selection = selection
        @reading = reading
      end

      # Why the relation cannot be read in this way, as [[path, why, advice], ...]; empty if it can.
      def obstacles(relation)
        RelationChecks.obstacles(relation) + cache_obstacles + owner_obstacles(relation) + @selection.obstacles
      end

      # True if there are no obstacles. The plan's own are known already, so they come first. Those of its associations
      # come next: each time it is checked whether their models have changed.
      def readable?(relation)
        @selection.own_obstacles.empty? && @selection.obstacles.empty? && cache_obstacles.empty? &&
          RelationChecks.obstacles(relation).empty? && owner_obstacles(relation).empty?
      end

      # True if the driver's result is read without a Ruby object for each value.
      def driver?(relation)
        Drivers.with_connection(relation.klass) { |connection| Drivers.available?(connection) }
      end

      # The Table of a relation without obstacles, or nil if its rows need records after all. keys: columns to read
      # besides.
      def load(relation, keys = [])
        @uncached = relation.skip_query_cache_value
        @strict = relation.strict_loading_value
        LazyLoads.pause(@reading) do
          RelationChecks.uncached(relation) do
            attempt { table(relation, @selection, keys, Depth::NONE) { |table| give_owner(table, relation) } }
          end
        end
      end

      # The same of another relation and selection: of an association. key_types: of what is selected besides, by name.
      # The block is given the table before what is below it is read.
      def table(relation, selection, keys, depth, more = [], key_types = {})
        result = select(query(relation, selection, keys, more), selection.model)
        names = result ? result.columns : [*selection.model.columns_hash.keys, *key_types.keys]
        table = Table.new(selection, names, result ? result.rows : [], key_types)
        throw NEEDS_RECORDS unless table.complete?(keys) && Subclasses.read_alike?(table, selection)

        yield table if block_given?
        selection.associations.each_value do |association|
          next if table.edges.key?(association.name)

          edge = Children.new(self, @reading, table, selection, association, depth).edge
          table.edges[association.name] = edge if edge
        end
        table
      end

      # What the block returns; nil if it comes upon rows that need records.
      def attempt(&block)
        catch(NEEDS_RECORDS, &block)
      end

      # True if the records of associations load none themselves; see Preload.
      def strict? = @strict || false

      # Gives up rows for the table around.
      def give_up = throw(NEEDS_RECORDS)

      # The result of the relation's query; nil if it is known to be empty. A number that no column holds is found in no
      # row.
      def select(relation, model)
        return if RelationChecks.empty?(relation)

        name = "#{model.name} Load"
        query = relation.is_a?(KeptQuery) ? relation : relation.arel
        # Models of one document may have databases, and query caches, of their own.
        columns = columns_of(relation, model)
        result = @uncached ? model.uncached { ask(model, query, name, columns) } : ask(model, query, name, columns)
        result unless result.columns.empty?
      rescue ::RangeError
        nil
      end

      private

      # Of the relation with the columns that are read.
      def query(relation, selection, keys, more)
        return relation if relation.is_a?(KeptQuery)

        narrowed = -> { Rows.narrowed(relation, selection, keys, more) }
        (RelationQuery.of(relation, selection.statements, keys, &narrowed) if more.empty?) || narrowed.call
      end

      def give_owner(table, relation)
        owner = GivenOwner.of(relation, @selection) or return
        give_up unless owner.give(table, Preload.new(@reading, strict: strict?))
      end

      def ask(model, query, name, columns)
        Drivers.with_connection(model) do |connection|
          Drivers.select(connection, query, name, columns) || Drivers.select_all(connection, query, name)
        end
      end

      def owner_obstacles(relation)
        GivenOwner.of(relation, @selection)&.obstacles || []
      end

      # Those of the table. A CTE may have its name, and values of other types.
      def columns_of(relation, model)
        own = relation.is_a?(KeptQuery) || !relation.values.key?(:with)
        own ? model.columns_hash : {}
      end

      def cache_obstacles
        cached = @selection.cached
        cached ? [[nil, "#{cached.serializer} is cached, by the versions of records", nil]] : []
      end
    end
  end
end
