# frozen_string_literal: true

module Benchmarks
  # What came of a row, from one process or several.
  class Result
    # data: table, row, size, target, allocations_target, names (of the peers), same, other (peers whose document is
    # another), allocations, bytes, rounds (seconds of one call: Katsu, each peer, an empty call, a copy of the bytes),
    # page_faults (of one call, for each contender as in rounds; nil if the system does not count them).
    def initialize(data)
      @data = data
    end

    # One Result of the Results of the same row in several processes.
    def self.merge(results)
      rounds = results.map { |result| result.data[:rounds] }
      faults = results.flat_map { |result| result.data[:page_faults] }
      new(results.first.data.merge(rounds: rounds.flatten(1), processes: rounds, page_faults: faults))
    end

    attr_reader :data

    %i[table row size target same allocations bytes names].each { |name| define_method(name) { @data[name] } }

    def ips = 1 / seconds(0)

    # {name => {ips, ratio, low and high (the lowest and highest tenth), interval (of the median, 95 %), processes,
    # page_faults}}
    def peers
      names.each.with_index(1).to_h do |name, index|
        processes = processes(index)
        [name, {**figures(processes.flatten.sort, seconds(index)), interval: interval(processes),
                processes: processes.map { |ratios| median(ratios).round(3) }, page_faults: page_faults(index)}]
      end
    end

    # The page faults of one call of a contender; nil if the system does not count them.
    def page_faults(index = 0)
      faults = @data[:page_faults].map { |round| round[index] }
      median(faults.sort).round(2) unless faults.include?(nil)
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
       allocations: allocations, page_faults: page_faults, compared: same, other_document: @data[:other], peers: peers,
       target: target, met: met}
    end

    private

    # The ratios of each process's rounds, sorted.
    def processes(index)
      (@data[:processes] || [@data[:rounds]]).map { |rounds| rounds.map { |times| times[index] / times[0] }.sort }
    end

    def figures(ratios, seconds)
      tenth = ratios.size / 10
      {ips: (1 / seconds).round(2), ratio: median(ratios).round(3), low: ratios[tenth].round(3),
       high: ratios[-1 - tenth].round(3)}
    end

    DRAWS = 400
    private_constant :DRAWS

    # Between these the median lies with 95 %, whatever the distribution is: processes are drawn again, and of each
    # its rounds, so that what differs from process to process makes it wider. The draws are the same each time.
    def interval(processes)
      random = Random.new(1)
      medians = Array.new(DRAWS) do
        drawn = Array.new(processes.size) { processes.sample(random: random) }
        median(drawn.flat_map { |ratios| Array.new(ratios.size) { ratios.sample(random: random) } }.sort)
      end.sort
      [medians[DRAWS / 40], medians[-1 - DRAWS / 40]].map { |ratio| ratio.round(3) }
    end

    def seconds(index) = median(@data[:rounds].map { |times| times[index] }.sort)

    # Of an even number of figures, the mean of the two in the middle.
    def median(sorted) = (sorted[sorted.size / 2] + sorted[(sorted.size - 1) / 2]) / 2.0
  end
end
