# frozen_string_literal: true

require_relative "row"

module Katsu
  module Query
    # What is found out once about rows with the same columns: their positions, their types, and classes of Row.
    class RowLayout
      # record_columns: the positions of those that a record has.
      attr_reader :columns, :types, :record_columns

      # The column that names the class of a row, or nil.
      attr_reader :class_column

      # key_types: of columns that are no part of the record, such as an association's key, by name.
      def initialize(selection, names, key_types)
        @model = selection.model
        @columns = names.each_with_index.to_h.freeze
        # A column may have been added to the table since the model's were read.
        @types = @columns.to_h { |name, _| [name, key_types[name] || @model.type_for_attribute(name)] }.freeze
        @record_columns = @columns.except(*key_types.keys).freeze
        @associations = selection.associations.keys
        @classes = {}
        @cast_numbers = {}
        @integers = {}
        @class_column = inheritance
        @complete = (selection.columns.names - names).empty?
      end

      # The number of a column's cast. A change of the casts makes another Selection, and so another layout.
      def cast_number(name)
        @cast_numbers[name] ||= Cast.number(@types.fetch(name))
      end

      # True if the column's type gives an Integer as it is.
      def integers?(name)
        @integers.fetch(name) do
          @integers[name] = @types.fetch(name).method(:deserialize).owner == ::ActiveModel::Type::Integer
        end
      end

      # False if the table has lost a column that is read.
      def complete? = @complete

      # The class of Row for a row of these values: of the model, or of the subclass that they name.
      def row_class(values)
        name = @class_column ? @types.fetch(@class_column).deserialize(values[@columns.fetch(@class_column)]) : nil
        @classes[name] ||= Row.for(model_of(name), @record_columns, @types, @associations)
      end

      # For a subclass that another class has replaced.
      def forget_classes
        @classes.clear
      end

      private

      def inheritance
        column = @model.inheritance_column
        column if column && @model.columns_hash.key?(column) && @columns.key?(column)
      end

      def model_of(name)
        name.to_s.empty? ? @model : @model.sti_class_for(name)
      end
    end
  end
end
