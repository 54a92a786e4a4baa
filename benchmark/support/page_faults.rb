# frozen_string_literal: true

module Benchmarks
  # How often the system had to give this process a page of memory that it wrote to for the first time.
  module PageFaults
    FILE = "/proc/self/stat"
    # Among the fields after the name of the program, which may have spaces.
    FIELD = 7
    private_constant :FILE, :FIELD

    # Of one of so many calls, which the block makes; nil if the system does not count them there.
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
