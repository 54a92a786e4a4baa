# frozen_string_literal: true

require "json"
require_relative "lines"
require_relative "measured"

module Mutation
  # Which tests are run for a fault, and in which order. If few tests run its line, they come before all others. The
  # rest of the order: tests that noticed other faults of the file, then those of the test file of its name, then those
  # that do not only load the file; the fast ones first. What earlier runs found out is kept in a folder.
  class Tests
    # Tests that measure memory or build gems are left out.
    FILES = "test/{conformance,compat,crossings#{",databases" if ENV["KATSU_POSTGRESQL"]}}/**/*_test.rb"

    # A line that no more tests run may be run once only, by the first that needs what it finds out: then those that run
    # other lines of the file are run too. All tests depend on a line that is run when the library is loaded.
    FEW = 3

    # Which lines Ractors other than the main one run, Coverage does not tell.
    RACTORS = "/ractors_test.rb"

    # each: seconds of CPU time that the tests of one fault may take, by what they took without one.
    def initialize(folder, each: Float::INFINITY, files: FILES)
      @folder = folder
      @each = each
      @files = files
      @noticed = File.exist?(noticed) ? JSON.parse(File.read(noticed)) : {}
      @measured = Hash.new { |hash, backend| hash[backend] = Measured.new(folder, backend) }
      @lock = Mutex.new
    end

    # Those that run any of its code.
    def backends(path)
      return ["native"] if path.start_with?("ext/")

      path.start_with?("lib/katsu/portable") ? ["ruby"] : %w[native ruby]
    end

    # Measures the tests without a fault; yields as Measured#update does.
    def prepare(tree, paths, &extension)
      files = Dir.glob(@files, base: tree.folder).sort
      of_backends = paths.flat_map { |path| backends(path).map { |backend| [backend, path] } }.group_by(&:first)
      of_backends.each { |backend, pairs| @measured[backend].update(tree, files, pairs.map(&:last), &extension) }
    end

    # The tests that run the line of a fault that is not in the tree yet, those most likely to notice it first.
    def reaching(tree, mutant, backend)
      measured = @measured[backend]
      path = mutant.path
      lines = Lines.new(tree, measured.blocks).of(path, mutant.line)
      return order(path, measured.tests) if lines.empty? || lines.any? { |line| measured.loaded?(*line) }

      found = measured.tests.select { |test| lines.any? { |line| test.run?(*line) } }
      return order(path, in_ractors(measured, path)) if found.empty?
      return order(path, found) if found.size > FEW

      using = measured.tests.select { |test| test.use?(path) }
      order(path, found) + order(path, (using.empty? ? measured.tests : using) - found)
    end

    # Whether one of the tests, in their order, notices the fault that is in the tree, and which.
    def notice(tree, mutant, backend, tests)
      verdict = Judge.new(tree, backend).judge(affordable(tests))
      count(mutant.path, verdict.by) if verdict.noticed && verdict.by
      verdict
    end

    def keep
      File.write(noticed, JSON.generate(@noticed))
    end

    private

    def noticed = File.join(@folder, "noticed.json")

    def in_ractors(measured, path)
      measured.tests.select { |test| test.file.end_with?(RACTORS) && test.use?(path) }
    end

    def order(path, tests)
      counts = @lock.synchronize { @noticed.fetch(path, {}).dup }
      own = "#{File.basename(path, ".*").delete_prefix("cast_").delete_suffix("_class")}_test.rb"
      tests.sort_by do |test|
        [-counts.fetch(test.name, 0), test.file.end_with?(own) ? 0 : 1, test.lines&.key?(path) ? 0 : 1, test.time]
      end
    end

    # The first of them, at least one.
    def affordable(tests)
      total = 0.0
      tests.take_while { |test| (total += test.time) - test.time <= @each }
    end

    def count(path, name)
      @lock.synchronize do
        counts = @noticed[path] ||= {}
        counts[name] = counts.fetch(name, 0) + 1
      end
    end
  end
end
