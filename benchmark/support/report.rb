# frozen_string_literal: true

module Benchmarks
  # The table that is printed, a line as soon as a row is measured.
  class Report
    LINE = "%-34s %7s  %12s  %9s  %6s  %-46s %s\n"

    def initialize(out = $stdout)
      @out = out
    end

    def open(table)
      @out.puts "\n#{table}: Ruby #{RUBY_VERSION}#{" with #{Benchmarks.jit}" if Benchmarks.jit}, #{Katsu.backend} backend" \
                "#{", built as for an unknown Ruby" if Benchmarks.unknown_ruby?}"
      @out.printf LINE, "row", "size", "calls/s", "MB/s", "allocs", "times a peer's speed (lowest..highest tenth)", "target"
    end

    def add(result)
      peers = result.peers.map { |name, f| format("%s %.2f (%.2f..%.2f)", name, f[:ratio], f[:low], f[:high]) }.join(", ")
      target = result.row.target ? "#{result.row.target} #{result.met ? "met" : "MISSED"}" : "-"
      target += " (values compared)" if result.same == :values
      @out.printf LINE, result.row.name, result.row.size || "", with_commas(result.ips.round),
                  (result.bytes * result.ips / 1e6).round, result.allocations, peers, target
    end

    def close(results)
      missed = results.select { |result| result.met == false }
      @out.puts "\n#{results.size} rows, #{missed.size} under their target#{missed.map { |r| "\n  #{r.row.table} #{r.row.name} #{r.row.size}" }.join}"
    end

    private

    def with_commas(number)
      number.to_s.reverse.scan(/\d{1,3}/).join(",").reverse
    end
  end
end
