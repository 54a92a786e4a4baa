# frozen_string_literal: true

require_relative "support/http_test_case"
require "socket"

# Documents that are sent while they are written.
class StreamsTest < HttpTestCase
  def test_a_stream
    answer = get("/streams")
    assert_equal [200, "chunked", nil],
                 [answer.status, answer.headers["transfer-encoding"], answer.headers["content-length"]]
    assert_equal short, answer.json
  end

  def test_lines
    answer = get("/lines")
    assert_equal [200, "application/x-ndjson"], [answer.status, answer.headers["content-type"][/[^;]+/]]
    assert_equal short, answer.body.each_line.map { |line| JSON.parse(line) }
  end

  def state(name) = get("/state").json.fetch(name)

  # The server's last steps of a stream come after the client has its answer.
  def eventually(expected, name = nil)
    limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 30
    sleep 0.02 until (found = yield) == expected || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
    assert_equal expected, found, name
  end

  def assert_state(name, expected) = eventually(expected, name) { state(name) }

  # A connection with a request, closed after the block.
  def request(path)
    socket = TCPSocket.new("127.0.0.1", server.port)
    socket.write("GET #{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    yield socket
  ensure
    socket&.close
  end

  # More clients than the server has threads, so that one that is kept would be missed.
  def test_clients_that_go_away_in_mid_stream
    ended = state("ended")
    6.times do
      request("/lines/endless") { |socket| assert_match(%r{\AHTTP/1\.1 200}, socket.readpartial(4000)) }
    end
    assert_state "ended", ended + 6
    assert_state "busy", 1 # the request that asks
    assert_equal short, get("/posts").json
  end

  LAST_CHUNK = /\r\n0\r\n\r\n\z/

  # What was sent before the error is there. The connection ends without the last chunk, so the client sees that
  # something is missing.
  def test_an_error_in_mid_stream
    assert_match LAST_CHUNK, request("/streams", &:read)
    sent = request("/streams/failing", &:read).force_encoding("UTF-8")
    assert_includes sent, '[{"title":"Post 0 '
    assert_operator sent.size, :>, 60_000
    refute_match LAST_CHUNK, sent
    assert_includes server.output, "no position"
    assert_equal short, get("/posts").json
  end

  # ActionController::Live ends the stream in order; the lines before the error are whole.
  def test_an_error_in_mid_stream_of_lines
    before = server.whole_log.size
    answer = get("/lines/failing")
    positions = answer.body.each_line.map { |line| JSON.parse(line).fetch("position") }
    assert_operator positions.size, :>, short.size
    assert_equal short.size - 1, positions.uniq.size
    eventually(true) { server.whole_log[before..].include?("ArgumentError (no position)") }
    assert_state "busy", 1
  end
end
