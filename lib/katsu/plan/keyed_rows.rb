# frozen_string_literal: true

require_relative "keyed"

module Katsu
  class Plan
    # A Keyed for the rows of a Query::Table, which only the native backend writes. The key is a column.
    class KeyedRows < Keyed
      # column: its name.
      def initialize(plan, key, column)
        super(plan, key)
        @column = column
      end

      private

      # {key => number of the row}
      def pairs(table, _context, _scope, _instances) = @key.numbers(table.values(@column))

      # Each call finds the children of all rows, so it is one for all.
      def each_batch(table, pairs, context, scope, _instances, &)
        keys = pairs.keys
        texts = placed(keys) { @plan.row_texts(table, pairs.values, context, scope) }
        keys.each_slice(Limits::BATCH).zip(texts.each_slice(Limits::BATCH)).each(&)
      end

      def hashes(table, numbers, context, scope, _instances) = @plan.build_rows(table, numbers, context, scope)
    end
  end
end
