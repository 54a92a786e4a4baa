# frozen_string_literal: true

require "coverage"

module Mutation
  # Which lines must be run for a fault to show.
  class Lines
    DEFINITION = /^\s*(?:#\s*define\s+(\w+)|([A-Z]\w*) = )/

    # blocks: {path => the lines of C that code was made of}
    def initialize(tree, blocks)
      @tree = tree
      @blocks = blocks.transform_values(&:sort)
      @texts = {}
      @bodies = {}
    end

    # [path, line] of each, or none if it cannot be told.
    def of(path, line)
      name = text(path)[definition(path, line) - 1][DEFINITION] && ($1 || $2)
      return mentions(name) | around(path) if name && !body(path, line)

      path.end_with?(".rb") ? ruby(path, line) : c(path, line)
    end

    private

    def text(path) = @texts[path] ||= File.readlines(@tree.path(path))

    # The first line of a directive of several.
    def definition(path, line)
      line -= 1 while line > 1 && text(path)[line - 2].end_with?("\\\n")
      line
    end

    def c(path, line)
      at = block(path, line)
      at ? [[path, at]] : around(path)
    end

    # The line at which the code of a statement begins; nil if it is of none.
    def block(path, line)
      at = @blocks.fetch(path, []).reverse_each.find { |known| known <= line }
      at unless at.nil? || (at < line && text(path)[at - 1].start_with?("}"))
    end

    def ruby(path, line)
      body = body(path, line)
      counted = Coverage.line_stub(@tree.path(path))[line - 1]
      return counted ? [[path, line]] : [] unless body
      return [[path, line]] if body.one? || (line > body.begin && counted)

      run(body).map { |at| [path, at] }
    end

    # The lines of a method that are not run to define it.
    def run(body) = body.one? ? body.to_a : body.drop(1)

    # The method that a line of Ruby is in.
    def body(path, line)
      return @blocks.key?(path) && block(path, line) unless path.end_with?(".rb")

      bodies(path).select { |body| body.cover?(line) }.min_by(&:size)
    end

    def bodies(path)
      @bodies[path] ||= methods(RubyVM::InstructionSequence.compile(text(path).join))
    end

    def methods(code)
      first, _, last = code.to_a[4][:code_location]
      inner = []
      code.each_child { |child| inner.concat(methods(child)) }
      code.to_a[9] == :method ? [first..last, *inner] : inner
    end

    # All lines of the file that are run when something is called.
    def around(path)
      lines = path.end_with?(".rb") ? bodies(path).flat_map { |body| run(body) } : @blocks.fetch(path, [])
      lines.map { |line| [path, line] }
    end

    # Where a constant is used, in other constants too.
    def mentions(name, seen = [])
      return [] if seen.include?(name)

      Dir.glob("{ext,lib}/**/*.{c,h,rb}", base: @tree.folder).flat_map do |path|
        lines = text(path).each_index.select { |at| text(path)[at].match?(/\b#{name}\b/) }
        lines.flat_map { |at| mention(path, at + 1, [*seen, name]) }
      end
    end

    def mention(path, line, seen)
      return ruby(path, line) if path.end_with?(".rb")

      outer = text(path)[definition(path, line) - 1][DEFINITION] && $1
      outer ? mentions(outer, seen) : c(path, line)
    end
  end
end
