# frozen_string_literal: true

require "digest"
require "fileutils"
require_relative "judge"

module Mutation
  # What a backend's tests do without a fault: the CPU time of each that passes, and the lines of the library that it
  # runs. Kept in a folder: only test files that have changed are measured again. Of a file of the library that has
  # changed since it is known which tests run it, not which of its lines. For a file that is new, and without the
  # folder, all is measured again.
  class Measured
    # loaded: the lines that are run to load its file; changed: the files of which lines are not known any more.
    Test = Struct.new(:name, :file, :time, :lines, :loaded, :changed) do
      def run?(path, line)
        return use?(path) if changed&.include?(path)

        lines[path]&.include?(line) || loaded[path]&.include?(line)
      end

      def use?(path) = lines.key?(path) || loaded.key?(path)
    end
    LIBRARY = "{ext,lib}/**/*.{c,h,def,rb}"

    attr_reader :tests

    def initialize(folder, backend)
      @backend = backend
      @path = File.join(folder, "measured-#{backend}")
      @kept = File.exist?(@path) ? Marshal.load(File.binread(@path)) : {}
      @tests = []
    end

    # files: of the tests. paths: the files of the library in which faults are to be planted. Yields if the extension
    # must be built for it; what that gives is asked for its blocks.
    def update(tree, files, paths)
      library = Dir.glob(LIBRARY, base: tree.folder).to_h { |path| [path, key(tree, path)] }
      keys = files.to_h { |file| [file, key(tree, file)] }
      changed = files.reject { |file| @kept.dig(file, :key) == keys[file] && knows?(file, paths) }
      measure(tree, changed, keys, library, @backend == "native" ? yield.blocks : {}) if changed.any?
      @tests = @kept.slice(*files).flat_map do |_, entry|
        since = library.reject { |path, key| entry[:library][path] == key }
        entry[:tests].map { |test| Test.new(*test, entry[:loaded], since) }
      end
    end

    # {path => the lines of C that code was made of}
    def blocks = @kept.fetch(:blocks, {})

    # Whether a line is run to load the library.
    def loaded?(path, line) = @kept[nil].dig(:loaded, path)&.include?(line)

    private

    def knows?(file, paths) = (paths - @kept[file][:library].keys).empty?

    def key(tree, file)
      Digest::MD5.hexdigest("#{RUBY_DESCRIPTION}\0#{File.binread(tree.path(file))}")
    end

    # All files in one process: to load Rails and the tests takes longer than to run them.
    def measure(tree, files, keys, library, blocks)
      $stderr.puts "measuring the tests on #{@backend}: some minutes for all"
      verdict = Judge.new(tree, @backend).baseline(files, blocks)
      raise "the tests do not run on #{@backend} without a fault: #{verdict.raised || verdict.by}" unless verdict.ended

      names = verdict.failed.join(", ")
      $stderr.puts "on #{@backend}, left out, as they fail without a fault: #{names}" unless names.empty?
      passed = verdict.measured.reject { |name,| verdict.failed.include?(name) }
      passed.group_by { |test| test[1] }.each do |file, (loading, *tests)|
        @kept[file] = {key: keys[file], library: library, loaded: loading.last, tests: tests}
      end
      keep(blocks)
    end

    def keep(blocks)
      @kept[:blocks] = blocks.values.each_with_object({}) do |block, all|
        block.each { |path, lines| all[path] = all.fetch(path, []) | lines }
      end
      FileUtils.mkdir_p(File.dirname(@path))
      File.binwrite(@path, Marshal.dump(@kept))
    end
  end
end
