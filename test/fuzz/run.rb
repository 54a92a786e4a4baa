# frozen_string_literal: true

# See bin/fuzz. Random values, options, encodings and objects with a to_json of their own: the native backend, the
# ruby backend and the json gem have to agree, in bytes or in the kind of error. What they do not agree on is made
# as small as it goes and printed as Ruby.
require "open3"
require "optparse"
require_relative "cases"

module Fuzz
  class Worker
    def initialize(backend)
      @input, @output, = Open3.popen2({"KATSU_BACKEND" => backend}, RbConfig.ruby, "-W0", "-I", File.expand_path("../../lib", __dir__),
                                      File.expand_path("worker.rb", __dir__))
    end

    # [Katsu's, json's]
    def answer(tree, options)
      @input.puts "#{Cases.source(tree)}\t#{options}"
      @input.flush
      line = @output.gets or abort "a worker died of: #{Cases.source(tree)}, #{options}"
      line.chomp.split("\t")
    end
  end

  class Run
    def initialize(seed)
      @cases = Cases.new(seed)
      @workers = %w[native ruby].to_h { |backend| [backend, Worker.new(backend)] }
    end

    # Yields each find: a snippet and what came of it.
    def cases(seconds)
      count = 0
      finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
      while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
        tree, options = @cases.next
        count += 1
        next unless differs?(tree, options)

        tree = shrink(tree, options)
        yield "Katsu.generate(#{Cases.source(tree)}, #{options})", outcomes(tree, options)
      end
      count
    end

    private

    def outcomes(tree, options)
      native, json = @workers["native"].answer(tree, options)
      ruby, = @workers["ruby"].answer(tree, options)
      {native: native, ruby: ruby, json: json}
    end

    def differs?(tree, options)
      outcomes(tree, options).values.map { |text| comparable(text) }.uniq.size > 1
    end

    # json, and to_json methods that go through it, print a few floats with more digits than they need; see
    # docs/generator.md. So floats are compared as numbers, everything else as bytes.
    def comparable(text)
      return text if text.start_with?("error")

      hex, encoding = text.split(":", 2)
      [[hex].pack("H*").gsub(/-?\d+\.\d+(?:e[+-]?\d+)?/n) { |float| float.to_f.to_s }, encoding]
    end

    def shrink(tree, options)
      loop do
        smaller = Cases.smaller(tree).find { |candidate| differs?(candidate, options) }
        return tree unless smaller

        tree = smaller
      end
    end
  end
end

options = {seconds: 20, seed: Random.new_seed % 2**32}
parser = OptionParser.new do |o|
  o.banner = "usage: bin/fuzz generate [--seconds N] [--seed S]"
  o.on("--seconds N", Integer)
  o.on("--seed S", Integer)
end
begin
  parser.parse!(into: options)
  raise OptionParser::InvalidArgument, ARGV.join(" ") unless ARGV == ["generate"]
rescue OptionParser::ParseError => e
  warn e.message, parser.banner
  exit 2
end

finds = 0
count = Fuzz::Run.new(options[:seed]).cases(options[:seconds]) do |snippet, outcomes|
  finds += 1
  puts snippet
  outcomes.each { |name, text| puts "  #{name}: #{text.start_with?("error") ? text : [text[/\h*/]].pack("H*").inspect + text[/:.*/]}" }
  break 0 if finds == 10
end
puts "#{count} cases, #{finds} differ (seed #{options[:seed]})"
exit finds.zero?
