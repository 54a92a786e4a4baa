# frozen_string_literal: true

module Katsu
  module Query
    # What the SQL of a relation depends on, without the values that it binds. Relations of one outline have one SQL
    # but for these values.
    #
    # Known are the parts that pages have: conditions on columns of the model, orders, LIMIT and OFFSET.
    class RelationOutline
      # Parts that change no SQL.
      SILENT = {preload: true, strict_loading: true, readonly: true, reordering: true, skip_query_cache: true,
                create_with: true, unscope: true}.freeze
      BUILDERS = %i[arel build_arel].freeze
      private_constant :SILENT, :BUILDERS

      # key: equal for relations of one outline; what it holds never changes. binds: the values of the conditions, as
      # ActiveRecord has them, in the order of the conditions. limit, offset: Integers or nil.
      attr_reader :key, :binds, :limit, :offset

      # The RelationOutline, or nil if the relation has a part that is not known.
      def self.of(relation)
        table = relation.klass.arel_table
        return unless relation.table.equal?(table) && !relation.null_relation?

        outline = new(table)
        outline if outline.read(relation.values) && !RelationChecks.overridden?(relation, BUILDERS)
      rescue ::RangeError # ActiveRecord meets it again when it makes the query
        nil
      end

      def initialize(table)
        @table = table
        @key = [frozen(table.name)]
        @binds = []
      end

      # Whether all is known. values: of the relation.
      def read(values)
        values.all? do |name, value|
          next true if SILENT.key?(name)

          @key << name
          case name
          when :where then value.send(:predicates).all? { |condition| condition?(condition) }
          when :order then value.all? { |order| order?(order) }
          when :limit then ::Integer === (@limit = value)
          when :offset then ::Integer === (@offset = value)
          when :select then value.all? { |column| column?(column) }
          end
        end
      end

      private

      def condition?(condition)
        value = condition.right if compares?(condition)
        return false unless ::ActiveRecord::Relation::QueryAttribute === value && attribute?(condition.left)
        return false if value.unboundable? || value.infinite?

        null = value.nil?
        @binds << value unless null
        @key << condition.class << null
      end

      def compares?(condition)
        case condition
        when ::Arel::Nodes::Equality, ::Arel::Nodes::NotEqual, ::Arel::Nodes::LessThan, ::Arel::Nodes::LessThanOrEqual,
             ::Arel::Nodes::GreaterThan, ::Arel::Nodes::GreaterThanOrEqual
          true
        end
      end

      def order?(order)
        return @key << frozen(order) if order.instance_of?(::String)

        @key << order.class
        ::Arel::Nodes::Ordering === order && attribute?(order.expr)
      end

      # In the key a Symbol is the name of a part, and a column may be called limit.
      def column?(name)
        @key << name.name if ::Symbol === name
      end

      def attribute?(attribute)
        return false unless ::Arel::Attributes::Attribute === attribute && attribute.relation.equal?(@table)

        @key << frozen(attribute.name)
      end

      # A name, or SQL.
      def frozen(text) = text.frozen? ? text : text.dup.freeze
    end
  end
end
