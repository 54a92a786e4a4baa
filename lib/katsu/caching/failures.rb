# frozen_string_literal: true

module Katsu
  module Caching
    # Fields that raised and were written all the same, by on_error:. Their records are not kept.
    class Failures
      CURRENT = :katsu_failures
      private_constant :CURRENT

      class << self
        # Runs the block, which fills those of texts that are nil, in their order. Returns the indexes of texts in which
        # a field failed.
        def of(texts)
          outer = Thread.current[CURRENT]
          failures = Thread.current[CURRENT] = new(texts, outer)
          yield
          failures.indexes
        ensure
          Thread.current[CURRENT] = outer
        end

        # A field failed.
        def met
          Thread.current[CURRENT]&.met
        end
      end

      attr_reader :indexes

      # outer: those of the call of which a method field makes this one, or nil.
      def initialize(texts, outer)
        @texts = texts
        @outer = outer
        @indexes = []
        @at = 0
      end

      # In the text that is being written, which is the first that is not there.
      def met
        @at += 1 until @texts[@at].nil?
        @indexes << @at
        @outer&.met
      end
    end
  end
end
