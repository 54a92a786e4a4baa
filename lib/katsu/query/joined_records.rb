# frozen_string_literal: true

module Katsu
  module Query
    # The records of an association through others, with the keys of their owners, by one query.
    #
    # ActiveRecord's preloader makes a query for each association on the way and puts them together in Ruby: of some
    # scopes in another order than the association's reader.
    class JoinedRecords
      # link: of such an association. keys: see Link#relation.
      def initialize(rows, link, keys)
        @rows = rows
        @link = link
        @klass = link.reflection.klass
        @keys = keys
      end

      # [[tuple, record], ...]. A record of several owners is one object, as ActiveRecord's preloader has it.
      def pairs
        table = self.table
        records = instrument(table) { records(table) }
        records.empty? ? [] : table.tuples(@link.child_keys(@klass)).zip(records)
      end

      private

      # The keys stand in the result and are no part of the records.
      def table
        relation, more = @link.relation(@klass, @keys)
        result = @rows.select(relation.select(*Rows.all_columns(@klass), *more), @klass)
        Table.new(Selection.new([], [], @klass), result ? result.columns : [], result ? result.rows : [],
                  @link.key_types(@klass))
      end

      def records(table)
        names = Array(@klass.primary_key)
        return Array.new(table.size) { |index| table.record(index) } if names.empty? || table.size.zero?

        made = {}
        table.tuples(names).each_with_index.map { |key, index| made.fetch(key) { made[key] = table.record(index) } }
      end

      def instrument(table, &block)
        payload = {record_count: table.size, class_name: @klass.name}
        ::ActiveSupport::Notifications.instrument("instantiation.active_record", payload, &block)
      end
    end
  end
end
