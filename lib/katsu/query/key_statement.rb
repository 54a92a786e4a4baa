# frozen_string_literal: true

require_relative "placeholders"

module Katsu
  module Query
    # The SQL of a KeyQuery, as ActiveRecord writes it for connections of one class. What stands around the list of keys
    # is kept, and later lists are put between: writing it all takes ActiveRecord as long as reading a page.
    class KeyStatement
      # What decides what an Integer is in the database.
      DECIDING = %i[serialize serializable? cast cast_value out_of_range?].freeze
      private_constant :DECIDING

      class << self
        # The KeyStatement, or nil if ActiveRecord writes lists in another way than the one that is known here.
        #
        # attribute: the key's column. The block gives the query with the keys that it is given.
        def of(connection, attribute, keys)
          return unless KeptQuery.own?(connection)

          lists = [keys, [*keys, keys[0]]]
          written = lists.map { |list| connection.send(:to_sql_and_binds, yield(list)) }
          styles = connection.prepared_statements ? Placeholders::STYLES : [nil]
          styles.each do |placeholders|
            found = between(attribute, placeholders, keys, written[0])
            return found if found && lists.map { |list| found.for(list) } == written
          end
          nil
        end

        private

        # Of the SQL in which the list stands once.
        def between(attribute, placeholders, keys, statement)
          sql, _, *more = statement
          list = new(attribute, placeholders, "(", ")", more).for(keys)&.first
          at = sql.index(list) if list
          new(attribute, placeholders, sql[0..at], sql[(at + list.size - 1)..], more) if at && at == sql.rindex(list)
        end
      end

      # placeholders: nil if the keys stand in the SQL. before, after: the SQL around the list. more: what
      # to_sql_and_binds gives after the SQL and the binds.
      def initialize(attribute, placeholders, before, after, more)
        @placeholders = placeholders
        @before = before.freeze
        @after = after.freeze
        @more = more
        @attribute = attribute
        @type = attribute.type_caster
        @integers = integers?
        bind = list_of([]).proc_for_binds.call(nil)
        @name = bind.name
        @bind_type = bind.type
      end

      # What to_sql_and_binds gives for the query with these keys; nil if it has to be called. max_binds: how many binds
      # a statement may have; if there are more keys, they stand in the SQL.
      def for(keys, max_binds = @placeholders ? keys.size : 0)
        values = values(keys)
        return if values.empty? || (values.size > max_binds) != @placeholders.nil? || !(list = list(values))

        ["#{@before}#{list}#{@after}".freeze, @placeholders ? binds(values) : [], *@more]
      end

      private

      # As HomogeneousIn makes them.
      def binds(values)
        values.map { |value| ::ActiveModel::Attribute.with_cast_value(@name, value, @bind_type) }
      end

      # What stands between the brackets; nil if ActiveRecord has to quote it.
      def list(values)
        return @placeholders.list(values.size) if @placeholders

        (Native.key_list(values) if defined?(Native)) || (values.join(", ") if values.all?(::Integer))
      end

      def list_of(keys) = ::Arel::Nodes::HomogeneousIn.new(keys, @attribute, :in)

      # The keys as the database has them, without those that the column does not hold.
      def values(keys)
        return keys if @integers && ::Integer === keys[0] && keys.minmax.all? { |key| @type.serializable?(key) }

        list_of(keys).casted_values
      end

      # True if the type has Integers as they are, from a smallest to a greatest one.
      def integers?
        DECIDING.all? do |name|
          owner = @type.class.instance_method(name).owner
          [::ActiveModel::Type::Integer, ::ActiveModel::Type::Helpers::Numeric].include?(owner)
        end
      rescue ::NameError
        false
      end
    end
  end
end
