# frozen_string_literal: true

module Katsu
  module Query
    # The contents of a document of many objects that is written as a Hash, each object under its own key.
    class Keyed
      # contents: a Collection and its like. key: a Serializer::ObjectKey.
      def initialize(contents, key)
        @contents = contents
        @key = key
      end

      def reading = @contents.reading
      def single? = false
      def chunked? = @contents.chunked?

      # See Document. Rows or objects of a relation are loaded before the first is written.
      def generate = read { |plan, objects| plan.generate_all(objects, reading.context, reading.scope) }
      def build = read { |plan, objects| plan.build_all(objects, reading.context, reading.scope) }

      def write(io)
        read { |plan, objects| plan.write_all(objects, reading.context, reading.scope, io) }
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

      # Yields the plan and what it writes.
      def read
        plan, objects = rows || [Plan::Keyed.new(reading.plan, @key), @contents.objects]
        LazyLoads.watch(reading) { yield plan, objects }
      end

      # Of the rows; nil if records are needed.
      def rows
        name = column if relation
        table = @contents.table([name]) if name
        return unless table && Subclasses.of(table).all? { |klass| @key.column(reading.plan, klass) == name }

        return [Plan::KeyedRows.new(reading.plan, @key, name), table] if reading.tables?

        [Plan::Keyed.new(reading.plan, @key), table.row_objects]
      end

      # The column of the relation's model that the key is, or nil.
      def column = @key.column(reading.plan, model)
    end
  end
end
