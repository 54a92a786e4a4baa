# frozen_string_literal: true

module Katsu
  module Caching
    # Counts what was found in stores, for Instrumentation.
    class Hits
      CURRENT = :katsu_cache_hits
      private_constant :CURRENT

      class << self
        # Yields Hits that count until the block ends.
        def count
          outer = Thread.current[CURRENT]
          yield Thread.current[CURRENT] = new
        ensure
          Thread.current[CURRENT] = outer
        end

        # Notes a batch.
        def add(found, asked)
          Thread.current[CURRENT]&.add(found, asked)
        end
      end

      # How many records were found, and how many were asked for.
      attr_reader :found, :asked

      def initialize
        @found = @asked = 0
      end

      def add(found, asked)
        @found += found
        @asked += asked
      end
    end
  end
end
