# frozen_string_literal: true

require_relative "support/http_test_case"

# render json: of a running application, compared with what Rails writes of the same rows.
class RenderJsonOfApplicationTest < HttpTestCase
  # Keys come in the order of the declarations, so texts are compared by their keys, too.
  def assert_answer(expected, answer, status: 200)
    assert_equal status, answer.status, answer.body
    assert_equal "application/json; charset=utf-8", answer.headers["content-type"]
    actual = answer.json
    assert_equal [expected], [actual]
    assert_equal [keys(expected)], [keys(actual)]
  end

  def keys(value)
    case value
    when Array then value.map { |element| keys(element) }
    when Hash then value.map { |key, element| [key, keys(element)] }
    end
  end

  def test_the_backend_is_the_one_that_is_tested
    assert_equal [Katsu.backend.to_s, ENV["KATSU_POSTGRESQL"] ? "PostgreSQL" : "SQLite"],
                 HttpTestCase.reference.values_at("backend", "adapter")
  end

  def test_a_collection
    assert_operator short.size, :>, 30
    assert_answer short, get("/posts")
    tagged = full.select { |post| post["tags"].any? { |tag| tag["name"] == "rails" } }.map { |post| post["id"] }
    assert_answer short.select { |post| tagged.include?(post["id"]) }, get("/posts", tag: "rails")
  end

  def test_one
    post = short[7]
    assert_answer post, get("/posts/#{post["id"]}")
    assert_answer nil, get("/posts/0")
  end

  def test_views_and_filters
    assert_answer full, get("/posts", view: "full")
    assert_answer posts(:id, :title), get("/posts", only: "id,title")
    assert_answer posts(*COLUMNS), get("/posts", except: "author")
    assert_answer posts(:id, :comments), get("/posts", view: "full", only: "id,comments")
    assert_answer full[2].except("data", "tags"), get("/posts/#{full[2]["id"]}", view: "full", except: "data,tags")
  end

  def test_root_meta_and_keys
    assert_answer({"posts" => short}, get("/posts", root: "posts"))
    assert_answer({"post" => short[3], "meta" => {"version" => "1", "a" => {"b" => "é"}}},
                  get("/posts/#{short[3]["id"]}", :root => "post", "meta[version]" => 1, "meta[a][b]" => "é"))
    camel = posts(:id, :published_on).map { |post| {"id" => post["id"], "publishedOn" => post["published_on"]} }
    assert_answer camel, get("/posts", only: "id,published_on", transform_keys: "lower_camel")
  end

  def test_context
    answer = get("/posts", view: "personal", only: "id,host", context: "<a&b>")
    assert_answer posts(:id).map { |post| {**post, "host" => "<a&b>"} }, answer
  end

  def test_a_status_and_a_callback
    answer = post("/posts", "post[title]" => "new", "post[price]" => "1.5")
    assert_answer({"title" => "new", "price" => "1.5", "draft" => false}, answer, status: 201)
    answer = get("/posts", only: "title", callback: "show")
    assert_equal "text/javascript; charset=utf-8", answer.headers["content-type"]
    assert_match(%r{\A/\*\*/show\(\[.*\]\)\z}, answer.body)
    refute_match(/[<>\u2028]/, answer.body)
    assert_equal posts(:title), JSON.parse(answer.body[%r{\((.*)\)\z}m, 1])
  end

  def test_documents
    assert_answer short, get("/posts/document")
    assert_answer full.map { |post| post.slice("id", "tags") }, get("/posts/document", view: "full", only: "id,tags")
    expected = {"posts" => short, "first" => [short[0]], "total" => short.size, "on" => "2026-01-02",
                "title" => "</é>"}
    assert_answer expected, get("/posts/in_hash")
  end

  def test_a_rack_body
    answer = get("/rack")
    assert_equal [200, "application/json"], [answer.status, answer.headers["content-type"]]
    assert_equal short, answer.json
  end

  def test_what_is_misspelt_is_an_error
    answer = get("/posts/mistyped")
    assert_equal 500, answer.status
    assert_includes server.log(answer.id).join, "unknown option: :each_serialiser. Did you mean each_serializer?"
    answer = get("/posts", view: "ful")
    assert_equal 500, answer.status
    assert_match(/no view :ful\b.*full/, server.log(answer.id).join)
  end

  def test_the_log
    answer = get("/posts", only: "id")
    line = "  Rendered PostSerializer [#{short.size} records, #{answer.body.bytesize} bytes] (Duration: "
    lines = server.log(answer.id)
    assert_equal 1, lines.count { |text| text.start_with?(line) }, lines
    assert_operator lines.index { |text| text.start_with?(line) }, :<,
                    lines.index { |text| text.start_with?("Completed") }
  end
end
