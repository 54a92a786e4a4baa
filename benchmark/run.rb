# frozen_string_literal: true

# See bin/bench.
require "optparse"
require_relative "support/tables"

options = {}
parser = OptionParser.new do |o|
  o.banner = "usage: bin/bench [TABLE ...] [--quick] [--check] [--json FILE] [--ruby DIR] [--no-yjit | --zjit] " \
             "[--unknown-ruby] [--databases]
       bin/bench --instructions [--update] [--ruby DIR]"
  o.on("--quick", "fewer and shorter rounds")
  o.on("--check", "exit 1 when a row is under its target")
  o.on("--json FILE", "write the figures as an array of objects")
end
begin
  parser.parse!(into: options)
  unknown = ARGV - Benchmarks::TABLES.keys
  raise OptionParser::InvalidArgument, "#{unknown.join(", ")}; tables are #{Benchmarks::TABLES.keys.join(", ")}" unless unknown.empty?
rescue OptionParser::ParseError => e
  warn e.message, parser.banner
  exit 2
end

tables = ARGV.empty? ? Benchmarks::TABLES.keys - Benchmarks::ON_REQUEST : ARGV
pattern = Regexp.new(ENV.fetch("BENCH", ""), Regexp::IGNORECASE)
profile = ENV["PROFILE"]
harness = Benchmarks::Harness.new(quick: options[:quick])
report = Benchmarks::Report.new
results = []

tables.each do |table|
  rows = Benchmarks::TABLES.fetch(table).call.select { |row| pattern.match?("#{table} #{row.name}") }
  puts Katsu.report if table == tables.first
  report.open(table)
  rows.each do |row|
    if profile
      require_relative "support/profile"
      Benchmarks::Profile.run(profile, row)
    else
      results << harness.measure(row)
      report.add(results.last)
    end
  end
end

unless profile
  report.close(results)
  File.write(options[:json], JSON.pretty_generate(results.map(&:to_h))) if options[:json]
  exit 1 if options[:check] && (results.empty? || results.any? { |result| result.met == false })
end
