# frozen_string_literal: true

require_relative "collection"

module Katsu
  module Query
    # An ActiveRecord relation: read as rows if its query and the plan allow it, otherwise as records.
    class Relation < Collection
      # In the order of the primary key, as many records at a time.
      BATCH = 1000
      private_constant :BATCH

      # A relation is not asked for its size, which may be a query.
      def chunked?
        !@source.loaded? || super
      end

      def generate
        table = rows
        table ? @reading.generate_table(table) : super
      end

      def build
        table = rows
        table ? @reading.build_table(table) : super
      end

      def write(io)
        return @reading.write_all(stream, io) if batches?

        table = rows
        table ? @reading.write_table(table, io) : super
      end

      def write_lines(io)
        return @reading.write_lines(stream, io) if batches?

        table = rows
        table ? @reading.write_table(table, io, lines: true) : super
      end

      def description
        @source.loaded? ? "#{@source.size} loaded #{@source.klass}" : "a relation of #{@source.klass}"
      end

      # For Explanation: why records are made, as [[path, why, advice], ...], empty if they are not; and what is read.
      def obstacles = reader.obstacles(@source)
      def way = obstacles.empty? ? :rows : :records
      def driver? = reader.driver?(@source)
      def model = @source.klass
      def relation = @source

      def known_size
        @source.size if @source.loaded?
      end

      private

      def reader
        Rows.new(Selection.of(@reading.plan, @source.klass))
      end

      # The Table, or nil if records are needed.
      def rows
        found = reader
        found.load(@source) if found.obstacles(@source).empty?
      end

      def objects
        @reading.preload(LazyLoads.pause { @source.to_a })
      end

      # True if reading it in batches gives the same records in an order that is as good as any.
      def batches?
        return false if @source.loaded? || !@source.klass.primary_key.is_a?(String)

        (@source.values.keys & %i[order limit offset group distinct from lock reordering]).empty?
      end

      def stream
        Stream.new(Enumerator.new { |elements| each_batch { |objects| objects.each { |object| elements << object } } })
      end

      # Row objects or records, as many at a time.
      def each_batch
        reader = self.reader
        reader = nil unless reader.obstacles(@source).empty?
        key = @source.klass.primary_key
        relation = @source.reorder(key => :asc).limit(BATCH)
        last = nil
        loop do
          objects, last = batch(reader, last ? relation.where(@source.klass.arel_table[key].gt(last)) : relation, key)
          yield objects
          break if objects.size < BATCH
        end
      end

      # [objects, the last one's key]
      def batch(reader, relation, key)
        table = reader&.load(relation, [key])
        return [table.row_objects, table.keys(key).keys.last] if table

        records = @reading.preload(LazyLoads.pause { relation.to_a })
        [records, records.last&._read_attribute(key)]
      end
    end
  end
end
