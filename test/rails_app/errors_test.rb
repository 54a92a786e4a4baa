# frozen_string_literal: true

require_relative "support/http_test_case"

# Errors and timeouts: the request fails, is logged, and leaves nothing behind.
class ErrorsOfApplicationTest < HttpTestCase
  # The statuses and bodies of requests on one connection.
  def on_one_connection(*calls)
    connect do |connection|
      calls.map { |path, query| get(path, connection: connection, **query.to_h) }
    end
  end

  def titles(rested) = posts(:title).first(3).map { |post| {**post, "rested" => rested} }

  def test_an_error_in_a_serializer
    good, bad, again = on_one_connection(["/posts"], ["/posts/failing"], ["/posts"])
    assert_equal [200, 500, 200], [good.status, bad.status, again.status]
    assert_equal short, again.json
    lines = server.log(bad.id)
    assert_includes lines.join, "ArgumentError (no position)"
    assert lines.any? { |line| line.start_with?("  Rendered FailingSerializer (Duration: ") }, lines
    refute_includes bad.body, "no position"
  end

  def test_a_timeout_in_a_serializer
    quick, slow, again = on_one_connection(["/posts/slow"], ["/posts/slow", {rest: 10}], ["/posts/slow"])
    assert_equal [200, 503, 200], [quick.status, slow.status, again.status]
    assert_equal [titles(nil)] * 2, [quick.json, again.json]
    assert_includes server.log(slow.id).join, "Completed 503"
  end

  # Five requests fill the server's threads; each ends by its own timeout.
  def test_timeouts_at_the_same_time
    statuses = Array.new(5) { Thread.new { get("/posts/slow", rest: 10).status } }.map(&:value)
    assert_equal [503] * 5, statuses
    assert_equal titles(nil), get("/posts/slow").json
    assert_equal 1, get("/state").json["busy"]
  end

  def test_a_query_that_the_database_ends
    skip "SQLite has no statement_timeout; bin/test --databases tests it on PostgreSQL" unless ENV["KATSU_POSTGRESQL"]

    good, bad, again = on_one_connection(["/posts"], ["/posts/canceled"], ["/posts"])
    assert_equal [200, 500, 200], [good.status, bad.status, again.status]
    assert_includes server.log(bad.id).join, "ActiveRecord::QueryCanceled"
    assert_equal short, again.json
  end
end
