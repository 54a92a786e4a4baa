# frozen_string_literal: true

require_relative "../tables"
require_relative "../instructions/rows"

module Benchmarks
  # Nanoseconds of one call of the rows whose instructions are counted: the lowest of many short windows, which is what
  # a machine that is busy with other things disturbs least.
  module Times
    WINDOWS = 40

    def self.of(names)
      Instructions::Rows.all(names).to_h do |name, work|
        work.call(40)
        calls = calls_in_a_window(work)
        [name, (Array.new(WINDOWS) { seconds(work, calls) }.min * 1e9).round]
      end
    end

    def self.calls_in_a_window(work)
      calls = 1
      calls *= 2 while seconds(work, calls) * calls < 0.005
      calls
    end

    def self.seconds(work, calls)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      work.call(calls)
      (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) / calls
    end
  end
end
