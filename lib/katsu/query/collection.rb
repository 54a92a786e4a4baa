# frozen_string_literal: true

module Katsu
  module Query
    # An Array of objects.
    class Collection
      attr_reader :reading

      def initialize(reading, source)
        @reading = reading
        @source = source
      end

      def single? = false

      def chunked?
        @source.size >= Limits::SMALL
      end

      def generate = @reading.generate_all(objects)
      def build = @reading.build_all(objects)

      def write(io)
        @reading.write_all(objects, io)
      end

      def write_lines(io)
        @reading.write_lines(objects, io)
      end

      def description
        "#{@source.size} objects"
      end

      # For Explanation.
      def obstacles = []
      def way = model ? :records : :objects
      def driver? = false
      def relation = nil
      def key_columns = []
      def known_size = @source.size
      def first = @source.first

      # The model of the first record.
      def model
        first.class if Query.record?(first)
      end

      # What is written, its associations loaded.
      def objects
        @reading.preload(@source)
      end
    end
  end
end
