# frozen_string_literal: true

require "digest"
require "fileutils"
require "json"
require "yaml"
require_relative "judge"

module Mutation
  # Which tests can notice a fault in which files, by tests.yml, and in which order they are asked: those that noticed
  # other faults of the file first, then those of the test file of its name, then the fast ones. What earlier runs found
  # out is kept in a folder.
  class Tests
    # each: seconds of CPU time that the tests of one fault may take, by what they took without one.
    def initialize(map, folder, each: Float::INFINITY)
      @map = YAML.safe_load_file(map)
      @each = each
      @folder = folder
      @noticed = read("noticed.json", {})
      @times = {}
      @lock = Mutex.new
    end

    def backends(path) = entry(path).fetch("backends")

    # Whether a test notices the fault that is in the tree; by which.
    def notice(tree, path, backend)
      tests = tests(tree, path, backend)
      verdict = Judge.new(tree, backend).judge(affordable(order(path, tests)))
      count(path, verdict.by) if verdict.noticed && verdict.by
      verdict
    end

    # Runs the tests without a fault, those of the files that have changed since that was done last.
    def prepare(tree, paths)
      pairs = paths.flat_map { |path| backends(path).map { |backend| [path, backend] } }
      pairs.group_by(&:last).each do |backend, same|
        measure(tree, same.flat_map { |path, _| files(tree, path) }.uniq, backend)
      end
    end

    def keep
      write("noticed.json", @noticed)
    end

    private

    def entry(path)
      @map.find do |candidate|
        File.fnmatch(candidate.fetch("files"), path, File::FNM_EXTGLOB)
      end or raise "tests.yml says nothing of #{path}"
    end

    def files(tree, path)
      patterns = entry(path).fetch("tests").map do |pattern|
        pattern.end_with?(".rb") ? pattern : "#{pattern}/**/*_test.rb"
      end
      Dir.glob(patterns, base: tree.folder).sort
    end

    # [name, file, CPU time] of those that pass without a fault.
    def tests(tree, path, backend)
      times = @lock.synchronize { @times.fetch(backend) }
      files(tree, path).flat_map { |file| times.fetch(file).map { |name, time| [name, file, time] } }
    end

    # All files in one process: to load Rails and the tests takes longer than to run them.
    def measure(tree, files, backend)
      known = read("times-#{backend}.json", {})
      keys = files.to_h { |file| [file, Digest::MD5.hexdigest([RUBY_DESCRIPTION, File.binread(tree.path(file))].join)] }
      changed = files.reject { |file| known.dig(file, "key") == keys[file] }
      measured = baseline(tree, changed, backend)
      changed.each { |file| known[file] = {"key" => keys[file], "times" => measured.fetch(file, {})} }
      write("times-#{backend}.json", known)
      @lock.synchronize { @times[backend] = known.slice(*files).transform_values { |entry| entry["times"] } }
    end

    # {file => {name => CPU time}} of the tests that pass.
    def baseline(tree, files, backend)
      return {} if files.empty?

      verdict = Judge.new(tree, backend).baseline(files)
      if verdict.noticed && verdict.failed.empty?
        raise "the tests do not run on #{backend} without a fault: #{verdict.raised || verdict.by}"
      end

      names = verdict.failed.join(", ")
      $stderr.puts "on #{backend}, left out, as they fail without a fault: #{names}" unless names.empty?
      verdict.times.transform_values { |times| times.except(*verdict.failed) }
    end

    def order(path, tests)
      counts = @lock.synchronize { @noticed.fetch(path, {}).dup }
      own = "#{File.basename(path, ".*").delete_prefix("cast_")}_test.rb"
      tests.sort_by { |name, file, time| [-counts.fetch(name, 0), file.end_with?(own) ? 0 : 1, time] }
    end

    # The first of them, at least one.
    def affordable(tests)
      total = 0.0
      tests.take_while { |_, _, time| (total += time) - time <= @each }
    end

    def count(path, name)
      @lock.synchronize do
        counts = @noticed[path] ||= {}
        counts[name] = counts.fetch(name, 0) + 1
      end
    end

    def read(name, otherwise)
      file = File.join(@folder, name)
      File.exist?(file) ? JSON.parse(File.read(file)) : otherwise
    end

    def write(name, object)
      FileUtils.mkdir_p(@folder)
      File.write(File.join(@folder, name), JSON.generate(object))
    end
  end
end
