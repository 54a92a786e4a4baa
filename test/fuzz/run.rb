# frozen_string_literal: true

# See bin/fuzz. Random programs as Ruby source: the native backend, the ruby backend and a reference (the json gem, or
# a naive implementation in test/fuzz) have to agree. What they do not agree on is made as small as it goes and printed.
#
# KIND is a folder with cases.rb (Fuzz::Cases, which makes programs) and world.rb (Fuzz::World, which runs them).
require "optparse"
require_relative "session"

options = {seconds: 20, seed: Random.new_seed % 2**32, cases: Float::INFINITY, finds: 10}
kinds = Dir[File.join(__dir__, "*/world.rb")].map { |path| File.basename(File.dirname(path)) }.sort
parser = OptionParser.new do |o|
  o.banner = "usage: bin/fuzz #{kinds.join("|")} [--seconds N] [--seed S] [--cases N] [--finds N] [--database NAME]"
  o.on("--seconds N", Integer)
  o.on("--seed S", Integer)
  o.on("--cases N", Integer)
  o.on("--finds N", Integer)
  o.on("--database NAME", "of queries: sqlite3 (the default), postgresql, mysql2 or trilogy",
       %w[sqlite3 postgresql mysql2 trilogy])
end
begin
  parser.parse!(into: options)
  raise OptionParser::InvalidArgument, ARGV.join(" ") unless ARGV.size == 1 && kinds.include?(ARGV[0])
  raise OptionParser::InvalidArgument, "--database" if options[:database] && ARGV[0] != "queries"
rescue OptionParser::ParseError => e
  warn e.message, parser.banner
  exit 2
end

require_relative "#{ARGV[0]}/cases"
finds = 0
seen = {}
session = Fuzz::Session.new(ARGV[0], options[:seed], options.slice(:database))
begin
  session.run(**options.slice(:seconds, :cases)) do |source, outcomes|
    next if seen[source]

    seen[source] = true
    finds += 1
    puts "--- find #{finds}, case #{session.count}", source
    outcomes.each do |backend, outcome|
      outcome.compact.uniq { |_, text| text }.each { |name, text| puts "  #{backend} #{name}: #{text.to_s[0, 2000]}" }
    end
    $stdout.flush
    break if finds == options[:finds]
  end
rescue Interrupt
  warn "interrupted"
end
print "#{session.count} cases, #{session.errors} of them errors, #{finds} differ "
puts "(bin/fuzz #{ARGV[0]} --seed #{options[:seed]})"
session.ways.sort.each { |(backend, way), count| puts "  #{backend}, #{way}: #{count}" }
if session.broken > session.count / 50
  abort "#{session.broken} cases could not be run: the fuzzer itself is at fault\n#{session.complaint}"
end
exit finds.zero?
