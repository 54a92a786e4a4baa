# frozen_string_literal: true

require_relative "collection"
require_relative "loading"

module Katsu
  module Query
    # An ActiveRecord relation: read as rows if its query and the plan allow it, otherwise as records.
    class Relation < Collection
      # Parts of a query that order its rows, or give several rows the same key, which a batch might end between.
      UNBATCHED = %i[order limit offset group distinct from lock reordering joins left_outer_joins with].freeze
      private_constant :UNBATCHED

      # A relation is not asked for its size, which may be a query.
      def chunked?
        !@source.loaded? || super
      end

      def generate
        table = table()
        table ? @reading.generate_table(table) : super
      end

      def build
        table = table()
        table ? @reading.build_table(table) : super
      end

      def write(io)
        return write_batches(io) if batches?

        table = table()
        table ? @reading.write_table(table, io) : super
      end

      def write_lines(io)
        return write_line_batches(io) if batches?

        table = table()
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

      # Of rows: how many they were when they were last read.
      def known_size
        @source.loaded? ? @source.size : @rows_read
      end

      def objects
        RelationChecks.uncached(@source) do
          records = LazyLoads.pause(@reading) { Loading.records(@source) { selection } }
          @rows_read = records.size
          @reading.preload(records, strict: @source.strict_loading_value)
        end
      end

      # The Table, or nil if records are needed. keys: columns to read besides.
      def table(keys = [])
        found = reader
        table = found.load(@source, keys) if found.readable?(@source)
        @rows_read = table&.size
        table
      end

      private

      def reader
        Rows.new(selection, @reading)
      end

      def selection = Selection.of(@reading.plan, @source.klass)

      # True if reading it in batches gives the same records in an order that is as good as any.
      def batches?
        return false if @source.loaded? || !@source.klass.primary_key.is_a?(String)
        return false unless RelationChecks.batches?(@source.klass)
        return false if RelationChecks.of_owner(@source) || RelationChecks.separate?(@source)
        return false if GivenOwner.of(@source, selection)&.obstacles&.any? # a batch may be given no owner

        (RelationChecks.parts(@source) & UNBATCHED).empty? &&
          RelationChecks.selected?(@source, @source.klass.primary_key)
      end

      def write_batches(io)
        return @reading.write_all(stream, io) unless @reading.tables?

        opening = "["
        each_batch do |batch, written|
          text = Place.after(written) do
            batch.is_a?(Table) ? @reading.generate_table(batch) : @reading.generate_all(batch)
          end
          next if text == "[]"

          text[0] = opening
          opening = ","
          text.chop!
          FullWrite.hand_over(io, text)
        end
        FullWrite.call(io, opening == "[" ? +"[]" : +"]")
        io
      end

      def write_line_batches(io)
        each_batch do |batch, written|
          next @reading.write_lines(batch, io, written) unless batch.is_a?(Table)

          Place.after(written) { @reading.write_table(batch, io, lines: true) }
        end
        io
      end

      def stream
        Stream.new(Enumerator.new do |elements|
          each_batch { |batch| (batch.is_a?(Table) ? batch.row_objects : batch).each { |object| elements << object } }
        end)
      end

      # Yields Tables or Arrays of records in the order of the primary key, with how many objects there were before. As
      # ActiveRecord's batches, they are in no query cache; a Table's memory is given back after it.
      def each_batch
        reader = self.reader
        reader = nil unless reader.readable?(@source)
        key = @source.klass.primary_key
        relation = @source.reorder(@source.klass.arel_table[key].asc).limit(Limits::BATCH).skip_query_cache!
        last = nil
        written = 0
        size = Limits::BATCH
        until size < Limits::BATCH # loop would take a field's StopIteration for the end
          batch = nil
          begin
            batch = batch(reader, last ? relation.where(relation.predicate_builder[key, last, :gt]) : relation, key)
            size = batch.size
            @rows_read = written + size
            last = last_key(batch, key) unless size < Limits::BATCH # before a field may change it
            yield batch, written
            written += size
          ensure
            batch.clear if batch.is_a?(Table)
          end
        end
      end

      # Raises ArgumentError as find_each does: what comes after NULL cannot be asked for.
      def last_key(batch, key)
        last = batch.is_a?(Table) ? batch.last(key) : batch.last._read_attribute(key)
        return last.dup unless last.nil?

        raise ArgumentError, "#{@source.klass} is read in batches by its primary key #{key}, which is nil in one; " \
                             "with an order it is read at once"
      end

      def batch(reader, relation, key)
        reader&.load(relation, [key]) || RelationChecks.uncached(relation) do
          records = LazyLoads.pause(@reading) { Loading.records(relation) { selection } }
          @reading.preload(records, strict: relation.strict_loading_value)
        end
      end
    end
  end
end
