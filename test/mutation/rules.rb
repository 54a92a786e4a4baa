# frozen_string_literal: true

require_relative "mutant"
require_relative "tokens"

module Mutation
  # What the rules of both languages share: faults in operands and choices, and where an expression begins and ends.
  #
  # A class that includes it has @mutants and @tokens, and says what an expression is:
  # - inside?(index, at), whether the token at at can belong to the expression around that at index;
  # - end?(index, at, ends), whether it is one of ends, at which that expression ends.
  module Rules
    TURNED = {"==" => "!=", "!=" => "==", "<" => "<=", "<=" => "<", ">" => ">=", ">=" => ">", "true" => "false",
              "false" => "true"}.freeze

    def self.included(language)
      language.define_singleton_method(:mutants) { |path, source| new(path, source).mutants }
    end

    private

    # Either operand of && or || is left out.
    def operands(index, ends)
      @mutants.replace(@tokens[left_of(index, ends)].first, @tokens[index + 1].first, "")
      @mutants.replace(@tokens[index - 1].last, @tokens[right_of(index, ends)].last, "")
    end

    # A condition before ? always gives the same of answers.
    def choice(index, ends, answers)
      left = left_of(index, ends - ["&&", "||"])
      answers.each { |answer| put(@tokens[left], @tokens[index - 1], answer) }
    end

    def left_of(index, ends)
      at = index
      at -= 1 while at.positive? && inside?(index, at - 1) && !end?(index, at - 1, ends)
      at
    end

    def right_of(index, ends)
      at = index
      at += 1 while at + 1 < @tokens.size && inside?(index, at + 1) && !end?(index, at + 1, ends)
      at
    end

    def put(first, last, text)
      @mutants.replace(first.first, last.last, text)
    end
  end
end
