# frozen_string_literal: true

module Katsu
  module Query
    # Orders that are SQL text. A position (3) counts the columns that the query selects, and a name that several tables
    # have is that of a selected column. So such a query has to select what ActiveRecord selects.
    module OrderText
      NAME = /(?:\w+|"[^"]+"|`[^`]+`)/
      COLUMN = /\s*#{NAME}\.(?:#{NAME}\.)?#{NAME}(?:\s+(?:asc|desc))?\s*/i
      COLUMNS = /\A#{COLUMN}(?:,#{COLUMN})*\z/
      # The end of a function's name, and its arguments.
      CALL = /\w\s*\([^()'"`]*\)/
      # A comment may stand before a position.
      POSITION = %r{(?:\A|,)[\s(+-]*\d|--|/\*|#}
      JOINS = %i[joins left_outer_joins].freeze
      private_constant :NAME, :COLUMN, :COLUMNS, :CALL, :POSITION, :JOINS

      class << self
        # True if an order may mean any of the columns that the relation selects.
        def all_columns?(relation)
          orders = relation.order_values.map { |order| without_direction(order) }
          orders.reject! { |order| ::Arel::Attributes::Attribute === order }
          return false if orders.empty?
          return orders.any? { |order| !columns?(order) } unless (RelationChecks.parts(relation) & JOINS).empty?

          orders.any? { |order| position?(order) }
        end

        private

        def without_direction(order)
          order = order.expr while ::Arel::Nodes::Unary === order
          order
        end

        # True of table.column and lists of them.
        def columns?(order) = ::String === order && COLUMNS.match?(order)

        def position?(order)
          case order
          when ::String then POSITION.match?(order.gsub(CALL, ""))
          when ::Arel::Nodes::Function, ::Arel::Nodes::Case then false
          else true
          end
        end
      end
    end
  end
end
