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

        table.size.zero? ? +"null" : Place.alone { @reading.generate_table(table) }[1...-1]
      end

      def build
        table = table()
        table ? Place.alone { @reading.build_table(table) }.first : super
      end

      # A relation that is loaded makes no query. With a limit it would no longer be the association of its owner.
      def relation
        whole = @source.loaded? || RelationChecks.of_owner(@source) || RelationChecks.separate?(@source)
        whole ? @source : @source.limit(1)
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

      # ActiveRecord's take is an error of an association with disable_joins.
      def take(relation) = RelationChecks.separate?(relation) ? relation.to_a.first : relation.take

      def object
        RelationChecks.uncached(@source) do
          record = LazyLoads.pause(@reading) { take(RelationChecks.anew(@source)) }
          @reading.preload([record], strict: @source.strict_loading_value) if record
          record
        end
      end
    end
  end
end
