# frozen_string_literal: true

# bin/bench endpoint: a Rails application under Puma, asked by wrk on loopback. The serializers take turns in short
# windows; the ratio is that of requests a second within a round.
require "optparse"
require "katsu"
require_relative "measurement"

options = {}
parser = OptionParser.new do |o|
  o.banner = "usage: bin/bench endpoint [--quick] [--check] [--json FILE] [--ruby DIR] [--no-yjit]"
  o.on("--quick", "windows of a second, fewer of them")
  o.on("--check", "exit 1 if the target is missed")
  o.on("--json FILE", "write the figures to a file")
end
begin
  parser.parse!(into: options)
  raise OptionParser::InvalidArgument, ARGV.join(" ") if ARGV.any?
rescue OptionParser::ParseError => e
  warn e.message, parser.banner
  exit 2
end

puts Katsu.report
times = options[:quick] ? {rounds: 2, seconds: 1} : {rounds: 7, seconds: 2}
rows = Benchmarks::Endpoint.measure(**times)
puts "endpoint: Puma with 4 threads, wrk with #{Benchmarks::Endpoint::CONNECTIONS} connections, " \
     "#{times[:rounds]} rounds of #{times[:seconds]} s"
puts "#{"posts".rjust(5)} #{"serializer".ljust(17)} requests/s    p99 ms  Katsu's requests to its"
rows.each do |row|
  puts format("%5d %-17s %10.1f %9.2f  %5.2f (%.2f to %.2f)", *row.values_at(:size, :name, :requests, :p99, :ratio,
                                                                             :low, :high))
end
File.write(options[:json], "#{JSON.pretty_generate({ruby: RUBY_DESCRIPTION, **times, rows: rows})}\n") if options[:json]
against_panko = rows.find { |row| row[:size] == 2300 && row[:name] == "panko" }[:ratio]
puts "target: #{Benchmarks::Endpoint::TARGET} times Panko's requests at 2,300 posts; #{against_panko}"
exit 1 if options[:check] && against_panko < Benchmarks::Endpoint::TARGET
