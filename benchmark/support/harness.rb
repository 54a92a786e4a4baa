# frozen_string_literal: true

require "json"
require_relative "report"

module Benchmarks
  # Measures rows: one document, Katsu and its peers, in turns of short windows.
  #
  # A figure is the median of the per-round ratios (Katsu's iterations per second divided by the peer's in the
  # same round), with the lowest and highest tenth of the rounds beside it. Windows are short and rounds many, because the
  # speed of a shared machine changes within a second. GC stays on; each round begins on a collected heap.
  # Before anything is timed the documents are compared: byte by byte, or,
  # where a peer prints the same values in another form, as parsed JSON, and the report says so.
  #
  # A contender is a callable that does its work as often as it is told and returns the last result: the loop is
  # its own, so that a call of 50 ns is not measured together with one of a lambda.
  class Harness
    # The contender for an expression of document and options.
    def self.contender(expression, document, options = nil) # rubocop:disable Lint/UnusedMethodArgument
      eval("# frozen_string_literal: true\n->(times) { i = 0; result = nil; while i < times; result = #{expression}; i += 1; end; result }", binding, __FILE__, __LINE__)
    end

    # The contender that calls the block.
    def self.calling(&block)
      contender("document.call", block)
    end

    # other_document: it cannot make the same one, so it is only reported.
    Peer = Struct.new(:name, :call, :other_document)
    Row = Struct.new(:table, :name, :size, :target, :katsu, :peers, :same, :allocations_target, keyword_init: true)

    ROUNDS = {full: 75, quick: 25}.freeze
    WINDOW = 0.01
    WARM_CALLS = 40 # after 30 YJIT compiles
    WARM_SECONDS = 0.2

    def initialize(quick: false)
      @rounds = quick ? ROUNDS[:quick] : ROUNDS[:full]
    end

    # A Result for a Row.
    def measure(row)
      same = compare(row)
      contenders = [Peer.new("katsu", row.katsu), *row.peers]
      contenders.each { |contender| warm(contender.call) }
      counts = contenders.map { |contender| iterations(contender.call) }
      rounds = Array.new(@rounds) do |round|
        GC.start
        contenders.each_index.to_a.rotate(round).each_with_object([]) do |index, times|
          times[index] = time(contenders[index].call, counts[index])
        end
      end
      Result.new(row, same, rounds, allocations(row.katsu), row.katsu.call(1).to_s.bytesize)
    end

    private

    # :bytes or :values, the weakest that any peer needs. Raises where a document differs.
    def compare(row)
      ours = row.katsu.call(1)
      row.peers.reject(&:other_document).map do |peer|
        theirs = peer.call.call(1)
        next :bytes if theirs == ours
        next :values if ours.is_a?(String) && JSON.parse(ours, max_nesting: 0) == JSON.parse(theirs, max_nesting: 0)

        raise "#{row.table} #{row.name}: #{peer.name} makes another document:\n#{excerpt(ours)}\n#{excerpt(theirs)}"
      end.include?(:values) ? :values : :bytes
    end

    def excerpt(document)
      document.inspect[0, 300]
    end

    # Calls of its own first, so that the contender's loop is compiled too, then work.
    def warm(call)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      calls = 0
      until (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) > WARM_SECONDS * (calls < WARM_CALLS ? 5 : 1)
        call.call(1)
        calls += 1
      end
    end

    # How often the call fits into a window.
    def iterations(call)
      count = 1
      loop do
        seconds = time(call, count)
        return [(WINDOW / seconds).ceil, 1].max if seconds * count > WINDOW / 10

        count *= 4
      end
    end

    def time(call, count)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      call.call(count)
      (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) / count
    end

    def allocations(call)
      call.call(2)
      before = GC.stat(:total_allocated_objects)
      call.call(10)
      (GC.stat(:total_allocated_objects) - before) / 10
    end
  end

  # What came of a row. rounds: seconds per call, Katsu first, then each peer.
  class Result
    attr_reader :row, :same, :allocations, :bytes

    def initialize(row, same, rounds, allocations, bytes)
      @row = row
      @same = same
      @rounds = rounds
      @allocations = allocations
      @bytes = bytes
    end

    def ips
      1 / median(@rounds.map(&:first))
    end

    # name => {ips, ratio, low, high}
    def peers
      row.peers.each_with_index.to_h do |peer, index|
        ratios = @rounds.map { |times| times[index + 1] / times[0] }.sort
        [peer.name, {ips: (1 / median(@rounds.map { |times| times[index + 1] })).round(2),
                     ratio: median(ratios).round(3), low: ratios[ratios.size / 10].round(3), high: ratios[-1 - ratios.size / 10].round(3)}]
      end
    end

    # The ratio against the fastest peer.
    def ratio
      peers.each_value.map { |figures| figures[:ratio] }.min
    end

    def met
      return if row.target.nil?

      ratio >= row.target && (row.allocations_target.nil? || allocations <= row.allocations_target)
    end

    def to_h
      {table: row.table, row: row.name, size: row.size, ruby: RUBY_VERSION,
       jit: Benchmarks.jit, backend: Katsu.backend, unknown_ruby: Benchmarks.unknown_ruby?, ips: ips.round(2), allocations: allocations,
       peers: peers, target: row.target, met: met}
    end

    private

    def median(values)
      values.sort[values.size / 2]
    end
  end

  # "YJIT", "ZJIT" or nil.
  def self.jit
    %i[YJIT ZJIT].find { |name| RubyVM.const_defined?(name) && RubyVM.const_get(name).enabled? }&.name
  end

  # Whether the extension is built as for a Ruby that is not known.
  def self.unknown_ruby? = ENV["KATSU_VARIANT"] == "unknown"
end
