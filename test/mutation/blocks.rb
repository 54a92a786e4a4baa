# frozen_string_literal: true

module Mutation
  # Reads from a traced extension which lines each of its blocks is of. A block begins with a call that says so, and
  # ends where the next one begins.
  class Blocks
    # {address behind the call => {path => lines}}
    def self.of(file)
      blocks = new
      IO.popen(["objdump", "-d", "-l", "--no-show-raw-insn", file]) do |output|
        output.each_line { |text| blocks.add(text) }
      end
      blocks.found
    end

    attr_reader :found

    def initialize
      @found = {}
      @block = {}
    end

    def add(text)
      case text
      when /^\h+ <.*>:$/ then function
      when %r{^\S*?ext/katsu/(?:\./)?(\S+):(\d+)} then @place = ["ext/katsu/#{$1}", Integer($2)]
      when %r{^/\S+:\d+} then @place = nil # of a header that is not the extension's
      when /^ +(\h+):\t/ then instruction($1.hex, text)
      end
    end

    private

    # Lines before its first block are of that one.
    def function
      @block = {}
      @entered = false
    end

    # The call that a block begins with has its first line, but is of the block before.
    def instruction(address, text)
      called = @called
      @called = text.match?(/\tcall.*__sanitizer_cov_trace_pc/)
      begin_block(address) if called
      return if @called || @place.nil?

      path, line = @place
      lines = @block[path] ||= []
      lines << line unless lines.last == line
    end

    def begin_block(address)
      @block = {} if @entered
      @entered = true
      @found[address] = @block
    end
  end
end
