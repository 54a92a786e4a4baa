# frozen_string_literal: true

# The rows whose instructions are counted. Run under valgrind by support/instructions.rb, which reads and answers lines:
#
#   -> ready NAME      the row is warm; its work is done after the answer
#   -> done TIMES      the work was done so often
ENV["SIZE"] = "50"
require_relative "tables"

# Table => names of its rows.
COUNTED = {
  "generate" => ["small mixed", "small nested array", "small hash", "integers", "logs", "non-Latin", "escapes"],
  "active_record" => ["Simple", "HasOne", "HasMany", "MethodCall", "JSON column", "Only", "single, persisted", "single, new"],
  "to_hash" => %w[Simple HasOne],
  "plain" => ["objects, Simple", "objects, HasOne", "hashes, Simple"],
  "writers" => ["ObjectWriter, nested", "Writer, nested"]
}.freeze
WARM_CALLS = 40
# A row's work is done for about so many seconds, at most so often, and that is counted so many times: the lowest count
# has the least of what Ruby does now and then, such as clearing memory.
SECONDS = 0.5
MAX_CALLS = 1_000
REPEATS = 3

# Waits until the line has been taken up.
def say(line)
  $stdout.puts(line)
  $stdout.flush
  $stdin.gets or exit(1)
end

def calls_for(work)
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  work.call(1)
  (SECONDS / (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)).ceil.clamp(1, MAX_CALLS)
end

COUNTED.each do |table, names|
  rows = Benchmarks::TABLES.fetch(table).call
  names.each do |name|
    row = rows.find { |candidate| candidate.name == name } or abort "#{table} has no row #{name}"
    work = row.katsu
    times = calls_for(work)
    work.call([WARM_CALLS, times].min)
    REPEATS.times do
      GC.start
      say("ready #{table}, #{name}")
      work.call(times)
      say("done #{times}")
    end
  end
end
