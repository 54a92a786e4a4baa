# frozen_string_literal: true

# Required by the processes that tests start: which lines they run, for recorder.rb.
require_relative "covered_lines"

Coverage.start(lines: true)
at_exit do
  found = Coverage.result.map { |path, counts| "#{path}\t#{Mutation::CoveredLines.of(counts).join(",")}\n" }
  File.write(ENV.fetch("KATSU_LINES"), found.join, mode: "a")
end
