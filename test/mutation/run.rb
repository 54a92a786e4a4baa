# frozen_string_literal: true

# See bin/mutate. Plants small faults, one at a time, in a copy of the tree, and lists those that no test notices.
require "optparse"
require_relative "accepted"
require_relative "file_run"
require_relative "worker"

# What the tests load: each fault's process has it already.
%w[minitest json bigdecimal stringio open3 active_record active_support/json active_support/time sqlite3].each do |name|
  require name
end

module Mutation
  ROOT = File.expand_path("../..", __dir__)
  FOLDER = File.join(ROOT, "tmp/mutate")
  FILES = %w[ext/katsu/**/*.{c,h} lib/katsu/{as_json,cast,filters,plan,portable,serializer,source}{,/**/*}.rb].freeze
  GENERATED = %w[ext/katsu/bytes/powers_of_ten.h].freeze

  class Run
    def initialize(paths, seconds:, sample:, seed:, workers:, least:, each: Float::INFINITY)
      @seconds = seconds
      @sample = sample
      @least = least
      @workers = workers
      @accepted = Accepted.new(File.join(ROOT, "test/mutations.yml"))
      @files = paths.map { |path| FileRun.new(ROOT, *path.split(":"), accepted: @accepted, random: Random.new(seed)) }
      @tests = Tests.new(FOLDER, each: each)
      @lock = Mutex.new
    end

    # Interrupted, it reports as far as it has come.
    def run
      %w[INT TERM].each { |signal| trap(signal) { @finish = 0 } }
      workers = Array.new(@workers) { |number| worker(number) }
      Process.warmup if Process.respond_to?(:warmup) # what is shared with a fault's process is not looked at by its GC
      @finish ||= now + @seconds
      workers.map { |worker| Thread.new { try_all(worker) } }.each(&:join)
      @tests.keep
      report
    end

    private

    def worker(number)
      tree = Tree.new(ROOT, File.join(FOLDER, "tree-#{number}"))
      paths = @files.map(&:path)
      @tests.prepare(tree, paths) { extension(tree, traced: true) }
      native = paths.any? { |path| @tests.backends(path).include?("native") }
      Worker.new(tree, @tests, (extension(tree) if native))
    end

    def extension(tree, traced: false)
      Extension.new(tree, File.join(ROOT, ENV.fetch("KATSU_BUILD")), File.join(FOLDER, "objects"), traced: traced)
    end

    # The files take turns.
    def try_all(worker)
      while (file, mutant = @lock.synchronize { take })
        outcome = worker.try(mutant)
        @lock.synchronize do
          file.add(mutant, outcome)
          puts "#{file.path}:#{mutant.line}: #{mutant}" if outcome == :survived
          puts "#{file.path}:#{mutant.line}: no test runs it: #{mutant}" if outcome == :not_reached
        end
      end
    end

    def take
      return if now > @finish

      @files.rotate!
      @files.each do |file|
        mutant = file.next(@sample)
        return [file, mutant] if mutant
      end
      nil
    end

    # True if at least so many have been noticed, and no reason is out of date.
    def report
      puts
      @files.sort_by(&:path).each { |file| puts file.summary if file.tried.positive? }
      stale = @accepted.stale(@files.map(&:path))
      stale.each { |entry| puts "test/mutations.yml: out of date: #{entry}" }
      enough? && stale.empty?
    end

    # Counts all files together: a few faults of one say little.
    def enough?
      tried = @files.sum(&:tried)
      noticed = tried - @files.sum { |file| file.survivors.size }
      puts "#{noticed} of #{tried} noticed" if tried.positive?
      noticed * 100 >= tried * @least
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  USAGE = <<~TEXT
    usage: bin/mutate [FILE[:LINE] ...] [options] [--ruby DIR]
    Without a FILE all of #{FILES.join(" ")}.
  TEXT

  class << self
    # What the command line says: [paths, keywords of Run].
    def arguments(argv)
      options = {seconds: 300, sample: 40, seed: Random.new_seed % 10_000, workers: 1, files: nil, least: 100}
      parser = OptionParser.new(USAGE)
      parser.on("--seconds N", Integer, "at most so long (#{options[:seconds]})")
      parser.on("--sample N", Integer, "so many faults of each file, by chance (#{options[:sample]})")
      parser.on("--each N", Integer, "so many seconds of tests for a fault, the likeliest first (all)")
      parser.on("--files N", Integer, "so many of the files, by chance (all)")
      parser.on("--least N", Integer, "fails if fewer percent are noticed (#{options[:least]})")
      parser.on("--seed N", Integer, "the same files and faults again")
      parser.on("--databases", "with the tests of test/databases, too, by one worker")
      parser.on("--workers N", Integer, "how many at a time, at most 2 (1)") { |value| value.clamp(1, 2) }
      names = parser.parse(argv, into: options)
      paths = names.empty? ? Dir.glob(FILES, base: ROOT).sort - GENERATED : names.map do |name|
        name.delete_prefix("./")
      end
      options[:workers] = 1 if options.delete(:databases)
      count = options.delete(:files)
      [count ? paths.sample(count, random: Random.new(options[:seed])) : paths, options]
    end
  end
end

if $PROGRAM_NAME == __FILE__
  paths, options = Mutation.arguments(ARGV)
  missing = paths.reject { |path| File.file?(File.join(Mutation::ROOT, path[/\A[^:]+/])) }
  abort "no such file: #{missing.join(", ")}" if missing.any?
  $stdout.sync = true
  puts "seed #{options[:seed]}"
  exit Mutation::Run.new(paths, **options).run
end
