# frozen_string_literal: true

module Katsu
  module Query
    # The query for the rows of a model whose column has one of some keys, as ActiveRecord has once built it, with other
    # keys in their place: to build it takes as long as to write a page. ActiveRecord makes the SQL of it each time.
    class KeyQuery
      # What is kept of a query. table: the model's, of which the query is.
      Kept = Struct.new(:table, :arel, :attribute)
      private_constant :Kept

      class << self
        # Of the scope of a model, narrowed to columns by the block's relation. Returns nil if the query may be another
        # one the next time, or is one of another form: of one key it has no list.
        #
        # kept: a Hash for what is kept, of the columns that are read.
        def of(scope, keys, name, kept)
          return unless scope.values.empty? && keys.size > 1 && alike?(keys)

          found = kept[name]
          found = kept[name] = new_kept(scope, keys, yield) unless found && found.table.equal?(scope.arel_table)
          new(found, keys) if found.attribute
        end

        private

        # True if the list of the keys is of values that have no form of their own.
        def alike?(keys)
          keys.all?(::Integer) || keys.all?(::String)
        end

        # Without an attribute if the keys do not stand in the query as they are expected to.
        def new_kept(scope, keys, relation)
          arel = relation.arel
          core = arel.ast.cores.size == 1 ? arel.ast.cores[0] : nil
          list = core.wheres[0] if core && core.wheres.size == 1
          known = ::Arel::Nodes::HomogeneousIn === list && list.type == :in && list.values == keys
          core.wheres.clear if known
          Kept.new(scope.arel_table, arel, (list.attribute if known)).freeze
        end
      end

      def initialize(kept, keys)
        @kept = kept
        @keys = keys
      end

      # As a relation answers.
      def null_relation? = false

      def arel
        @kept.arel.dup.tap do |arel|
          arel.ast.cores[0].wheres << ::Arel::Nodes::HomogeneousIn.new(@keys, @kept.attribute, :in)
        end
      end
    end
  end
end
