# frozen_string_literal: true

module Mutation
  # One fault: the bytes of a file from offset on, length of them, are replaced by text.
  Mutant = Struct.new(:path, :source, :offset, :length, :text) do
    def mutated
      source.byteslice(0, offset) + text + source.byteslice((offset + length)..)
    end

    def line
      source.byteslice(0, offset).count("\n") + 1
    end

    # The lines that change, as they are and as they become, in one line each.
    def before = excerpt(source.byteslice(offset, length))
    def after = excerpt(text)

    # What mutations.yml and reports say: stays the same when the file changes elsewhere.
    def to_s
      "#{before} -> #{after}"
    end

    private

    def excerpt(middle)
      head = source.byteslice(0, offset).rpartition("\n").last
      tail = source.byteslice((offset + length)..).partition("\n").first
      "#{head}#{middle}#{tail}".gsub(/\s+/, " ").strip
    end
  end

  # Collects the mutants of one file; edits that leave it as it is are none.
  class Mutants
    def initialize(path, source)
      @path = path
      @source = source
      @found = {}
    end

    # Replaces the bytes from first to before last.
    def replace(first, last, text)
      return if @source.byteslice(first, last - first) == text

      @found[[first, last, text]] ||= Mutant.new(@path, @source, first, last - first, text)
    end

    def text(first, last)
      @source.byteslice(first, last - first)
    end

    def to_a
      @found.values.sort_by(&:offset)
    end
  end
end
