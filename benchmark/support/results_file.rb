# frozen_string_literal: true

require "etc"
require "json"

module Benchmarks
  # The figures of one variant: a Ruby, its compiler, a backend. Committed in benchmark/results; tables and pictures are
  # made of these files (bin/bench --report).
  class ResultsFile
    FOLDER = File.expand_path("../results", __dir__)

    # "ruby-4.0.2-yjit.json"
    def self.path(folder = FOLDER)
      name = ["#{RUBY_ENGINE}-#{RUBY_VERSION}", Benchmarks.jit&.downcase || "interpreter"]
      name << "unknown" if Benchmarks.unknown_ruby?
      name << "ruby-backend" if Katsu.backend == :ruby
      File.join(folder, "#{name.join("-")}.json")
    end

    def initialize(path)
      @path = path
    end

    # Puts results beside those of other tables that are there; of a row that was there, the new figures stay.
    def add(results, quick:, processes:)
      taken_with = Machine.describe.merge(rounds: quick ? "quick" : "full", processes: processes)
      rows = results.map { |result| result.to_h.merge(taken_with: results_key(taken_with)) }
      content = {variant: Machine.variant, taken_with: known[:taken_with].merge(results_key(taken_with) => taken_with),
                 rows: without(rows) + rows}
      used = content[:rows].map { |row| row[:taken_with].to_sym }
      content[:taken_with] = content[:taken_with].transform_keys(&:to_sym).slice(*used)
      File.write(@path, "#{JSON.pretty_generate(content)}\n")
    end

    private

    def known
      return {taken_with: {}, rows: []} unless File.exist?(@path)

      JSON.parse(File.read(@path), symbolize_names: true)
    end

    def without(rows)
      key = ->(row) { row.values_at(:table, :row, :size) }
      fresh = rows.to_h { |row| [key.call(row), true] }
      known[:rows].reject { |row| fresh[key.call(row)] }
    end

    def results_key(taken_with) = :"#{taken_with[:date]} #{taken_with[:rounds]}"
  end

  # What figures depend on.
  module Machine
    module_function

    def variant
      {engine: RUBY_ENGINE, ruby: RUBY_VERSION, jit: Benchmarks.jit, backend: Katsu.backend,
       unknown_ruby: Benchmarks.unknown_ruby?}
    end

    def describe
      {date: Time.now.utc.strftime("%Y-%m-%d"), ruby: RUBY_DESCRIPTION, processor: processor, cores: Etc.nprocessors,
       system: Etc.uname.values_at(:sysname, :release).join(" "),
       gems: gems, load_before: (File.read("/proc/loadavg").split.first if File.exist?("/proc/loadavg"))}
    end

    def processor = File.foreach("/proc/cpuinfo").grep(/^model name/).first.to_s[/: (.*)/, 1]

    PEERS = %w[katsu json oj panko_serializer activerecord sqlite3 alba blueprinter serega jbuilder props_template
               active_model_serializers jsonapi-serializer oj_serializers].freeze

    def gems
      bundled = Bundler.load.specs.to_h { |spec| [spec.name, spec.version.to_s] }
      bundled.slice(*PEERS)
    end
  end
end
