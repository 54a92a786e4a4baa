# frozen_string_literal: true

require_relative "collection"

module Katsu
  module Query
    # Anything with each: an Enumerator, a Set, a Katsu::Stream. The elements are written as they come; if they are
    # records, their associations are loaded for a batch of them at a time.
    class Elements < Collection
      def chunked? = true

      # The elements of a Katsu::Stream are never all in memory, and may be one object with other values each time.
      def generate
        @source.is_a?(Stream) ? @reading.generate_all(stream) : super
      end

      def write(io)
        @reading.write_all(stream, io)
      end

      def write_lines(io)
        @reading.write_lines(stream, io)
      end

      def description
        @source.class
      end

      # For Explanation. Nothing is read of the source for it.
      def way = :objects
      def model = nil
      def known_size = nil
      def first = nil

      def objects
        @reading.preload(Stream.new(@source).to_a)
      end

      private

      def stream
        Stream.new(Enumerator.new { |elements| each_loaded { |element| elements << element } })
      end

      # Records come a batch later than other elements.
      def each_loaded(&block)
        batch = []
        LazyLoads.each_of(@reading, Stream.new(@source)) do |*values|
          element = values.size == 1 ? values[0] : values # as Stream has it
          record = Query.record?(element)
          batch << element if record
          @reading.preload(batch).each(&block).clear if batch.size == Limits::BATCH || (!record && !batch.empty?)
          yield element unless record
        end
        @reading.preload(batch).each(&block)
      end
    end
  end
end
