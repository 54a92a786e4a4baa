# frozen_string_literal: true

module Benchmarks
  # Contenders that do their work in several threads, Ractors or processes at the same time. Starting the workers is
  # part of the time; a window's calls are done by the same workers.
  module Parallel
    module_function

    def contender(way, workers, generator, document)
      ->(times) { public_send(way, workers, generator, document, times) }
    end

    def threads(workers, generator, document, times)
      Array.new(workers) { Thread.new { generate(generator, document, times) } }.map(&:value).last
    end

    def ractors(workers, generator, document, times)
      verbose, $VERBOSE = $VERBOSE, nil # Ractors are experimental, says Ruby
      ractors = Array.new(workers) do
        Ractor.new(generator, document, times) { |with, what, count| Parallel.generate(with, what, count) }
      end
      ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }.last
    ensure
      $VERBOSE = verbose
    end

    # What a process made stays there; the last document is made here once more, to be compared.
    def processes(workers, generator, document, times)
      Array.new(workers) do
        fork do
          generate(generator, document, times)
          exit!(0)
        end
      end.each { |pid| Process.wait(pid) }
      times == 1 ? generate(generator, document, 1) : nil
    end

    def generate(generator, document, times)
      result = nil
      times.times { result = generator.generate(document) }
      result
    end
  end
end
