# frozen_string_literal: true

module Katsu
  module Query
    # The objects of an association of a Row: an Array that nobody changes. What a relation answers from the database,
    # or by another meaning of the same method, is refused.
    class RowCollection < ::Array
      # name: the association's. row_class: the class of the Row that has it.
      def initialize(objects, name, row_class)
        super(objects)
        @name = name
        @row_class = row_class
        freeze
      end

      # Of a relation: the number of rows that have a value in a column.
      def count(*column) = column.empty? ? super : refuse(:count)

      # Of a relation: by the primary key.
      def find(*keys) = keys.empty? || block_given? ? super : refuse(:find)

      # Of a relation, without a number: one object.
      def take(*number) = number.empty? ? first : super

      # Of a relation: of a column.
      def sum(*column) = column?(column.first) && !block_given? ? refuse(:sum) : super

      # Of a relation: as the database orders the values of a column, without NULL.
      def minimum(*) = refuse(:minimum)
      def maximum(*) = refuse(:maximum)

      # Of a relation: by the database, behind the orders that it has.
      def in_order_of(*) = refuse(:in_order_of)

      # Of a relation: with other columns.
      def select(*columns) = columns.empty? ? super : refuse(:select)

      private

      def column?(name) = name.is_a?(::Symbol) || name.is_a?(::String)

      def method_missing(name, *)
        refuse(name)
      end

      # Raises NoMethodError for what a collection of records does not answer either.
      def refuse(name)
        known = ::ActiveRecord::Associations::CollectionProxy.method_defined?(name) || model.respond_to?(name)
        raise NeedsError.new(name, @row_class.model, @row_class.known, @name) if known

        raise NoMethodError.new("undefined method '#{name}' for the #{@name} of a #{@row_class.model}", name,
                                receiver: self)
      end

      def model = Source::RecordSource.reflection(@row_class.model, @name).klass
    end
  end
end
