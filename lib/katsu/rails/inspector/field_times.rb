# frozen_string_literal: true

module Katsu
  module Rails
    module Inspector
      # How long each field takes when it is written alone, for the first records, their query included.
      class FieldTimes
        RECORDS = 100
        # The best of these; of a field that takes longer than ENOUGH seconds there is one.
        ROUNDS = 3
        ENOUGH = 0.5
        private_constant :ROUNDS, :ENOUGH

        # seconds: nil if error, the StandardError, was raised. queries: how many were made.
        Time = Struct.new(:name, :seconds, :queries, :error)

        def initialize(subject)
          @subject = subject
        end

        # The Times of all fields, the slowest first; those that raise come before.
        def list
          times = @subject.uncached { @subject.names.map { |name| time(name, [name]) } }
          times.sort_by { |time| -(time.seconds || Float::INFINITY) }
        end

        # The Time of the whole document.
        def whole
          @subject.uncached { time(nil, nil) }
        end

        private

        def time(name, only)
          queries = 0
          counting = ->(event) { queries += 1 unless %w[SCHEMA TRANSACTION].include?(event.payload[:name]) }
          first = ActiveSupport::Notifications.subscribed(counting, "sql.active_record") { seconds(only) }
          others = Array.new(first > ENOUGH ? 0 : ROUNDS - 1) { seconds(only) }
          Time.new(name, [first, *others].min, queries)
        rescue StandardError, SystemStackError => e
          Time.new(name, nil, queries, e)
        end

        def seconds(only)
          before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          @subject.json(RECORDS, only)
          Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
        end
      end
    end
  end
end
