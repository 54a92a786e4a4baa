# frozen_string_literal: true

module Katsu
  module Query
    # The columns of a model that are read, in the table's order.
    class Columns
      def initialize(model)
        @model = model
        @known = model.columns_hash
        @names = {}
      end

      # Adds a column, or the columns of a composite key. False if there is none of that name.
      def add(name)
        return name.map { |part| add(part) }.all? if name.is_a?(Array)
        return false unless name && @known.key?(name.to_s)

        @names[name.to_s] = true
      end

      def names
        @known.each_key.select { |name| @names.key?(name) }
      end

      # True if a query has to name the columns, as it needs fewer than all.
      def fewer?
        @names.size < @known.size
      end
    end
  end
end
