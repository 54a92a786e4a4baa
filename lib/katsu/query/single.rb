# frozen_string_literal: true

module Katsu
  module Query
    # One object: it is given, or it is the first record of a relation.
    class Single
      attr_reader :reading

      def initialize(reading, source, first: false)
        @reading = reading
        @source = source
        @first = first
      end

      def single? = true
      def chunked? = false

      def generate = @reading.generate(object)
      def build = @reading.build(object)

      def write(io)
        Portable::FullWrite.call(io, generate)
      end

      def write_lines(io)
        Lines.new(io).tap { |lines| lines << generate }.finish
      end

      def description
        @first ? "the first of #{@source.klass}" : ::Kernel.instance_method(:class).bind_call(@source)
      end

      private

      def object
        object = @first ? @source.take : @source
        @reading.preload([object]) if Query.record?(object)
        object
      end
    end
  end
end
