# frozen_string_literal: true

require "json"
require_relative "report"
require_relative "result"
require_relative "page_faults"

module Benchmarks
  # Measures rows: one document, Katsu and its peers, in turns of short windows.
  #
  # A figure is the median of the per-round ratios (Katsu's iterations per second divided by the peer's in the same
  # round). Windows are short, because the speed of a shared machine changes within a second. A round has two windows
  # for each contender, in an order and in its reverse; GC stays on, and each half of a round begins on a collected
  # heap. Before anything is timed the documents are compared: byte by byte, or, if a peer prints the same values in
  # another form, as parsed JSON, and the report says so. Beside them runs what limits them: a call that does nothing,
  # and one copy of the finished bytes.
  #
  # A contender is a callable that does its work as often as it is told and returns the last result: the loop is
  # its own, so that a call of 50 ns is not measured together with one of a lambda.
  class Harness
    # The contender for an expression of document and options.
    def self.contender(expression, document, options = nil) # rubocop:disable Lint/UnusedMethodArgument
      loop = "->(times) { i = 0; result = nil; while i < times; result = #{expression}; i += 1; end; result }"
      eval("# frozen_string_literal: true\n#{loop}", binding, __FILE__, __LINE__)
    end

    # The contender that calls the block.
    def self.calling(&block)
      contender("document.call", block)
    end

    # other_document: it cannot make the same one, so it is only reported.
    Peer = Struct.new(:name, :call, :other_document)
    Row = Struct.new(:table, :name, :size, :target, :katsu, :peers, :same, :allocations_target, keyword_init: true)

    ROUNDS = {full: 9, quick: 5}.freeze # in each process
    # In seconds. Long enough that a contender pays for most of the collections that its objects cause: in 10 ms after a
    # collection there is hardly one.
    WINDOW = 0.03
    PROBES = 5 # before the windows, to find out how many calls fit into one
    WARM_CALLS = 40 # after 30 YJIT compiles
    # JRuby compiles after thousands of calls, and optimizes what it compiled later.
    WARM_SECONDS = RUBY_ENGINE == "jruby" ? {full: 5, quick: 2}.freeze : {full: 0.2, quick: 0.1}.freeze

    def initialize(quick: false)
      @rounds = ROUNDS.fetch(quick ? :quick : :full)
      @warm_seconds = WARM_SECONDS.fetch(quick ? :quick : :full)
    end

    # The Result of a Row, in this process.
    def measure(row)
      same = compare(row)
      document = row.katsu.call(1)
      contenders = [row.katsu, *row.peers.map(&:call), *limits(document)]
      contenders.each { |call| warm(call) }
      counts = contenders.map { |call| iterations(call) }
      rounds, faults = Array.new(@rounds) { |round| round(contenders, counts, 1 + row.peers.size, round) }.transpose
      Result.new(table: row.table, row: row.name, size: row.size, target: row.target,
                 allocations_target: row.allocations_target, names: row.peers.map(&:name), same: same,
                 other: row.peers.select(&:other_document).map(&:name), allocations: allocations(row.katsu),
                 bytes: (document.bytesize if document.is_a?(String)), rounds: rounds, page_faults: faults)
    end

    def self.nothing(document) = document

    # A call that does nothing and, of a document, a copy.
    def limits(document)
      empty = self.class.contender("Harness.nothing(document)", document)
      return [empty] unless document.is_a?(String)

      [empty, self.class.contender("document + options", document, String.new(encoding: document.encoding))]
    end

    private

    # Two Arrays: the seconds and the page faults of one call of each contender, the mean of two windows. The first
    # contender after a collection finds an empty heap and cold caches, which may cost or save a fifth, so a round of
    # one order favours one of them; the order also rotates from round to round. The limits come last.
    def round(contenders, counts, turns, number)
      order = (0...turns).to_a.rotate(number)
      limits = (turns...contenders.size).to_a
      halves = [order, order.reverse].map { |half| play(contenders, counts, half + limits) }
      halves.transpose.map { |one, other| one.zip(other).map { |figures| mean(figures) } }
    end

    def mean(figures)
      figures.sum / 2.0 unless figures.include?(nil)
    end

    # The same of one window for each, in that order.
    def play(contenders, counts, order)
      GC.start
      order.each_with_object([[], []]) do |index, (times, faults)|
        faults[index] = PageFaults.of(counts[index]) { times[index] = time(contenders[index], counts[index]) }
      end
    end

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
      until (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) > @warm_seconds * (calls < WARM_CALLS ? 5 : 1)
        call.call(1)
        calls += 1
      end
    end

    # How often the call fits into a window. The shortest of several probes counts: if a garbage collection fell into
    # the only one, the window would be too short.
    def iterations(call)
      count = 1
      loop do
        seconds = Array.new(PROBES) { time(call, count) }.min
        return [(WINDOW / seconds).ceil, 1].max if seconds * count > WINDOW / 10

        count *= 4
      end
    end

    def time(call, count)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      call.call(count)
      (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) / count
    end

    # nil if this Ruby does not count objects, as JRuby.
    def allocations(call)
      return unless GC.stat.key?(:total_allocated_objects)

      call.call(2)
      before = GC.stat(:total_allocated_objects)
      call.call(10)
      (GC.stat(:total_allocated_objects) - before) / 10
    end
  end

  # "YJIT", "ZJIT" or nil.
  def self.jit
    return if RUBY_ENGINE == "jruby" # it always has its own

    %i[YJIT ZJIT].find { |name| RubyVM.const_defined?(name) && RubyVM.const_get(name).enabled? }&.name
  end

  # Whether the extension is built as for a Ruby that is not known.
  def self.unknown_ruby? = ENV["KATSU_VARIANT"] == "unknown"
end
