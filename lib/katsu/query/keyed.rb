# frozen_string_literal: true

module Katsu
  module Query
    # The contents of a document of many objects that is written as a Hash, each object under its own key.
    class Keyed
      # contents: a Collection and its like. key: a Serializer::ObjectKey.
      def initialize(contents, key)
        @contents = contents
        @key = key
        @plan = Plan::Keyed.new(contents.reading.plan, key)
      end

      def reading = @contents.reading
      def single? = false
      def chunked? = @contents.chunked?

      # See Document. Rows or objects of a relation are loaded before the first is written.
      def generate = read { |objects| @plan.generate_all(objects, reading.context, reading.scope) }
      def build = read { |objects| @plan.build_all(objects, reading.context, reading.scope) }

      def write(io)
        read { |objects| @plan.write_all(objects, reading.context, reading.scope, io) }
      end

      # Raises ArgumentError: lines have no keys.
      def write_lines(_io)
        raise ArgumentError, "#{reading.serializer}: format: :ndjson writes an object a line, and by: one Hash of " \
                             "all; leave one of them out"
      end

      def description = "#{@contents.description}, by #{@key.inspect}"

      # For Explanation.
      def obstacles = relation && column.nil? ? [*@contents.obstacles, [nil, *Reasons::KEYED]] : @contents.obstacles
      def way = relation && column.nil? ? :records : @contents.way
      def driver? = way == :rows && @contents.driver?
      def key_columns = relation ? [*column] : []
      def model = @contents.model
      def relation = @contents.relation
      def known_size = @contents.known_size
      def first = @contents.first

      # The name by which objects are written, for versions; nil if that is Ruby code.
      def version = @key.name

      private

      # Yields rows, or records and other objects.
      def read(&)
        objects = rows || @contents.objects
        LazyLoads.watch(reading) { yield objects }
      end

      # A Table, of the ruby backend the objects of its rows; nil if records are needed. A row may name a subclass that
      # was not loaded before.
      def rows
        key = column if relation
        table = @contents.table([key]) if key
        return unless table && column == key

        reading.tables? ? table : table.row_objects
      end

      # The column of the relation's model that the key is, or nil.
      def column = @key.column(reading.plan, model)
    end
  end
end
