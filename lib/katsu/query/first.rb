# frozen_string_literal: true

require_relative "single"

module Katsu
  module Query
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
          record = LazyLoads.pause(@reading) { @source.take }
          @reading.preload([record]) if record
          record
        end
      end
    end
  end
end
