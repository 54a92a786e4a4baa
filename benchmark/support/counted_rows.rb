# frozen_string_literal: true

# Runs under callgrind, started by support/instructions/count.rb: does the work of each row and dumps what it counted.
# The arguments are rows ("table, name"); without any it is all of Instructions::Rows.
ENV["SIZE"] = "50"
require_relative "tables"
require_relative "instructions/rows"
require "callgrind"

# A row's work is done so often that it writes about so many bytes. The number depends on the document alone, so it is
# the same in each run.
BYTES, CALLS = Katsu.backend == :native ? [250_000, 4..200] : [40_000, 1..100]
WARM_CALLS = 5 # of a large document fewer: each does the same many times
REPEATS = 2 # the lower one is taken: it has the least of what happens now and then, such as malloc's tidying

# Counted with a collected heap and without a collection, so that where a collection falls does not matter.
def count(name, work)
  calls = (BYTES / work.call(1).to_s.bytesize).clamp(CALLS)
  work.call([calls, WARM_CALLS].min)
  GC.start
  GC.disable
  REPEATS.times { Callgrind.count("#{calls} #{name}") { work.call(calls) } }
  GC.enable
end

rows = Benchmarks::Instructions::Rows.all(ARGV)
(Thread.list - [Thread.main]).each(&:kill).each(&:join) # ActiveRecord's reaper wakes up when it likes
Callgrind.instrument
Callgrind.count("first") { rows.first.last.call(1) } # has what the process does once; nobody reads it
rows.each { |name, work| count(name, work) }
