# frozen_string_literal: true

# bin/bench --instructions [--update]: counts the instructions of one call of each row in counted_rows.rb, on both
# backends, under valgrind's callgrind. The machine's load does not change them, so a growth of 2 % is a real one.
#
# The counts of each Ruby stand in benchmark/instructions/, with what they were taken with. Exits 1 if a row is not
# within 2 % of its count, and 3 if this is another build of Ruby or valgrind, whose counts cannot be compared.
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
      def initialize(update:, file: File.join(FOLDER, "#{RUBY_ENGINE}-#{RUBY_VERSION}.json"))
        @update = update
        @file = file
      end

      def run
        differences = Builds.differences(known.fetch("taken with"), Builds.current) unless @update || known.empty?
        return cannot_compare(differences) if differences&.any?

        counts, areas = Instructions.count
        comparison = Comparison.new(known, counts)
        puts comparison
        @update ? write(counts, areas) : status(comparison)
      end

      private

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

    # {backend => {row => instructions}}, and where they go in the native backend. Of the backend that KATSU_BACKEND
    # names, or of both, which are counted side by side.
    def self.count(*rows)
      backends = ENV["KATSU_BACKEND"] ? [ENV["KATSU_BACKEND"]] : %w[native ruby]
      counts = backends.to_h { |backend| [backend, Count.new(backend)] }
      threads = counts.transform_values { |count| Thread.new { count.rows(*rows) } }
      [threads.transform_values(&:value), counts["native"]&.areas]
    end
  end
end

if $PROGRAM_NAME == __FILE__
  unknown = ARGV - ["--update"]
  abort "usage: bin/bench --instructions [--update]" unless unknown.empty?
  exit Benchmarks::Instructions::Gate.new(update: ARGV.include?("--update")).run
end
