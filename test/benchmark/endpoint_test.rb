# frozen_string_literal: true

require "support/test_case"
require_relative "../../benchmark/support/endpoint/measurement"

# What bin/bench endpoint reads of wrk, and what it makes of it.
class EndpointTest < TestCase
  Window = Benchmarks::Endpoint::Window

  OUTPUT = <<~TEXT
    Running 1s test @ http://127.0.0.1:41723/katsu/50
      1 threads and 4 connections
      Thread Stats   Avg      Stdev     Max   +/- Stdev
        Latency     2.91ms   71.88us  30.60ms   63.16%
        Req/Sec     1.38k     8.42    29.00     50.00%
      Latency Distribution
         50%    2.47ms
         99%    5.60ms
      1380 requests in 1.01s, 180.83KB read
    Requests/sec:   1366.34
    Transfer/sec:    178.35KB
  TEXT

  def test_a_window
    assert_equal Window.new(1366.34, 5.6), Window.parse(OUTPUT)
    assert_in_delta 0.25, Window.parse(OUTPUT.sub("5.60ms", "250.00us")).p99
    assert_in_delta 1200, Window.parse(OUTPUT.sub("5.60ms", "1.20s ")).p99
  end

  def test_a_window_with_failures
    assert_nil Window.parse("#{OUTPUT}  Non-2xx or 3xx responses: 7\n")
    assert_nil Window.parse("#{OUTPUT}  Socket errors: connect 0, read 1, write 0, timeout 0\n")
    assert_nil Window.parse(OUTPUT.sub("1380 requests", "0 requests"))
    assert_nil Window.parse("unable to connect to 127.0.0.1:1 Connection refused\n")
  end

  def test_ratios_are_of_a_round
    turns = [[100, 50], [200, 40], [90, 45]].map do |ours, theirs|
      {"katsu" => Window.new(ours, 1), "panko" => Window.new(theirs, 2)}
    end
    row = Benchmarks::Endpoint.send(:row, "panko", 50, turns)
    assert_equal({size: 50, name: "panko", requests: 45, p99: 2, ratio: 2.0, low: 2.0, high: 5.0}, row)
  end
end
