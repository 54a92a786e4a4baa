# frozen_string_literal: true

require_relative "c_rules"
require_relative "ruby_rules"

module Mutation
  # The mutants of one file, in the order in which they are tried, and what came of them.
  class FileRun
    attr_reader :path, :survivors

    # line: the only one in which faults are planted; nil for all.
    def initialize(root, path, line = nil, accepted:, random:)
      @path = path
      source = File.binread(File.join(root, path)).force_encoding("UTF-8")
      rules = path.end_with?(".rb") ? RubyRules : CRules
      @accepted, @waiting = rules.mutants(path, source).partition { |mutant| accepted.accept?(mutant) }
      @waiting.select! { |mutant| mutant.line == Integer(line) } if line
      @waiting.shuffle!(random: random)
      @noticed = 0
      @survivors = []
    end

    # Those that are not dead count for the sample.
    def next(sample)
      @waiting.shift if tried < sample
    end

    def add(mutant, outcome)
      @noticed += 1 if outcome == :noticed
      @survivors << mutant if %i[survived not_reached].include?(outcome)
    end

    def tried = @noticed + @survivors.size

    def summary
      share = tried.zero? ? "" : " (#{100 * @noticed / tried} %)"
      "#{@path}: #{tried} tried, #{@noticed} noticed#{share}, #{@accepted.size} accepted, #{@waiting.size} not tried"
    end
  end
end
