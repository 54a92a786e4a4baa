# frozen_string_literal: true

require_relative "kept_query"
require_relative "relation_outline"
require_relative "relation_statement"

module Katsu
  module Query
    # The query of a relation. Its SQL is kept by the RelationOutline, as building and writing it takes ActiveRecord a
    # tenth to a fifth of the time of a page.
    class RelationQuery < KeptQuery
      # The limit of the BoundedCache of one Selection.
      LIMIT = 32
      # What is kept of an outline without a statement. MET: it was met once. To make a statement takes longer than to
      # write the SQL, so it is made the second time. UNKEPT: no statement can be made.
      MET = :met
      UNKEPT = :unkept
      private_constant :MET, :UNKEPT

      # Returns the RelationQuery, or nil if the relation has a part that is not known.
      #
      # kept: where statements are kept; see new_kept. columns: what decides which columns are read, besides the
      # relation. The block gives the relation with these columns.
      def self.of(relation, kept, columns, &narrowed)
        return unless Ractors.main? && (outline = RelationOutline.of(relation))

        new(outline, kept, columns, relation.klass.enumerate_columns_in_select_statements, narrowed)
      end

      # Where the statements of one Selection are kept.
      def self.new_kept = BoundedCache.new(LIMIT, identity: false)

      # all: what ActiveRecord's setting says of queries that name no columns.
      def initialize(outline, kept, columns, all, narrowed)
        @outline = outline
        @kept = kept
        @columns = columns
        @all = all
        @narrowed = narrowed
      end

      def arel = @narrowed.call.arel

      # What the connection's to_sql_and_binds gives for it. prepared: whether the connection prepares statements.
      def statement(connection, prepared = connection.prepared_statements)
        key = [connection.class, prepared, @columns, @all, @outline.key]
        found = @kept[key]
        return found.for(connection, @outline) if RelationStatement === found

        written = connection.send(:to_sql_and_binds, arel = self.arel)
        return written if found == UNKEPT

        @kept[key] = found ? RelationStatement.of(connection, @outline, arel, written) || UNKEPT : MET
        written
      end
    end
  end
end
