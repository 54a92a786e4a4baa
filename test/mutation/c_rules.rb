# frozen_string_literal: true

require_relative "rules"

module Mutation
  # The faults of a C file: comparisons turned or off by one, constants by one, conditions turned or dropped, statements
  # removed.
  class CRules
    include Rules

    # What an operand of && or || ends at, and one of ||.
    ENDS = ["&&", "||", "?", ":", ";", ",", "=", "return", "+=", "-=", "|=", "&="].freeze
    NO_STATEMENTS = %w[if for while do switch case default else static const struct typedef extern enum union
                       return].freeze
    ASSIGNMENTS = %w[= += -= *= /= |= &= ^= <<= >>= ++ --].freeze

    def initialize(path, source)
      @mutants = Mutants.new(path, source)
      @lists = CTokens.of(source)
    end

    def mutants
      @lists.each do |tokens|
        @tokens = tokens
        tokens.each_with_index { |token, index| word(token, index) }
      end
      @tokens = @lists.first
      @tokens.each_index { |index| statement(index) if statement_start?(index) }
      @mutants.to_a
    end

    private

    def word(token, index)
      case token.text
      when "if", "while" then condition(index) if @tokens[index + 1]&.is?("(")
      when "&&", "||" then operands(index, ENDS)
      when "?" then choice(index, ENDS, %w[1 0])
      else value(token)
      end
    end

    def value(token)
      if token.kind == :number && (match = token.text.match(/\A(0[xX]\h+|\d+)([uUlL]*)\z/))
        number(token, Integer(match[1].match?(/\A0\d/) ? match[1].to_i(8).to_s : match[1]), match[2])
      elsif token.kind == :character && token.text.match?(/\A'[ -~]'\z/)
        following = (token.text[1].ord + 1).chr
        put(token, token, "'#{following}'") unless following.match?(/['\\]/)
      elsif (other = TURNED[token.text])
        put(token, token, other)
      end
    end

    def number(token, value, suffix)
      put(token, token, "#{value + 1}#{suffix}")
      put(token, token, "#{value - 1}#{suffix}") if value.positive?
    end

    def condition(index)
      close = closing(index + 1)
      text = text_of(index + 2, close - 1)
      put(@tokens[index + 1], @tokens[close], "(!(#{text}))")
      return if @tokens[index].is?("while")

      put(@tokens[index + 1], @tokens[close], "(1)")
      put(@tokens[index + 1], @tokens[close], "(0)") if @tokens[close + 1].is?("{", "if", "for", "while", "switch")
    end

    # Brackets count as outside of themselves, and a closing one that is not in this expression as its end.
    def inside?(index, at)
      depth = @tokens[index].depth
      @tokens[at].depth > depth || (@tokens[at].depth == depth && !foreign_bracket?(index, at))
    end

    def foreign_bracket?(index, at)
      at < index ? @tokens[at].is?("{", "}") : @tokens[at].is?("{", "}", ";")
    end

    def end?(index, at, ends)
      @tokens[at].depth == @tokens[index].depth && @tokens[at].is?(*ends)
    end

    def statement_start?(index)
      token = @tokens[index]
      return false if token.depth.zero? || index.zero?

      before = @tokens[index - 1]
      before.is?(";", "{", "}",
                 "else") || (before.is?(")") && control?(index - 1)) || (before.is?(":") && label?(index - 1))
    end

    def control?(close)
      open = close
      open -= 1 until @tokens[open].is?("(") && @tokens[open].depth == @tokens[close].depth
      @tokens[open - 1].is?("if", "for", "while")
    end

    def label?(colon)
      @tokens[colon - 2]&.is?("case", ";", "{", "}") || @tokens[colon - 1].is?("default")
    end

    def statement(index)
      last = index
      last += 1 until last + 1 >= @tokens.size || @tokens[last].is?(";") || @tokens[last].is?("{", "}")
      return unless @tokens[last].is?(";") && @tokens[last].depth == @tokens[index].depth

      put(@tokens[index], @tokens[last], ";") if removable?(index, last)
    end

    def removable?(index, last)
      first = @tokens[index]
      return true if first.is?("break", "continue", "goto")
      return !@tokens[last + 1].is?("}") if first.is?("return")
      return false if NO_STATEMENTS.include?(first.text) || declaration?(index)

      @tokens[index..last].any? { |token| token.is?("(", *ASSIGNMENTS) }
    end

    def declaration?(index)
      following = @tokens[index + 1..].find { |token| !token.is?("*", "const") }
      @tokens[index].kind == :name && following.kind == :name && !@tokens[index + 1].is?("(")
    end

    def closing(open)
      (open + 1...@tokens.size).find { |at| @tokens[at].is?(")") && @tokens[at].depth == @tokens[open].depth }
    end

    def text_of(first, last)
      @mutants.text(@tokens[first].first, @tokens[last].last)
    end
  end
end
