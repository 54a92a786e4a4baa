# frozen_string_literal: true

require_relative "support/http_test_case"

# Classes that are written anew while the application runs in development.
class ReloadingTest < HttpTestCase
  TAGS = "app/serializers/tag_serializer.rb"
  SHOUTING = <<~RUBY
    class TagSerializer < ApplicationSerializer
      attribute(:shout, needs: [:name]) { |tag| tag.name.upcase }
    end
  RUBY

  def server = Server.of("development")

  # The keys of the tags of the posts, through a serializer that is written as it was.
  def keys
    get("/posts", view: "full", only: "tags").json.flat_map { |post| post["tags"].flat_map(&:keys) }.uniq
  end

  def fields = get("/katsu/TagSerializer").body.scan(%r{<td class="path">(\w+)</td>}).flatten

  def test_a_serializer_that_is_written_anew
    assert_equal [["name"], ["name"]], [keys, fields]
    server.with_file(TAGS, SHOUTING) do
      assert_equal [["shout"], ["shout"]], [keys, fields]
      assert_equal 1, get("/katsu").body.scan('href="/katsu/TagSerializer"').size
    end
    assert_equal [["name"], ["name"]], [keys, fields]
  end

  # What was kept in the cache is of the file as it was.
  def test_a_cached_serializer_that_is_written_anew
    file = "app/serializers/greeting_serializer.rb"
    text = File.read(File.expand_path(file, __dir__))
    greetings = -> { get("/posts/cached", headers: as_author("Ada")).json.map { |post| post["greeting"] } }
    before = Array.new(2) { greetings.call }
    assert_equal [true, true], before.map { |list| list.all? { |greeting| greeting.end_with?(" for Ada") } }
    server.with_file(file, text.sub("} for ", "} to ")) do
      assert_equal before[0].map { |greeting| greeting.sub(/ for Ada\z/, " to Ada") }, greetings.call
    end
    assert_equal before[0], greetings.call
  end

  def test_a_serializer_that_cannot_be_loaded
    server.with_file(TAGS, "class TagSerializer < ApplicationSerializer\n  atributes :name\nend\n") do
      answer = get("/posts", view: "full")
      assert_equal 500, answer.status
      assert_includes server.log(answer.id).join, "atributes"
    end
    assert_equal ["name"], keys
  end
end
