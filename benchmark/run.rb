# frozen_string_literal: true

# See bin/bench.
require "optparse"
require_relative "support/tables"
require_relative "support/run"
require_relative "support/results_file"

options = {}
parser = OptionParser.new do |o|
  o.banner = "usage: bin/bench [TABLE ...] [--quick] [--check] [--save] [--json FILE] [--processes N] [--ruby DIR]\n" \
             "                 [--no-yjit | --zjit] [--unknown-ruby] [--databases]\n" \
             "       bin/bench --instructions [--update] [--ruby DIR]\n" \
             "       bin/bench --report [--ruby DIR]"
  o.on("--quick", "fewer processes and rounds")
  o.on("--processes N", Integer, "processes a row")
  o.on("--check", "exit 1 when a row is under its target")
  o.on("--save", "put the figures into this variant's file in benchmark/results")
  o.on("--json FILE", "write the figures to a file of the same form")
  o.on("--part FILE", "measure in this process; what bin/bench starts")
end
begin
  parser.parse!(into: options)
  unknown = ARGV - Benchmarks::TABLES.keys
  unless unknown.empty?
    raise OptionParser::InvalidArgument, "#{unknown.join(", ")}; tables are #{Benchmarks::TABLES.keys.join(", ")}"
  end
rescue OptionParser::ParseError => e
  warn e.message, parser.banner
  exit 2
end

quick = options.fetch(:quick, false)
tables = ARGV.empty? ? Benchmarks::TABLES.keys - Benchmarks::ON_REQUEST : ARGV

if options[:part]
  File.binwrite(options[:part], Marshal.dump(Benchmarks::Run.part(tables.first, quick: quick).map(&:data)))
elsif ENV["PROFILE"]
  require_relative "support/profile"
  tables.each { |table| Benchmarks::Run.rows(table).each { |row| Benchmarks::Profile.run(ENV["PROFILE"], row) } }
else
  puts Katsu.report
  run = Benchmarks::Run.new(tables, quick: quick, **options.slice(:processes))
  results = run.results
  [options[:json], (Benchmarks::ResultsFile.path if options[:save])].compact.each do |path|
    Benchmarks::ResultsFile.new(path).add(results, quick: quick, processes: run.processes)
  end
  exit 1 if options[:check] && (results.empty? || results.any? { |result| result.met == false })
end
