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
        def add(found, looked_up)
          Thread.current[CURRENT]&.add(found, looked_up)
        end
      end

      # How many records were found, and how many were looked up.
      attr_reader :found, :looked_up

      def initialize
        @found = @looked_up = 0
      end

      def add(found, looked_up)
        @found += found
        @looked_up += looked_up
      end
    end
  end
end
