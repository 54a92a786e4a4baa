# frozen_string_literal: true

# Reads a log of memcheck and fails where a report begins in the extension. Ruby's own garbage collector reads
# words that were never written, which is how it works; those reports begin elsewhere.
log = File.read(ARGV.fetch(0))
reports = log.split(/^==\d+== ?\n/).map { |report| report.gsub(/^==\d+== ?/, "") }
ours = reports.select do |report|
  frames = report.lines.grep(/^\s+(at|by) 0x/)
  innermost = frames.drop_while { |frame| frame.match?(/vgpreload|libc\.so|ld-linux/) }.first.to_s
  innermost.include?("native.so")
end

$stderr.puts ours.uniq { |report| report.lines.grep(/native\.so/).first }
$stderr.puts "valgrind: #{ours.size} reports about the extension (#{reports.size} in all, #{ARGV[0]})"
exit ours.empty?
