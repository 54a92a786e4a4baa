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

    # :noticed, :survived, or :dead for what is no fault: it does not compile, or to what was there before.
    def try(mutant)
      @tree.with(mutant) do
        next :dead unless alive?(mutant)

        @tests.backends(mutant.path).any? do |backend|
          @tests.notice(@tree, mutant.path, backend).noticed
        end ? :noticed : :survived
      end
    end

    private

    def alive?(mutant)
      return @extension.build == :built unless mutant.path.end_with?(".rb")

      RubyVM::InstructionSequence.compile(mutant.mutated.force_encoding("UTF-8"))
      true
    rescue SyntaxError
      false
    end
  end
end
