# frozen_string_literal: true

require_relative "covered_lines"

module Mutation
  # Which lines of the tree run: those of Ruby by its Coverage, those of C by the blocks of a traced extension.
  # Processes that are started meanwhile count too.
  class Recorder
    # blocks: as Extension#blocks gives them.
    def initialize(tree, blocks)
      @prefix = tree.path("")
      @blocks = blocks
      @zeros = "\0".b * (blocks.keys.max.to_i + 1)
      @run, @children = %w[KATSU_BLOCKS KATSU_LINES].map { |name| ENV[name] = tree.path(name) }
      [@run, @children].zip([@zeros, ""]) { |file, empty| File.binwrite(file, empty) }
      ENV["RUBYOPT"] = "#{ENV["RUBYOPT"]} -r#{File.join(__dir__, "child_lines")}"
      Coverage.start(lines: true)
    end

    # {path => lines} since the last call.
    def take
      found = Hash.new { |hash, path| hash[path] = [] }
      Coverage.result(stop: false, clear: true).each { |path, counts| add(found, path, CoveredLines.of(counts)) }
      File.foreach(@children) do |line|
        path, lines = line.chomp.split("\t")
        add(found, path, lines.to_s.split(",").map(&:to_i))
      end
      add_blocks(found)
      [@run, @children].zip([@zeros, ""]) { |file, empty| clear(file, empty) }
      found.transform_values { |lines| lines.uniq.sort }
    end

    private

    def add(found, path, lines)
      found[path.delete_prefix(@prefix)].concat(lines) if lines.any? && path.start_with?("#{@prefix}lib/")
    end

    def add_blocks(found)
      bytes = File.binread(@run)
      at = -1
      @blocks[at].to_h.each { |path, lines| found[path].concat(lines) } while (at = bytes.index("\1", at + 1))
    end

    # The extension has the first in its memory: it must not shrink.
    def clear(file, empty)
      empty.empty? ? File.truncate(file, 0) : File.binwrite(file, empty, 0)
    end
  end
end
