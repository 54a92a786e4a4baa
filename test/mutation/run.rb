# frozen_string_literal: true

# See bin/mutate. Plants small faults, one at a time, in a copy of the tree, and lists those that no test notices.
require "optparse"
require_relative "accepted"
require_relative "file_run"
require_relative "worker"

# What the tests load: each fault's process has it already.
%w[minitest json bigdecimal stringio open3 active_record active_support/json active_support/time sqlite3].each { |name| require name }

module Mutation
  ROOT = File.expand_path("../..", __dir__)
  FOLDER = File.join(ROOT, "tmp/mutate")
  FILES = %w[ext/katsu/**/*.{c,h} lib/katsu/{plan,serializer,source,cast,portable}{,/**/*}.rb].freeze
  GENERATED = %w[ext/katsu/bytes/powers_of_ten.h].freeze

  class Run
    def initialize(paths, seconds:, sample:, seed:, workers:)
      @seconds = seconds
      @sample = sample
      @workers = workers
      @accepted = Accepted.new(File.join(ROOT, "test/mutations.yml"))
      @files = paths.map { |path| FileRun.new(ROOT, path, @accepted, Random.new(seed)) }
      @tests = Tests.new(File.join(__dir__, "tests.yml"), FOLDER)
      @lock = Mutex.new
    end

    # Interrupted, it reports as far as it has come.
    def run
      %w[INT TERM].each { |signal| trap(signal) { @finish = 0 } }
      workers = Array.new(@workers) { |number| worker(number) }
      @finish ||= now + @seconds
      workers.map { |worker| Thread.new { try_all(worker) } }.each(&:join)
      @tests.keep
      report
    end

    private

    def worker(number)
      tree = Tree.new(ROOT, File.join(FOLDER, "tree-#{number}"))
      native = @files.any? { |file| @tests.backends(file.path).include?("native") }
      extension = Extension.new(tree, File.join(ROOT, ENV.fetch("KATSU_BUILD")), File.join(FOLDER, "objects")) if native
      @tests.prepare(tree, @files.map(&:path))
      Worker.new(tree, @tests, extension)
    end

    # The files take turns.
    def try_all(worker)
      while (file, mutant = @lock.synchronize { take })
        outcome = worker.try(mutant)
        @lock.synchronize do
          file.add(mutant, outcome)
          puts "#{file.path}:#{mutant.line}: #{mutant}" if outcome == :survived
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

    # True if nothing has survived and no reason is out of date.
    def report
      puts
      @files.sort_by(&:path).each { |file| puts file.summary if file.tried.positive? }
      stale = @accepted.stale(@files.map(&:path))
      stale.each { |entry| puts "test/mutations.yml: out of date: #{entry}" }
      @files.all? { |file| file.survivors.empty? } && stale.empty?
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def self.options
    options = {seconds: 300, sample: 40, seed: Random.new_seed % 10_000, workers: 1}
    OptionParser.new do |parser|
      parser.banner = "usage: bin/mutate [FILE ...] [--seconds N] [--sample N] [--seed N] [--workers 1|2] [--ruby DIR]"
      parser.on("--seconds N", Integer, "at most so long (#{options[:seconds]})") { |value| options[:seconds] = value }
      parser.on("--sample N", Integer, "so many faults of each file, by chance (#{options[:sample]})") { |value| options[:sample] = value }
      parser.on("--seed N", Integer, "the same faults again") { |value| options[:seed] = value }
      parser.on("--workers N", Integer, "how many at a time, at most 2 (1)") { |value| options[:workers] = value.clamp(1, 2) }
    end.parse!
    options
  end
end

if $PROGRAM_NAME == __FILE__
  options = Mutation.options
  paths = ARGV.empty? ? Dir.glob(Mutation::FILES, base: Mutation::ROOT).sort - Mutation::GENERATED : ARGV.map { |path| path.delete_prefix("./") }
  missing = paths.reject { |path| File.file?(File.join(Mutation::ROOT, path)) }
  abort "no such file: #{missing.join(", ")}" if missing.any?
  $stdout.sync = true
  puts "seed #{options[:seed]}"
  exit Mutation::Run.new(paths, **options).run
end
