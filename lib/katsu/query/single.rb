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
  end
end
