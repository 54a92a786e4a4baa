# frozen_string_literal: true

require "digest"
require "fileutils"
require "json"
require "yaml"
require_relative "judge"

module Mutation
  # Which tests can notice a fault, by tests.yml, and in which order they are asked: those that noticed other faults of
  # the file first, then the fast ones. What earlier runs found out is kept in a folder.
  class Tests
    def initialize(map, folder)
      @map = YAML.safe_load_file(map)
      @folder = folder
      @noticed = read("noticed.json", {})
      @times = {}
      @lock = Mutex.new
    end

    def backends(path) = entry(path).fetch("backends")

    # Whether a test notices the fault that is in the tree; by which.
    def notice(tree, path, backend)
      tests = tests(tree, path, backend)
      verdict = Judge.new(tree, backend).judge(order(path, tests))
      count(path, verdict.by) if verdict.noticed && verdict.by
      verdict
    end

    # Runs the tests without a fault: each file's, as far as it has changed since that was done last, then all of them
    # as a fault's are run. Raises if one fails then.
    def prepare(tree, paths)
      paths.flat_map do |path|
        backends(path).map do |backend|
          [path, backend]
        end
      end.group_by { |path, backend| [files(tree, path), backend] }.each_value do |same|
        path, backend = same.first
        verdict = Judge.new(tree, backend).judge(order(path, tests(tree, path, backend)))
        raise "#{verdict.by} fails on #{backend} without a fault: #{verdict.raised}" if verdict.noticed
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
      @lock.synchronize do
        files(tree, path).flat_map do |file|
          (@times[[file, backend]] ||= measured(tree, file, backend)).map { |name, time| [name, file, time] }
        end
      end
    end

    def measured(tree, file, backend)
      key = Digest::MD5.hexdigest([RUBY_DESCRIPTION, File.binread(tree.path(file))].join)
      known = read("times-#{backend}.json", {})
      return known[file]["times"] if known.dig(file, "key") == key

      verdict = Judge.new(tree, backend).baseline(file)
      raise "#{file} on #{backend} does not run without a fault: #{verdict.raised || verdict.by}" if verdict.noticed && verdict.failed.empty?

      $stderr.puts "#{file} on #{backend}: left out, as it fails without a fault: #{verdict.failed.join(", ")}" if verdict.failed.any?
      times = verdict.times.except(*verdict.failed)
      write("times-#{backend}.json", known.merge(file => {"key" => key, "times" => times}))
      times
    end

    def order(path, tests)
      counts = @lock.synchronize { @noticed.fetch(path, {}).dup }
      tests.sort_by { |name, _, time| [-counts.fetch(name, 0), time] }
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
