# frozen_string_literal: true

require_relative "test_application"
require "katsu/rails/inspector"
require "nokogiri"

# The page at /katsu.
class InspectorTest < RailsTestCase
  SCRIPT = "<script>alert('&\"')</script>"

  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :data
    attribute(SCRIPT.to_sym, needs: [:title], &:title)
    has_one :author, serializer: AuthorSerializer
    view(:"<i>") { attributes :views }
    view(:loud) { attribute(:shout) { |post| post[:title].upcase } }
    view(:failing) { attribute(:viewer) { scope.name } }
  end

  # Counts how often its field is written.
  class EditorSerializer < Katsu::Serializer
    class << self
      attr_accessor :written
    end
    attributes :id
    attribute(:counted, needs: [:name]) { EditorSerializer.written += 1 }
  end

  class UnknownThingSerializer < Katsu::Serializer
    attributes :a
  end

  class EmptySerializer < Katsu::Serializer
  end

  def setup
    author = Author.create!(name: "Ada")
    Post.create!(title: "#{SCRIPT} \xFF".scrub("\u0007"), author: author, data: {"k" => SCRIPT}, views: 3)
  end

  def teardown
    [Post, Author].each(&:delete_all)
  end

  # Through the whole application, as it is mounted.
  def visit(path, method: "GET")
    answer(Rails.application, "/katsu#{path}", method: method)
  end

  # The page, parsed; its text must be as it was written, with no element that the page itself does not have.
  def page(path = "", status: 200)
    answered, headers, text = visit(path)
    assert_equal [status, "text/html; charset=utf-8"], [answered, headers["content-type"]]
    assert text.valid_encoding?
    assert_empty text.scan(/<script|<i>/), path
    assert_empty text.scan(%r{(?:src|href)="(?!/katsu)[^"]*"|url\(|@import}), path
    Nokogiri::HTML5(text)
  end

  def rows(page) = page.css("tbody tr").map { |row| row.css("td").map(&:text) }

  def test_the_list
    rows = rows(page).to_h { |name, *others| [name, others] }
    model, way, fields, views, place = rows.fetch("InspectorTest::PostSerializer")
    assert_equal ["Post", "rows", "5", "<i>, loud, failing"], [model, way, fields, views]
    assert_match(%r{test/rails/inspector_test\.rb:\d+\z}, place)
    assert_equal ["", "objects", "1"], rows.fetch("InspectorTest::UnknownThingSerializer").first(3)
    refute rows.key?("InspectorTest::EmptySerializer")
    assert_includes page.at_css("pre").text, Katsu.report.to_s.lines.first
  end

  def link(text, path = "") = page(path).css("a").find { |a| a.text == text }["href"].delete_prefix("/katsu")

  def test_a_serializer
    shown = page(link("InspectorTest::PostSerializer"))
    assert_equal "InspectorTest::PostSerializer", shown.at_css("h1").text
    assert_equal ["id", "title", "data", SCRIPT, "author", "author.id", "author.name"], rows(shown).map(&:first)
    queries, json = shown.css("pre").map(&:text)
    assert_match(/\APost: SELECT .*posts.*\nauthor: SELECT .*authors/, queries)
    post = JSON.parse(json)
    assert_equal [Post.first.title, {"k" => SCRIPT}, "Ada"], [post[SCRIPT], post["data"], post["author"]["name"]]
    assert_empty shown.css("meter")
  end

  def test_views
    shown = page(link("<i>", "/InspectorTest::PostSerializer"))
    assert_equal "<i>", shown.at_css("[aria-current]").text
    assert_includes rows(shown).map(&:first), "views"
    assert_equal 404, visit("/InspectorTest::PostSerializer?view=none")[0]
    reasons = page("/InspectorTest::PostSerializer?view=loud").css(".note").map(&:text)
    assert_includes reasons.join("\n"),
                    "because shout: a method field or block may read anything of the object; faster:"
  end

  def test_a_field_that_raises
    shown = page("/InspectorTest::PostSerializer?view=failing")
    assert_match(/\Awithout viewer: NoMethodError: undefined method [`']name'/, shown.css(".note.bad").text)
    assert_equal "Ada", JSON.parse(shown.css("pre").last.text)["author"]["name"]
    timed = rows(page("/InspectorTest::PostSerializer?view=failing&times=1")).last(6)
    assert_match(/NoMethodError/, timed[0][1])
    assert_equal "viewer", timed[0][0]
  end

  def test_times
    30.times { Post.create!(title: "t", author: Author.first) }
    shown = page(link("Measure each field", "/InspectorTest::PostSerializer"))
    times = shown.css("table").last.css("tbody tr").map { |row| row.css("td").map(&:text) }
    assert_equal ["id", "title", "data", SCRIPT, "author"].sort, times.map(&:first).sort
    values = times.map { |row| Float(row[1]) }
    assert_equal values.sort.reverse, values
    assert_equal({"id" => "1", "author" => "2"}, times.to_h { |row| [row[0], row[2]] }.slice("id", "author"))
    assert_equal "100", shown.at_css("meter")["value"]
  end

  # A cache has no say in the times of fields.
  def test_times_of_a_cached_serializer
    3.times { |number| Editor.create!(name: "E #{number}") }
    EditorSerializer.cache store: ActiveSupport::Cache::MemoryStore.new
    EditorSerializer.written = 0
    shown = page("/InspectorTest::EditorSerializer?times=1")
    assert_empty shown.css(".bad").map(&:text)
    # once for the first record, three times for the field alone, three times for the document
    assert_equal 1 + 3 * 3 + 3 * 3, EditorSerializer.written
  end

  def test_without_rows_and_without_a_model
    teardown
    assert_includes page("/InspectorTest::PostSerializer?times=1").css("p").map(&:text), "posts has no rows."
    assert_equal ["a"], rows(page("/InspectorTest::UnknownThingSerializer")).map(&:first)
  end

  def test_what_is_not_there
    shown = page("/%3Cscript%3E", status: 404)
    assert_includes shown.at_css(".bad").text, "<script>"
    assert_equal 404, visit("/Kernel")[0]
    assert_equal 404, visit("/Katsu::Serializer")[0]
    status, headers, = visit("/", method: "POST")
    assert_equal [405, "GET, HEAD"], [status, headers["allow"]]
    assert_equal [200, ""], visit("/", method: "HEAD").values_at(0, 2)
  end

  def test_headers
    headers = visit("/")[1]
    assert_includes headers["content-security-policy"], "default-src 'none'"
    assert_equal %w[no-store nosniff], headers.values_at("cache-control", "x-content-type-options")
  end

  def test_markup
    markup = Katsu::Rails::Inspector::Markup.new
    markup.tag(:a, "<&\xFF\">", href: "\"><b>", hidden: true, title: nil)
    assert_equal %(<!DOCTYPE html>\n<a href="&quot;&gt;&lt;b&gt;" hidden>&lt;&amp;\uFFFD&quot;&gt;</a>), markup.html
    assert_raises(ArgumentError) { markup.style("</style>") }
  end

  def test_the_setting
    known = {inspector: [false, Katsu::Rails::Settings::PATH]}
    [false, "/katsu", "/admin/katsu"].each { |value| Katsu::Rails::Settings.check({inspector: value}, known) }
    error = assert_raises(ArgumentError) { Katsu::Rails::Settings.check({inspector: true}, known) }
    assert_equal 'config.katsu.inspector = true; accepted are false and a path such as "/katsu"', error.message
  end
end
