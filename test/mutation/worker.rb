# frozen_string_literal: true

require_relative "tests"
require_relative "tree"

module Mutation
  # Tries one mutant after the other, in a tree of its own.
  class Worker
    def initialize(tree, tests, extension = nil)
      @tree = tree
      @tests = tests
      @extension = extension
    end

    # :noticed, :survived, :not_reached if no test runs its line, or :dead for what is no fault: it does not compile, or
    # to what was there before.
    def try(mutant)
      tests = @tests.backends(mutant.path).to_h { |backend| [backend, @tests.reaching(@tree, mutant, backend)] }
      @tree.with(mutant) { alive?(mutant) ? outcome(mutant, tests.reject { |_, found| found.empty? }) : :dead }
    end

    private

    # tests: by backend.
    def outcome(mutant, tests)
      return :not_reached if tests.empty?

      tests.any? { |backend, found| @tests.notice(@tree, mutant, backend, found).noticed } ? :noticed : :survived
    end

    def alive?(mutant)
      return @extension.build == :built unless mutant.path.end_with?(".rb")

      RubyVM::InstructionSequence.compile(mutant.mutated.force_encoding("UTF-8"))
      true
    rescue SyntaxError
      false
    end
  end
end
