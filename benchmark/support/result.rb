# frozen_string_literal: true

module Benchmarks
  # What came of a row, from one process or several.
  class Result
    # data: table, row, size, target, allocations_target, names (of the peers), same, other (peers whose document is
    # another), allocations, bytes, rounds (seconds of one call: Katsu, each peer, an empty call, a copy of the bytes).
    def initialize(data)
      @data = data
    end

    # One Result of the Results of the same row in several processes.
    def self.merge(results)
      rounds = results.map { |result| result.data[:rounds] }
      new(results.first.data.merge(rounds: rounds.flatten(1), processes: rounds))
    end

    attr_reader :data

    %i[table row size target same allocations bytes names].each { |name| define_method(name) { @data[name] } }

    def ips = 1 / seconds(0)

    # {name => {ips, ratio, low and high (the lowest and highest tenth), interval (of the median, 95 %), processes}}
    def peers
      names.each.with_index(1).to_h do |name, index|
        [name, {**figures(ratios(@data[:rounds], index), seconds(index)), processes: of_processes(index)}]
      end
    end

    # The ratio against the fastest peer that makes the same document.
    def ratio = peers.except(*@data[:other]).each_value.map { |figures| figures[:ratio] }.min

    def met
      return if target.nil?

      ratio >= target && (@data[:allocations_target].nil? || allocations <= @data[:allocations_target])
    end

    # Seconds of a call that does nothing.
    def empty_call = seconds(names.size + 1)

    # How much of the speed of copying the finished bytes once is reached.
    def share_of_copy = bytes && (seconds(names.size + 2) / seconds(0))

    def to_h
      {table: table, row: row, size: size, ips: ips.round(2), bytes: bytes,
       bytes_per_second: bytes && (bytes * ips).round, share_of_copy: share_of_copy&.round(4),
       nanoseconds_of_an_empty_call: (empty_call * 1e9).round(1),
       allocations: allocations, compared: same, other_document: @data[:other], peers: peers, target: target, met: met}
    end

    private

    def ratios(rounds, index) = rounds.map { |times| times[index] / times[0] }.sort

    def figures(ratios, seconds)
      tenth = ratios.size / 10
      {ips: (1 / seconds).round(2), ratio: median(ratios).round(3), low: ratios[tenth].round(3),
       high: ratios[-1 - tenth].round(3), interval: interval(ratios).map { |ratio| ratio.round(3) }}
    end

    # The order statistics between which the median lies with 95 %, whatever the distribution is.
    def interval(sorted)
      half = (0.98 * Math.sqrt(sorted.size)).ceil
      middle = sorted.size / 2
      [sorted[[middle - half, 0].max], sorted[[middle + half, sorted.size - 1].min]]
    end

    def of_processes(index)
      (@data[:processes] || [@data[:rounds]]).map { |rounds| median(ratios(rounds, index)).round(3) }
    end

    def seconds(index) = median(@data[:rounds].map { |times| times[index] }.sort)

    def median(sorted) = sorted[sorted.size / 2]
  end
end
