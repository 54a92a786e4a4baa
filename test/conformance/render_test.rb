# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "set"

# PostSerializer.render and render_as_hash: a document in one call.
class RenderTest < TestCase
  class PostSerializer < Katsu::Serializer
    attributes :id, :title
    attribute(:viewer, if: -> { scope }) { |_, context| "#{scope} #{context}" }
  end

  Point = Struct.new(:id, :title)

  def render(...) = watched { PostSerializer.render(...) }

  def render_as_hash(...) = watched { PostSerializer.render_as_hash(...) }

  ONE = '{"id":1,"title":"a"}'

  def test_one_object
    [{id: 1, title: "a"}, Point.new(1, "a"), Post.new(id: 1, title: "a")].each do |object|
      assert_equal ONE, render(object)
      assert_equal JSON.parse(ONE), render_as_hash(object)
    end
    assert_equal "null", render(nil)
    assert_nil render_as_hash(nil)
  end

  def test_collections
    Post.create!(id: 1, title: "a")
    point = Point.new(1, "a")
    [[point], Set[point], [point].each, [point].lazy, Katsu::Stream.new([point]), Post.all, Post.all.load].each do |objects|
      assert_equal "[#{ONE}]", render(objects), objects.class
      assert_equal [JSON.parse(ONE)], render_as_hash(objects), objects.class
    end
    assert_equal ["[]", "[]"], [render([]), render(Post.none)]
  ensure
    Post.delete_all
  end

  def test_options
    point = Point.new(1, "a")
    assert_equal '{"id":1}', render(point, only: [:id])
    assert_equal '[{"title":"a"}]', render([point], except: [:id])
    assert_equal '{"id":1,"viewer":"s c"}', render(point, {except: [:title], scope: "s", context: "c"})
  end

  def test_root_and_meta
    point = Point.new(1, "a")
    assert_equal %({"post":#{ONE}}), render(point, root: :post)
    assert_equal %({"posts":[#{ONE}],"meta":{"total":1,"day":"2026-01-02"}}), render([point], root: "posts", meta: {total: 1, day: Date.new(2026, 1, 2)})
    assert_equal({"posts" => [JSON.parse(ONE)], "meta" => {"day" => "2026-01-02"}}, render_as_hash([point], root: :posts, meta: {day: Date.new(2026, 1, 2)}))
    assert_equal({"post" => nil}, render_as_hash(nil, root: :post))
    assert_equal '{"p\"s":null}', render(nil, root: "p\"s")
    assert_equal ONE, render(point, root: nil, meta: nil)
    assert_equal ONE, render(point, root: false)
    assert_equal '{"posts":[],"meta":{"all":[{"id":1}]}}',
                 render([], root: :posts, meta: {all: Katsu::ArraySerializer.new([point], each_serializer: PostSerializer, only: [:id])})
  end

  def test_mistakes
    {
      {meta: {}} => "RenderTest::PostSerializer: meta: stands beside the document and needs a key for it, such as root: :posts",
      {root: :posts, meta: 3} => "RenderTest::PostSerializer: meta: 3 is a Integer; accepted is a Hash",
      {root: 3} => "RenderTest::PostSerializer: root: 3 is no name; names are Symbols or Strings",
      {root: :meta, meta: {}} => "RenderTest::PostSerializer: root: and meta: would both be written under \"meta\"",
      {roots: 1} => "RenderTest::PostSerializer: unknown option: :roots; known are only, except, context, scope, view, transform_keys, root, meta. Did you mean root?"
    }.each do |options, message|
      assert_equal message, assert_raises(ArgumentError) { render([], **options) }.message
      assert_equal message, assert_raises(ArgumentError) { render_as_hash([], **options) }.message
    end
    assert_raises(Katsu::NumberError) { render(Post) }
  end
end
