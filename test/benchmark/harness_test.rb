# frozen_string_literal: true

require "support/test_case"
require_relative "../../benchmark/support/harness"

# In which order contenders are measured.
class HarnessTest < TestCase
  WINDOWS = 10_000

  # A contender that notes its name for each window. Fewer calls than that look for how many fit into one.
  def contender(name, windows)
    lambda do |times|
      windows << name if times == WINDOWS
      "document"
    end
  end

  # The names of the contenders in the order of their windows.
  def windows(peers)
    harness = Benchmarks::Harness.new(quick: true)
    harness.define_singleton_method(:warm) { |_call| nil }
    harness.define_singleton_method(:iterations) { |_call| WINDOWS }
    windows = []
    peers = peers.map { |name| Benchmarks::Harness::Peer.new(name, contender(name, windows)) }
    row = Benchmarks::Harness::Row.new(table: "t", name: "r", size: 1, katsu: contender("katsu", windows), peers: peers)
    @result = harness.measure(row)
    windows
  end

  def test_each_contender_is_first_and_last_as_often_as_the_other
    halves = windows(["peer"]).each_slice(2)
    rounds = Benchmarks::Harness::ROUNDS[:quick]
    assert_equal({"katsu" => rounds, "peer" => rounds}, halves.map(&:first).tally)
  end

  # Of three: each half of a round is the reverse of the other one, and each contender is first in some rounds.
  def test_of_three_contenders_the_places_in_a_round_are_the_same
    rounds = windows(%w[one two]).each_slice(6).to_a
    rounds.each { |round| assert_equal round.first(3), round.last(3).reverse }
    assert_equal %w[katsu one two], rounds.map(&:first).uniq.sort
  end

  def test_the_time_of_a_round_is_the_mean_of_its_windows
    harness = Benchmarks::Harness.new(quick: true)
    times = [1.0, 3.0, 5.0, 7.0]
    harness.define_singleton_method(:time) { |_call, _count| times.shift }
    seconds, = harness.send(:round, [:katsu, :peer], [1, 1], 2, 0)
    assert_equal [(1.0 + 7.0) / 2, (3.0 + 5.0) / 2], seconds
  end

  # How many calls fit into a window if some of the probes take longer.
  def test_a_collection_during_a_probe_makes_no_window_shorter
    window = Benchmarks::Harness::WINDOW
    [[], [0], [1, 3], [Benchmarks::Harness::PROBES - 1]].each do |interrupted|
      harness = Benchmarks::Harness.new(quick: true)
      probes = -1
      harness.define_singleton_method(:time) do |_call, count|
        (window / 1000) + (interrupted.include?((probes += 1) % Benchmarks::Harness::PROBES) ? window / count : 0)
      end
      assert_equal 1000, harness.send(:iterations, :call), interrupted.inspect
    end
  end
end
