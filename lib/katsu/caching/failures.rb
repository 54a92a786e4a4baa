# frozen_string_literal: true

module Katsu
  module Caching
    # Fields that raised and were written all the same, by on_error:. Their records are not kept.
    class Failures
      CURRENT = :katsu_failures
      # A Fiber or Thread that a field makes has the storage of the one that made it, from Ruby 3.2 on.
      STORAGE = ::Fiber.respond_to?(:[])
      private_constant :CURRENT, :STORAGE

      class << self
        # Runs the block, which fills those of texts that are nil, in their order. Returns the indexes of texts in which
        # a field failed.
        def of(texts)
          outer = current
          failures = self.current = new(texts, outer)
          yield
          failures.indexes
        ensure
          self.current = outer
          failures&.finish
        end

        # A field failed.
        def met
          current&.met
        end

        private

        def current = STORAGE ? ::Fiber[CURRENT] : ::Thread.current[CURRENT]

        def current=(failures)
          STORAGE ? ::Fiber[CURRENT] = failures : ::Thread.current[CURRENT] = failures
        end
      end

      attr_reader :indexes

      # outer: the Failures of the call around, if a method field of it makes this call; otherwise nil.
      def initialize(texts, outer)
        @texts = texts
        @outer = outer
        @indexes = []
        @at = 0
      end

      # In the text that is being written, which is the first that is not there.
      def met
        texts = @texts
        return unless texts

        @at += 1 until texts[@at].nil?
        @indexes << @at
        @outer&.met
      end

      # A Thread that a field began may go on longer.
      def finish
        @texts = nil
      end
    end
  end
end
