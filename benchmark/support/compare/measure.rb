# frozen_string_literal: true

# measure.rb instructions|time LIB FILE [ROW ...]: the figures of the Katsu in LIB, for bin/compare.
require "json"
kind, lib, file, *rows = ARGV
$LOAD_PATH.unshift(lib)

# {"table, row" => figure} of the rows in the counted list, by instructions or by nanoseconds.
figures =
  if kind == "instructions"
    require_relative "../instructions/count"
    backends = ENV["KATSU_BACKEND"] ? [ENV["KATSU_BACKEND"]] : %w[native ruby]
    counts = backends.map do |backend|
      Thread.new { Benchmarks::Instructions::Count.new(backend, lib: lib).rows(*rows) }
    end
    backends.zip(counts.map(&:value)).to_h
  else
    ENV["SIZE"] ||= "50"
    require_relative "times"
    {Katsu.backend => Benchmarks::Times.of(rows)}
  end
File.write(file, JSON.pretty_generate(figures))
