# frozen_string_literal: true

# bin/bench --instructions [--update]: counts the instructions of one call of each row in counted_rows.rb, on both
# backends, under valgrind's callgrind. The machine's load does not change them, so a growth of 2 % is a real one.
#
# The counts of each Ruby stand in benchmark/instructions/, with what they were taken with. A row that grew is counted
# again in other layouts (instructions/layout.rb) before it is called slower. Exits 1 if a row is not within 2 % of its
# count, and 3 if this is another build of Ruby or valgrind, whose counts cannot be compared.
require "fileutils"
require "json"
require "katsu"
require_relative "instructions/builds"
require_relative "instructions/comparison"
require_relative "instructions/count"

module Benchmarks
  module Instructions
    FOLDER = File.expand_path("../instructions", __dir__)
    ANOTHER_BUILD = 3

    # The command; returns the exit status.
    class Gate
      LAYOUTS = 8
      LAYOUTS_OF_THE_FILE = 4

      # counter: what counts, Instructions but in tests.
      def initialize(update:, file: File.join(FOLDER, "#{RUBY_ENGINE}-#{RUBY_VERSION}.json"), counter: Instructions)
        @update = update
        @file = file
        @counter = counter
      end

      def run
        differences = Builds.differences(known.fetch("taken with"), Builds.current) unless @update || known.empty?
        return cannot_compare(differences) if differences&.any?

        counts, areas = @counter.count
        counts = @update ? count_again(counts, LAYOUTS_OF_THE_FILE, :changed) : count_again(counts, LAYOUTS, :grown)
        comparison = Comparison.new(known, counts)
        puts comparison
        @update ? write(counts, areas) : status(comparison)
      end

      private

      # The rows that have grown, or changed at all, are counted in other layouts too, and the lowest count is taken: a
      # row that is grown in each of them is slower.
      def count_again(counts, layouts, which)
        (1...layouts).inject(counts) do |lowest, layout|
          rows = Comparison.new(known, which == :grown ? lowest : counts).public_send(which)
          break lowest if rows.empty?

          lower(lowest, @counter.count(rows, layout: layout).first)
        end
      end

      def lower(counts, others)
        counts.merge(others) { |_, rows, more| rows.merge(more) { |_, *two| two.min } }
      end

      def known = @known ||= File.exist?(@file) ? JSON.parse(File.read(@file)) : {}

      def cannot_compare(differences)
        warn "NOT COMPARED: #{File.basename(@file)} is of another build", differences.map { |line| "  #{line}" },
             "  bin/bench --instructions --update writes the counts of this one"
        ANOTHER_BUILD
      end

      def status(comparison) = comparison.passed? ? 0 : 1

      def write(counts, areas)
        FileUtils.mkdir_p(FOLDER)
        content = {"taken with" => Builds.current, **counts, "areas of the native backend" => areas}
        File.write(@file, "#{JSON.pretty_generate(content)}\n")
        puts "wrote #{@file}; bin/bench --report draws where they go"
        0
      end
    end

    # Of the backend that KATSU_BACKEND names, or of both.
    def self.backends = ENV["KATSU_BACKEND"] ? [ENV["KATSU_BACKEND"]] : %w[native ruby]

    # rows: {backend => names}, [] for all. Returns {backend => {row => instructions}}, and where they go in the native
    # backend. Backends are counted side by side.
    def self.count(rows = backends.to_h { |backend| [backend, []] }, layout: 0)
      counts = rows.to_h { |backend, _| [backend, Count.new(backend, layout: layout)] }
      threads = counts.to_h { |backend, count| [backend, Thread.new { count.rows(*rows[backend]) }] }
      [threads.transform_values(&:value), counts["native"]&.areas]
    end
  end
end

if $PROGRAM_NAME == __FILE__
  unknown = ARGV - ["--update"]
  abort "usage: bin/bench --instructions [--update]" unless unknown.empty?
  abort "--update counts both backends; unset KATSU_BACKEND" if ARGV.include?("--update") && ENV["KATSU_BACKEND"]
  exit Benchmarks::Instructions::Gate.new(update: ARGV.include?("--update")).run
end
