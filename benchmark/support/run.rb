# frozen_string_literal: true

require "rbconfig"
require "tempfile"

module Benchmarks
  # Measures tables: each in processes of its own, one after the other, so that neither what a table sets nor where a
  # process happened to place its memory is in all figures of a row.
  class Run
    PROCESSES = {full: 3, quick: 2}.freeze

    def initialize(tables, quick:, processes: PROCESSES.fetch(quick ? :quick : :full))
      @tables = tables
      @quick = quick
      @processes = processes
      @report = Report.new
    end

    attr_reader :processes

    # The Results.
    def results
      results = @tables.flat_map { |table| measure(table) }
      @report.close(results)
      results
    end

    # In this process: the Results of a table's rows, a line of which is given to each.
    def self.part(table, quick:)
      harness = Harness.new(quick: quick)
      rows(table).map { |row| harness.measure(row) }
    end

    # The rows that BENCH asks for.
    def self.rows(table)
      pattern = Regexp.new(ENV.fetch("BENCH", ""), Regexp::IGNORECASE)
      TABLES.fetch(table).call.select { |row| pattern.match?("#{table} #{row.name}") }
    end

    private

    def measure(table)
      @report.open(table)
      parts = Array.new(@processes) { part(table) }
      parts.transpose.map { |results| Result.merge(results) }.each { |result| @report.add(result) }
    end

    def part(table)
      Tempfile.create("katsu-bench") do |file|
        command = [*ruby, *jit, *$LOAD_PATH.grep(%r{/lib\z}).first(1).flat_map { |path| ["-I", path] },
                   File.expand_path("../run.rb", __dir__), table, "--part", file.path]
        command << "--quick" if @quick
        system(*command) or abort "#{table} could not be measured"
        Marshal.load(File.binread(file.path)).map { |data| Result.new(data) }
      end
    end

    # JRuby has no command of its own: bin/bench --jruby says how it is started.
    def ruby = ENV.key?("KATSU_JRUBY") ? [ENV["KATSU_JRUBY"], "-rbundler/setup"] : [RbConfig.ruby]

    def jit = Benchmarks.jit ? ["--#{Benchmarks.jit.downcase}"] : []
  end
end
