# frozen_string_literal: true

module Benchmarks
  # Counts page faults: each time that the process touches memory which the system has not given it a page for.
  module PageFaults
    FILE = "/proc/self/stat"
    # Among the fields after the name of the program, which may have spaces.
    FIELD = 7
    private_constant :FILE, :FIELD

    # The page faults of one call, if the block makes so many calls; nil if the system has no such file.
    def self.of(calls)
      before = count
      yield
      before && ((count - before) / calls.to_f)
    end

    def self.count
      File.read(FILE)[/.*\) (.*)/m, 1].split[FIELD].to_i if File.exist?(FILE)
    end
    private_class_method :count
  end
end
