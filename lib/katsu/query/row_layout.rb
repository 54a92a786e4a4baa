# frozen_string_literal: true

require_relative "row"

module Katsu
  module Query
    # What is found out once about rows with the same columns: their positions, their types, and a class of Row.
    class RowLayout
      attr_reader :columns, :types, :row_class

      def initialize(selection, names)
        model = selection.model
        @columns = names.each_with_index.to_h.freeze
        known = model.attribute_types
        @types = @columns.to_h { |name, _| [name, known.fetch(name)] }.freeze
        @row_class = Row.for(model, @columns, @types, selection.associations.keys)
      end
    end
  end
end
