# frozen_string_literal: true

module Katsu
  module Query
    # One object that is given.
    class Single
      attr_reader :reading

      def initialize(reading, source)
        @reading = reading
        @source = source
      end

      def single? = true
      def chunked? = false

      def generate = @reading.generate(object)
      def build = @reading.build(object)

      def write(io)
        FullWrite.call(io, generate)
      end

      def write_lines(io)
        Lines.new(io).tap { |lines| lines << generate }.finish
      end

      def description
        ::Kernel.instance_method(:class).bind_call(@source)
      end

      # For Explanation.
      def obstacles = []
      def way = model ? :records : :objects
      def driver? = false
      def relation = nil
      def key_columns = []
      def known_size = nil == @source ? 0 : 1
      def first = @source

      # The model of the record.
      def model
        @source.class if Query.record?(@source)
      end

      private

      def object
        @reading.preload([@source]) if Query.record?(@source)
        @source
      end
    end

    # The first record of a relation, as take finds it; nil if there is none.
    class First < Single
      def description
        "the first of #{@source.klass}"
      end

      def obstacles = reader.obstacles(relation)
      def way = obstacles.empty? ? :rows : :records
      def driver? = reader.driver?(relation)
      def model = @source.klass
      def known_size = nil

      def generate
        table = table()
        return super unless table

        table.size.zero? ? "null" : Place.alone { @reading.generate_table(table) }[1...-1]
      end

      def build
        table = table()
        table ? Place.alone { @reading.build_table(table) }.first : super
      end

      # A relation that is loaded makes no query. With a limit it would no longer be the association of its owner.
      def relation
        @source.loaded? || RelationChecks.of_owner(@source) ? @source : @source.limit(1)
      end

      private

      def reader
        Rows.new(Selection.of(@reading.plan, @source.klass), @reading)
      end

      # nil if a record is needed.
      def table
        found = reader
        found.load(relation) if found.readable?(relation)
      end

      def object
        RelationChecks.uncached(@source) do
          record = LazyLoads.pause { @source.take }
          @reading.preload([record]) if record
          record
        end
      end
    end
  end
end
