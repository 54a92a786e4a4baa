# frozen_string_literal: true

module Benchmarks
  # The table that is printed, a line as soon as a row is measured.
  class Report
    LINE = "%-34s %7s  %12s  %7s  %6s  %6s  %6s  %-46s %s\n"

    def initialize(out = $stdout)
      @out = out
    end

    def open(table)
      @out.puts "\n#{table}: Ruby #{RUBY_VERSION}#{" with #{Benchmarks.jit}" if Benchmarks.jit}, " \
                "#{Katsu.backend} backend" \
                "#{", built as for an unknown Ruby" if Benchmarks.unknown_ruby?}"
      @out.printf LINE, "row", "size", "calls/s", "MB/s", "copy", "allocs", "faults",
                  "times a peer's speed (lowest..highest tenth)", "target"
    end

    def add(result)
      @out.printf LINE, result.row, result.size || "", with_commas(result.ips.round), *bytes(result),
                  result.allocations, result.page_faults, peers(result), target(result)
    end

    def close(results)
      missed = results.select { |result| result.met == false }
      @out.puts "\n#{results.size} rows, #{missed.size} under their target"
      missed.each { |result| @out.puts "  #{result.table} #{result.row} #{result.size}" }
    end

    private

    def bytes(result)
      return ["", ""] unless result.bytes

      [(result.bytes * result.ips / 1e6).round, format("%d %%", result.share_of_copy * 100)]
    end

    def peers(result)
      result.peers.map { |name, f| format("%s %.2f (%.2f..%.2f)", name, f[:ratio], f[:low], f[:high]) }.join(", ")
    end

    def target(result)
      text = result.target ? "#{result.target} #{result.met ? "met" : "MISSED"}" : "-"
      text += " (values compared)" if result.same == :values
      others = result.data[:other]
      others.empty? ? text : "#{text} (#{others.join(", ")}: another document)"
    end

    def with_commas(number) = number.to_s.reverse.scan(/\d{1,3}/).join(",").reverse
  end
end
