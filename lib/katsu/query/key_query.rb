# frozen_string_literal: true

require_relative "kept_query"
require_relative "key_statement"

module Katsu
  module Query
    # The query for a model's rows whose column has one of the keys. ActiveRecord builds it once; later calls get a copy
    # with their own keys, as building it takes as long as writing a page.
    class KeyQuery < KeptQuery
      # table: the model's when the query was built; arel: the query without its keys; attribute: the column, or nil if
      # the query cannot be used again; prepared, unprepared: a KeyStatement or nil by a connection's class.
      Kept = Struct.new(:table, :arel, :attribute, :prepared, :unprepared)
      private_constant :Kept

      class << self
        # Returns the KeyQuery, or nil if the relation has to be built: if there is a scope, if there is one key (for
        # which ActiveRecord writes no list), or if the keys are neither all Integers nor all Strings.
        #
        # scope: the model's. name: the key's column. kept: a Hash in which queries are kept, by the key's column. The
        # block gives the relation with these keys and the columns that are read.
        def of(scope, keys, name, kept)
          return unless scope.values.empty? && keys.size > 1 && alike?(keys)

          found = kept[name]
          found = kept[name] = new_kept(scope, keys, yield) unless found && found.table.equal?(scope.table)
          new(found, keys) if found.attribute
        end

        private

        # ActiveRecord writes keys of other classes in other ways.
        def alike?(keys)
          keys.all?(::Integer) || keys.all?(::String)
        end

        # True if nobody but ActiveRecord decides what the query has.
        def own?(scope) = Source::ReaderPatches.own?(scope.method(:build_arel))

        # attribute is nil if the only condition is not the list of keys.
        def new_kept(scope, keys, relation)
          arel = relation.arel
          core = arel.ast.cores.size == 1 && own?(scope) ? arel.ast.cores[0] : nil
          list = core.wheres[0] if core && core.wheres.size == 1
          known = ::Arel::Nodes::HomogeneousIn === list && list.type == :in && list.values == keys
          core.wheres.clear if known
          Kept.new(scope.table, arel, (list.attribute if known), {}, {}).freeze
        end
      end

      def initialize(kept, keys)
        @kept = kept
        @keys = keys
      end

      def arel = arel_of(@keys)

      # What the connection's to_sql_and_binds gives for it. prepared: whether the connection prepares statements.
      def statement(connection, prepared = connection.prepared_statements)
        max_binds = prepared ? connection.send(:bind_params_length) : 0
        known = @keys.size > max_binds ? unprepared_list(connection) : prepared_list(connection)
        known&.for(@keys, max_binds) || connection.send(:to_sql_and_binds, arel)
      end

      private

      def prepared_list(connection)
        @kept.prepared.fetch(connection.class) { |klass| @kept.prepared[klass] = known(connection) }
      end

      # Strings are quoted by ActiveRecord. The keys stand in the SQL too if they are more than a statement may have.
      def unprepared_list(connection)
        return unless @keys[0].is_a?(::Integer)

        @kept.unprepared.fetch(connection.class) do |klass|
          @kept.unprepared[klass] = connection.unprepared_statement { known(connection) }
        end
      end

      def known(connection)
        KeyStatement.of(connection, @kept.attribute, @keys) { |keys| arel_of(keys) }
      end

      def arel_of(keys)
        @kept.arel.dup.tap do |arel|
          arel.ast.cores[0].wheres << ::Arel::Nodes::HomogeneousIn.new(keys, @kept.attribute, :in)
        end
      end
    end
  end
end
