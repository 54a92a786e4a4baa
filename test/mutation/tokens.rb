# frozen_string_literal: true

require "ripper"

module Mutation
  # A word of a program: kind (:name, :number, :character, :operator, :newline, :other), its text, where it begins and
  # ends in bytes, and how many brackets it stands in (an opening bracket and its closing one count as outside).
  Token = Struct.new(:kind, :text, :first, :last, :depth) do
    def is?(*texts) = texts.include?(text)
  end

  # Splits a C file into tokens, without comments and white space.
  module CTokens
    PATTERN = %r{
      (?<skip>\s+|/\*.*?\*/|//[^\n]*|\\\n)
      |(?<other>"(?:\\.|[^"\\])*"|\#\s*\w+)
      |(?<character>'(?:\\.|[^'\\])+')
      |(?<number>(?:0[xX][0-9a-fA-F]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+)[uUlLfF]*)
      |(?<name>[A-Za-z_]\w*)
      |(?<operator>->|\+\+|--|<<=|>>=|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||[-+*/%&|^!~<>=?:;,.(){}\[\]])
    }mx

    # Tokens of the file; those of a line for the preprocessor follow each other in a list of their own.
    def self.of(source)
      code, directives = source.b.then { |text| [without_directives(text), directives(text)] }
      [split(code, 0)] + directives.map { |first, text| split(text, first) }
    end

    DIRECTIVE = /^[ \t]*#(?:[^\n\\]|\\.)*(?:\\\n(?:[^\n\\]|\\.)*)*/mn
    private_constant :DIRECTIVE

    def self.without_directives(text)
      text.gsub(DIRECTIVE) { |line| line.gsub(/[^\n]/n, " ") }
    end

    # Macros, by the place of their text: what stands behind the name and its parameters.
    def self.directives(text)
      found = []
      text.scan(/^[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)]*\))?((?:[^\n\\]|\\\n|\\.)*)/mn) do
        found << [$~.begin(1), $~[1]]
      end
      found
    end

    def self.split(text, start)
      tokens = []
      depth = 0
      text.scan(PATTERN) do
        match = Regexp.last_match
        kind = match.names.find { |name| match[name] }.to_sym
        next if kind == :skip

        depth -= 1 if match[0].match?(/\A[)\]}]\z/)
        tokens << Token.new(kind, match[0], start + match.begin(0), start + match.end(0), depth)
        depth += 1 if match[0].match?(/\A[(\[{]\z/)
      end
      tokens
    end
  end

  # Splits a Ruby file into tokens, without comments and blanks. Strings are :other, what is interpolated in them is not
  # looked at.
  module RubyTokens
    OPENING = %i[on_lparen on_lbracket on_lbrace on_tlambeg on_embexpr_beg].freeze
    CLOSING = %i[on_rparen on_rbracket on_rbrace on_embexpr_end].freeze
    KINDS = {on_int: :number, on_op: :operator, on_kw: :keyword, on_ident: :name, on_const: :name, on_ivar: :name,
             on_nl: :newline,
             on_semicolon: :newline, on_comma: :operator}.freeze
    SKIPPED = %i[on_sp on_embdoc on_embdoc_beg on_embdoc_end].freeze
    LINE_ENDS = %i[on_comment on_ignored_nl].freeze

    def self.of(source)
      starts = source.lines.each_with_object([0]) { |line, found| found << (found.last + line.bytesize) }
      Ripper.lex(source).each_with_object([]) do |((line, column), event, text), tokens|
        next if SKIPPED.include?(event) || (LINE_ENDS.include?(event) && !statement_ends?(tokens.last, text))

        depth = tokens.empty? ? 0 : tokens.last.depth + (tokens.last.kind == :opening ? 1 : 0)
        depth -= 1 if CLOSING.include?(event)
        first = starts[line - 1] + column
        symbol = tokens.last&.is?(":") && tokens.last.kind == :other
        tokens << Token.new(symbol ? :name : kind(event), text, first, first + text.bytesize, depth)
      end
    end

    def self.kind(event)
      return :opening if OPENING.include?(event)
      return :newline if LINE_ENDS.include?(event)

      KINDS.fetch(event, :other)
    end

    # A line goes on behind an operator, a comma or an opening bracket.
    def self.statement_ends?(before, text)
      text.end_with?("\n") && before && !%i[operator opening newline].include?(before.kind)
    end
  end
end
