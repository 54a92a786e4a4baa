# frozen_string_literal: true

module Katsu
  module Query
    # A query whose SQL is kept for later ones. Rows reads it as it reads a relation whose columns are named.
    class KeptQuery
      # The methods of ActiveRecord's visitors that write such queries. Libraries that have tenants put conditions
      # there, which may be other ones each time.
      WRITING = %i[
        compile accept visit visit_Arel_Nodes_SelectStatement visit_Arel_Nodes_SelectCore visit_Arel_Nodes_JoinSource
        visit_Arel_Nodes_HomogeneousIn visit_Arel_Table visit_Arel_Attributes_Attribute visit_Arel_Nodes_And
        visit_Arel_Nodes_Equality visit_Arel_Nodes_NotEqual visit_Arel_Nodes_LessThan visit_Arel_Nodes_LessThanOrEqual
        visit_Arel_Nodes_GreaterThan visit_Arel_Nodes_GreaterThanOrEqual visit_Arel_Nodes_Ascending
        visit_Arel_Nodes_Descending visit_Arel_Nodes_SqlLiteral visit_Arel_Nodes_Limit visit_Arel_Nodes_Offset
        visit_ActiveModel_Attribute quote_table_name
      ].freeze
      private_constant :WRITING

      # True if nobody but ActiveRecord writes the SQL of the connection.
      def self.own?(connection)
        visitor = connection.visitor
        [connection.method(:to_sql_and_binds), *WRITING.map { |name| visitor.method(name) }].all? do |method|
          Source::ReaderPatches.own?(method)
        end
      rescue ::NameError
        false
      end

      # As a relation answers.
      def null_relation? = false
    end
  end
end
