# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Collects lines of Ruby code, indented.
      #
      #   emitter.line "value = object.id"
      #   emitter.branch("::Integer === value") { emitter.line "out << value.to_s" }
      #          .otherwise { emitter.line "batch.value(value, :id)" }
      class Emitter
        def initialize
          @lines = []
          @depth = 0
        end

        # Adds one line. Returns the emitter.
        def line(code)
          @lines << "#{"  " * @depth}#{code}"
          self
        end

        # An if around the lines of the block; word: "unless" for the opposite. Returns the emitter.
        def branch(condition, word: "if", &block)
          enclose("#{word} #{condition}", &block)
        end

        # The else of the branch that was emitted last.
        def otherwise(&block)
          @lines.pop # its end
          enclose("else", &block)
        end

        # The elsif of the branch that was emitted last.
        def or_branch(condition, &block)
          @lines.pop # its end
          enclose("elsif #{condition}", &block)
        end

        # Indents the lines of the block.
        def indented
          @depth += 1
          yield
        ensure
          @depth -= 1
        end

        # All lines.
        def to_s
          @lines.join("\n")
        end

        private

        def enclose(opening, &block)
          line(opening)
          indented(&block)
          line("end")
        end
      end
    end
  end
end
