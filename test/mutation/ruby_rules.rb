# frozen_string_literal: true

require_relative "rules"

module Mutation
  # The same faults of a Ruby file.
  class RubyRules
    include Rules

    # What an operand of && or || ends at.
    ENDS = ["&&", "||", "?", ":", ",", "=", "+=", "||=", "<<", "return", "next", "if", "unless", "elsif", "while",
            "until", "when", "then", "do", "and", "or", "not", "|"].freeze
    MODIFIERS = %w[if unless while until rescue].freeze
    # Lines that begin so are no statements, or say nothing about values.
    NO_STATEMENTS = %w[
      def class module if unless elsif else when in case begin rescue ensure end while until for then do alias undef
      require require_relative private private_constant private_class_method module_function public protected
    ].freeze

    def initialize(path, source)
      @mutants = Mutants.new(path, source)
      @tokens = RubyTokens.of(source)
    end

    def mutants
      @tokens.each_with_index { |token, index| word(token, index) }
      lines.each { |first, last| statement(first, last) }
      @mutants.to_a
    end

    private

    def word(token, index)
      case token.text
      when "if", "unless", "elsif" then condition(token, index) if token.kind == :keyword
      when "&&", "||" then operands(index, ENDS)
      when "?" then choice(index, ENDS, %w[true false])
      else value(token, index)
      end
    end

    def value(token, index)
      if token.kind == :number && token.text.match?(/\A(?:0|[1-9][\d_]*)\z/)
        put(token, token, (Integer(token.text) + 1).to_s)
        put(token, token, (Integer(token.text) - 1).to_s) unless token.is?("0")
      elsif TURNED.key?(token.text) && %i[operator keyword].include?(token.kind) && !definition?(index)
        put(token, token, TURNED.fetch(token.text))
      end
    end

    # class A < B, def ==(other)
    def definition?(index)
      @tokens[index - 1].is?("def") || @tokens[[index - 2, 0].max..index].any? do |token|
        token.is?("class")
      end || @tokens[index - 2].is?("class")
    end

    # A modifier's statement that is never run is one that is removed.
    def condition(token, index)
      put(token, token, token.is?("if") ? "unless" : "if") unless token.is?("elsif")
      last = right_of(index, ["then", *MODIFIERS]) # a condition ends at no && of its own
      return if last == index

      never = token.is?("unless") ? "true" : "false"
      answers = modifier?(index) ? %w[true false] - [never] : %w[true false]
      answers.each { |answer| put(@tokens[index + 1], @tokens[last], answer) }
    end

    def modifier?(index)
      index.positive? && @tokens[index - 1].kind != :newline && !@tokens[index - 1].is?("=", "||=")
    end

    def inside?(index, at)
      token = @tokens[at]
      return false if token.kind == :newline && token.depth <= @tokens[index].depth

      token.depth > @tokens[index].depth || (token.depth == @tokens[index].depth && !block_bracket?(index, at))
    end

    # The { of a block that stands around the expression, and a method's end that is written as =.
    def block_bracket?(index, at)
      at < index && @tokens[at].is?("{", "|")
    end

    def end?(index, at, ends)
      %i[operator
         keyword].include?(@tokens[at].kind) && @tokens[at].depth == @tokens[index].depth && @tokens[at].is?(*ends)
    end

    # First and last token of each line that stands in a method's body or a class's.
    def lines
      @tokens.slice_when { |token, _| token.kind == :newline && token.depth.zero? }.filter_map do |line|
        line = line.reject { |token| token.kind == :newline && token.depth.zero? }
        [line.first, line.last] if !line.empty? && removable?(line)
      end
    end

    def removable?(line)
      return false if line.first.kind == :keyword && NO_STATEMENTS.include?(line.first.text)
      return false if NO_STATEMENTS.include?(line.first.text) || line.any? do |token|
        token.is?("def", "class", "module")
      end

      opened = line.each_with_index.sum { |token, index| opening?(token, line[index - 1], index) }
      opened.zero? && !line.last.is?("do", "|") && line.size > 1
    end

    # How many ends a token asks for or is.
    def opening?(token, before, index)
      return 0 unless token.kind == :keyword
      return -1 if token.is?("end")
      return 1 if token.is?("do", "case", "begin")

      token.is?("if", "unless", "while", "until") && (index.zero? || before.is?("=", "||=")) ? 1 : 0
    end

    def statement(first, last)
      put(first, last, "nil")
    end
  end
end
