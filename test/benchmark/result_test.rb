# frozen_string_literal: true

require "support/test_case"
require_relative "../../benchmark/support/result"
require_relative "../../benchmark/support/page_faults"

# What is made of the times of a row.
class ResultTest < TestCase
  # Rounds in which Katsu takes 1 second, the peer as many as are given, an empty call 0.1 and a copy 0.5.
  def result(*peer_times)
    data = {table: "t", row: "r", size: 1, target: 3, names: ["peer"], other: [], bytes: 10, allocations: 1}
    Benchmarks::Result.new(data.merge(rounds: peer_times.map { |time| [1.0, time, 0.1, 0.5] },
                                      page_faults: peer_times.map { |time| [time / 2, 0.25, 0.0, 0.0] }))
  end

  def merged(*processes) = Benchmarks::Result.merge(processes.map { |times| result(*times) })

  def figures(result) = result.peers.fetch("peer")

  def test_the_ratio_is_the_median_of_the_rounds_of_all_processes
    together = merged([2.0, 3.0, 9.0], [4.0, 5.0, 6.0])
    assert_in_delta 4.5, figures(together)[:ratio]
    assert_equal [3.0, 5.0], figures(together)[:processes]
  end

  def test_the_lowest_and_highest_tenth
    figures = figures(result(*(1..20).map(&:to_f)))
    assert_equal [3.0, 18.0], figures.values_at(:low, :high)
  end

  def test_the_interval_has_the_median_in_it
    random = Random.new(3)
    low, high = figures(result(*Array.new(75) { 4 + random.rand })).fetch(:interval)
    assert_operator low, :<, 4.5
    assert_operator high, :>, 4.5
    assert_operator high - low, :<, 0.4
  end

  # 75 equal rounds of one process tell less than 25 of each of three that agree.
  def test_processes_that_differ_make_the_interval_wider
    agree = figures(merged([4.0] * 25, [4.0] * 25, [4.0] * 25)).fetch(:interval)
    differ = figures(merged([3.0] * 25, [4.0] * 25, [5.0] * 25)).fetch(:interval)
    assert_equal [4.0, 4.0], agree
    assert_equal [3.0, 5.0], differ
  end

  def test_the_interval_is_the_same_each_time
    times = (1..25).map { |time| time / 7.0 }
    assert_equal figures(result(*times)).fetch(:interval), figures(result(*times)).fetch(:interval)
  end

  def test_page_faults_are_the_median_of_the_rounds_of_all_processes
    together = merged([2.0, 3.0, 9.0], [4.0, 5.0, 6.0])
    assert_in_delta 2.25, together.page_faults
    assert_in_delta 0.25, figures(together)[:page_faults]
    unknown = Benchmarks::Result.new(together.data.merge(page_faults: [[1.0, nil], [nil, nil]]))
    assert_nil unknown.page_faults
  end

  def test_page_faults_of_a_call
    skip "the system does not count them there" unless File.exist?("/proc/self/stat")
    kept = [] # the memory of what was freed is used again without a fault
    assert_operator Benchmarks::PageFaults.of(4) { 4.times { kept << ("a" * (64 << 20)) } }, :>, 10
    assert_operator Benchmarks::PageFaults.of(1_000_000) { 1 + 1 }, :<, 1
  end

  def test_the_limits
    result = result(3.0, 3.0, 3.0)
    assert_in_delta 0.1, result.empty_call
    assert_in_delta 0.5, result.share_of_copy
  end

  def test_a_target_is_met_by_the_slowest_ratio_and_the_objects
    assert result(3.0).met
    refute result(2.9).met
    data = result(4.0).data.merge(allocations: 6, allocations_target: 5)
    refute Benchmarks::Result.new(data).met
  end

  def test_a_peer_with_another_document_does_not_count
    data = result(0.5).data.merge(names: %w[peer other], other: ["peer"], rounds: [[1.0, 0.5, 4.0, 0.1, 0.5]])
    assert_in_delta 4.0, Benchmarks::Result.new(data).ratio
  end
end
