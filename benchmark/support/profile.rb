# frozen_string_literal: true

module Benchmarks
  # PROFILE=cpu runs a row for five seconds, to be watched from outside (perf record -p); PROFILE=memory shows
  # what its calls leave to the garbage collector, PROFILE=allocations the objects of one call by class.
  module Profile
    def self.run(kind, row)
      puts "#{row.table} #{row.name}, process #{Process.pid}"
      case kind
      when "cpu" then cpu(row.katsu)
      when "memory" then memory(row.katsu)
      when "allocations" then allocations(row.katsu)
      else abort "PROFILE=#{kind}: accepted are cpu, memory and allocations"
      end
    end

    def self.cpu(call)
      finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 5
      calls = 0
      calls += 1 while call.call(1) && Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
      puts "#{calls} calls"
    end

    def self.memory(call)
      before = GC.stat
      call.call(200)
      after = GC.stat
      %i[count minor_gc_count major_gc_count time total_allocated_objects malloc_increase_bytes].each do |name|
        puts format("  %-26s %d", name, after[name] - before[name])
      end
    end

    def self.allocations(call)
      require "objspace"
      call.call(2)
      GC.disable
      generation = GC.count
      ObjectSpace.trace_object_allocations { call.call(1) }
      counts = ObjectSpace.each_object.select do |object|
        ObjectSpace.allocation_generation(object).to_i >= generation && ObjectSpace.allocation_sourcefile(object)
      end
      counts.group_by(&:class).each { |klass, objects| puts format("  %-26s %d", klass, objects.size) }
      GC.enable
    end
  end
end
