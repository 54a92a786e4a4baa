# frozen_string_literal: true

require_relative "collection"

module Katsu
  module Query
    # An ActiveRecord relation.
    class Relation < Collection
      # In the order of the primary key, as many records at a time.
      BATCH = 1000
      private_constant :BATCH

      # A relation is not asked for its size, which may be a query.
      def chunked?
        !@source.loaded? || super
      end

      def write(io)
        batches? ? @reading.write_all(stream, io) : super
      end

      def write_lines(io)
        batches? ? @reading.write_lines(stream, io) : super
      end

      def description
        @source.loaded? ? "#{@source.size} loaded #{@source.klass}" : "a relation of #{@source.klass}"
      end

      private

      def objects
        @reading.preload(LazyLoads.pause { @source.to_a })
      end

      # True if reading it in batches gives the same records in an order that is as good as any.
      def batches?
        return false if @source.loaded? || @source.klass.primary_key.nil?

        (@source.values.keys & %i[order limit offset group distinct from lock reordering]).empty?
      end

      def stream
        Stream.new(Enumerator.new do |elements|
          LazyLoads.pause { @source.find_in_batches(batch_size: BATCH) { |batch| write_batch(batch, elements) } }
        end)
      end

      def write_batch(batch, elements)
        @reading.preload(batch)
        batch.each { |record| elements << record }
      end
    end
  end
end
