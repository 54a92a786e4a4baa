# frozen_string_literal: true

module Katsu
  module Query
    # The SQL of the relations of one RelationOutline, as ActiveRecord writes it for connections of one class.
    class RelationStatement
      ADAPTERS = %w[PostgreSQL PostGIS SQLite Mysql2 Trilogy].freeze
      # The values of a relation that are no conditions, by the names that ActiveRecord gives them.
      PARTS = {"LIMIT" => :limit, "OFFSET" => :offset}.freeze
      private_constant :ADAPTERS, :PARTS

      # The RelationStatement, or nil if it does not give what ActiveRecord has written. arel: of a relation of the
      # outline. written: what to_sql_and_binds gave for it.
      def self.of(connection, outline, arel, written)
        return unless ADAPTERS.include?(connection.adapter_name) && KeptQuery.own?(connection)

        query, values = connection.cacheable_query(::ActiveRecord::StatementCache, arel)
        sources = values.map { |value| source(value, outline) }
        return unless sources.grep(::Integer) == [*0...outline.binds.size] && sources.all?

        query = nil if connection.prepared_statements
        found = new(written[0], query, sources, written.drop(2))
        found if found.for(connection, outline) == written
      end

      # What gives the value: the number of a condition, or [:limit or :offset, the Attribute that ActiveRecord makes of
      # it]; nil if nothing does.
      def self.source(value, outline)
        condition = outline.binds.index { |bind| bind.equal?(value) }
        return condition if condition

        part = PARTS[value.name] if ::ActiveModel::Attribute === value
        [part, value] if part && value.value == outline.public_send(part)
      end
      private_class_method :source

      # query: of ActiveRecord's StatementCache, into whose SQL values are put; nil if they are bound. more: what
      # to_sql_and_binds gives after the SQL and the binds.
      def initialize(sql, query, sources, more)
        @sql = sql
        @query = query
        @sources = sources
        @more = more
      end

      # What to_sql_and_binds gives for a relation of that outline.
      def for(connection, outline)
        values = @sources.map do |source, attribute|
          attribute ? attribute.with_cast_value(outline.public_send(source)) : outline.binds[source]
        end
        @query ? [@query.sql_for(values, connection).freeze, [], *@more] : [@sql, values, *@more]
      end
    end
  end
end
