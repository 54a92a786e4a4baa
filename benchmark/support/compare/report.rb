# frozen_string_literal: true

# report.rb instructions|time BEFORE AFTER: prints the figures of two files side by side, and what changed.
require "json"

module Benchmarks
  # Two versions, row by row.
  class VersionComparison
    # Changes that are less than this are not called changes, in percent.
    LIMITS = {"instructions" => 2, "time" => 10}.freeze
    LINE = "%-7s %-36s %14s %14s  %s"

    def initialize(kind, before, after)
      @kind = kind
      @limit = LIMITS.fetch(kind)
      @before = before
      @after = after
    end

    def to_s
      [format(LINE, "backend", "row", "before", "after", "change"), *lines, summary].join("\n")
    end

    # [backend, row, before, after] of every row that either has.
    def rows
      (@before.keys | @after.keys).flat_map do |backend|
        before, after = @before.fetch(backend, {}), @after.fetch(backend, {})
        (before.keys | after.keys).map { |row| [backend, row, before[row], after[row]] }
      end
    end

    private

    def lines
      rows.map { |*row, before, after| format(LINE, *row, before || "-", after || "-", change(before, after)).rstrip }
    end

    def change(before, after)
      return "only in one" unless before && after

      percent = percent(before, after)
      format("%+.2f %%", percent) + (percent.abs > @limit ? (percent.positive? ? "  slower" : "  faster") : "")
    end

    def percent(before, after) = (after.fdiv(before) - 1) * 100

    def summary
      changes = rows.filter_map { |_, _, before, after| percent(before, after) if before && after }
      slower, faster = changes.count { |change| change > @limit }, changes.count { |change| change < -@limit }
      unit = @kind == "time" ? "nanoseconds" : "instructions"
      "#{changes.size} rows, #{unit}: #{slower} slower, #{faster} faster by more than #{@limit} %"
    end
  end
end

if $PROGRAM_NAME == __FILE__
  kind, before, after = ARGV
  puts Benchmarks::VersionComparison.new(kind, *[before, after].map { |file| JSON.parse(File.read(file)) })
end
