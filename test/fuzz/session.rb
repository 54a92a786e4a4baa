# frozen_string_literal: true

require "io/wait"
require "open3"
require_relative "tree"

module Fuzz
  # A process with one backend, that answers programs.
  class Worker
    PATIENCE = 120 # seconds
    YJIT = (defined?(RubyVM::YJIT) ? ["--yjit"] : []).freeze

    # options: the world's, by name.
    def initialize(kind, backend, options)
      @command = [{"KATSU_BACKEND" => backend}, RbConfig.ruby, "-W0", *YJIT, "-I",
                  File.expand_path("../../lib", __dir__), File.expand_path("worker.rb", __dir__), kind,
                  *options.map { |name, value| "#{name}=#{value}" }]
      start
    end

    def ask(setup, cases)
      Marshal.dump([setup.source, cases.map(&:source)], @input)
      @input.flush
    rescue Errno::EPIPE
      nil # answer finds it out
    end

    # The outcomes of the cases that were asked last; nil if the process died or hangs.
    def answer
      return Marshal.load(@output) if @output.wait_readable(PATIENCE)

      Process.kill(:KILL, @process.pid)
      restart
    rescue EOFError, TypeError, ArgumentError
      restart
    end

    private

    def start
      @input, @output, @process = Open3.popen2(*@command)
      [@input, @output].each(&:binmode)
    end

    def restart
      [@input, @output].each(&:close)
      @process.value
      start
      nil
    end
  end

  # Asks both backends, and makes what they differ on small.
  class Session
    PATIENCE = 20 # seconds for making one find small

    attr_reader :count, :errors, :broken, :complaint

    # By backend and way, how many documents were written; empty if a kind knows no ways.
    attr_reader :ways

    # options: of the kind, such as the database of queries.
    def initialize(kind, seed, options = {})
      @cases = Cases.new(Random.new(seed), **options)
      @workers = %i[native ruby].to_h { |backend| [backend, Worker.new(kind, backend.to_s, options)] }
      @count = @errors = @broken = 0
      @ways = Hash.new(0)
    end

    # Yields each find: its source and what came of it.
    def run(seconds:, cases: Float::INFINITY)
      finish = now + seconds
      while now < finish && @count < cases
        setup, trees = @cases.program
        outcomes(setup, trees).each_with_index do |outcome, index|
          note(outcome)
          next unless differs?(outcome)

          smallest = shrink([setup, trees[index]])
          yield "#{smallest.map(&:source).join("\n")}\n", outcomes(smallest[0], [smallest[1]])[0]
        end
      end
    end

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def note(outcome)
      @count += outcome[:native].fetch(:documents, 1)
      outcome.each { |backend, found| @ways[[backend, found[:way]]] += found[:documents] if found[:way] }
      @errors += 1 if outcome[:native][:katsu]&.match?(/\berror\b/)
      return unless outcome[:native][:broken]

      @broken += 1
      @complaint ||= outcome[:native][:broken]
    end

    # {native: outcome, ruby: outcome} of each case. If a process dies, each case is asked on its own.
    def outcomes(setup, trees)
      @workers.each_value { |worker| worker.ask(setup, trees) }
      answers = @workers.transform_values(&:answer)
      if answers.each_value.all?
        return trees.each_index.map { |index| answers.transform_values { |outcomes| outcomes[index] } }
      end
      return [answers.transform_values { |outcomes| outcomes ? outcomes[0] : {katsu: "died"} }] if trees.size == 1

      trees.flat_map { |tree| outcomes(setup, [tree]) }
    end

    def differs?(outcome)
      native, ruby = outcome.values_at(:native, :ruby)
      return native[:broken].nil? != ruby[:broken].nil? if native[:broken] || ruby[:broken]

      native[:bytes] != ruby[:bytes] || [native[:katsu], ruby[:katsu], native[:reference]].compact.uniq.size > 1
    end

    # [setup, case] of which nothing can be taken away, or what PATIENCE allows. What could not be left out is tried
    # again after a whole pass.
    def shrink(pair)
      limit = now + PATIENCE
      index = 0
      changed = false
      loop do
        candidate = candidates(*pair)[index]
        return pair if now > limit || (candidate.nil? && !changed)

        if candidate.nil?
          index = 0
          changed = false
        elsif differs?(outcomes(candidate[0], [candidate[1]])[0])
          pair = candidate
          changed = true
        else
          index += 1
        end
      end
    end

    def candidates(setup, tree)
      tree.smaller.map { |other| [setup, other] } + setup.smaller.map { |other| [other, tree] }
    end
  end
end
