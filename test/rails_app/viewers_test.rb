# frozen_string_literal: true

require_relative "support/http_test_case"

# Requests at the same time: each has the bytes of its own viewer and its own options.
class ViewersTest < HttpTestCase
  THREADS = 5
  KEYS = %i[id viewer mine host].freeze

  # The post's view :personal for that author, or for nobody.
  def personal(name, host)
    posts(:id, :author_id, :author).map do |post|
      mine = !name.nil? && post["author"]&.fetch("name") == name
      {"id" => post["id"], "viewer" => name, "mine" => mine, "host" => host}
    end
  end

  # What a block answers in each of the threads, which have a connection each.
  def in_threads
    threads = Array.new(THREADS) do |thread|
      Thread.new { connect { |connection| yield connection, thread } }
    end
    threads.flat_map(&:value)
  end

  def test_two_viewers_never_see_each_others
    viewers = ["Ada", "Ben", nil, "Ada", "Chloé"]
    expected = viewers.each_with_index.map { |name, index| personal(name, "host #{index}") }
    different = in_threads do |connection, thread|
      Array.new(20) do
        answer = get("/posts", connection: connection, headers: as_author(viewers[thread]), view: "personal",
                               only: KEYS.join(","), context: "host #{thread}")
        answer.json == expected[thread]
      end
    end
    assert_equal [true] * 100, different
    refute_equal expected[0], expected[1]
  end

  # Path and query => the text that it answers when it is alone.
  def alone
    id = posts(:id)[5]["id"]
    [["/posts", {}], ["/posts", {view: "full"}], ["/posts", {only: "id,title"}], ["/posts/document", {only: "id"}],
     ["/posts/in_hash", {}], ["/posts/#{id}", {view: "full"}], ["/posts", {transform_keys: "lower_camel"}],
     ["/streams", {}], ["/lines", {}], ["/posts", {except: "author", root: "posts"}]].to_h do |path, query|
      answer = get(path, **query)
      assert_equal 200, answer.status, path
      [[path, query], answer.body]
    end
  end

  def test_five_threads_with_two_hundred_requests
    bodies = alone
    assert_equal bodies.size - 1, bodies.values.uniq.size # a stream has the bytes of a document
    same = in_threads do |connection, thread|
      calls = bodies.keys.rotate(thread * 2)
      Array.new(40) do |index|
        path, query = calls[index % calls.size]
        answer = get(path, connection: connection, **query)
        answer.status == 200 && answer.body == bodies[[path, query]]
      end
    end
    assert_equal [true] * 200, same
  end

  def greetings(name)
    posts(:id, :title, :author).map { |post| {"id" => post["id"], "greeting" => "#{post["title"]} for #{name}"} }
  end

  def test_what_is_kept_of_a_viewer_is_not_for_another
    viewers = ["Ada", "Ben", "Chloé", nil, "Ada"]
    same = in_threads do |connection, thread|
      headers = as_author(viewers[thread])
      Array.new(6) { get("/posts/cached", connection: connection, headers: headers).json == greetings(viewers[thread]) }
    end
    assert_equal [true] * 30, same
    line = server.log(get("/posts/cached", headers: as_author("Ben")).id).grep(/Rendered/).first
    assert_includes line, "#{short.size} records", line
    assert_includes line, "#{short.size} cache hits", line
  end

  # The tag of a viewer is not right for another.
  def test_entity_tags
    first = get("/posts/fresh", headers: as_author("Ada"))
    assert_equal 200, first.status
    tag = {"If-None-Match" => first.headers["etag"]}
    again = get("/posts/fresh", headers: {**as_author("Ada"), **tag})
    assert_equal [304, true], [again.status, again.body.to_s.empty?]
    refute_includes server.log(again.id).join, "Rendered"
    other = get("/posts/fresh", headers: {**as_author("Ben"), **tag})
    assert_equal [200, "Ben"], [other.status, other.json[0]["viewer"]]
    assert_equal 200, get("/posts/fresh", headers: tag).status
  end
end
