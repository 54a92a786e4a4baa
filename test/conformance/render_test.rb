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
    [[point], Set[point], [point].each, [point].lazy, Katsu::Stream.new([point]), Post.all,
     Post.all.load].each do |objects|
      assert_equal "[#{ONE}]", render(objects), objects.class
      assert_equal [JSON.parse(ONE)], render_as_hash(objects), objects.class
    end
    assert_equal ["[]", "[]"], [render([]), render(Post.none)]
  ensure
    Post.delete_all
  end

  class Playlist < Post
    include Enumerable

    def each = yield(title)
  end

  # A record is one object, whatever its model includes.
  def test_a_record_that_is_enumerable
    record = Playlist.new(id: 1, title: "a")
    assert_equal [ONE, JSON.parse(ONE)], [render(record), render_as_hash(record)]
    assert_equal "{\"post\":#{ONE}}", render(record, root: :post)
  end

  def test_sizes_of_documents
    Post.create!(id: 1, title: "a")
    document = PostSerializer.many(Post.all)
    assert_nil document.size
    document.to_json
    documents = [document, PostSerializer.many([1, 2]), PostSerializer.one({id: 1}), PostSerializer.one(nil),
                 PostSerializer.many([1].lazy)]
    assert_equal [1, 2, 1, 0, nil], documents.map(&:size)
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
    assert_equal %({"posts":[#{ONE}],"meta":{"total":1,"day":"2026-01-02"}}),
                 render([point], root: "posts", meta: {total: 1, day: Date.new(2026, 1, 2)})
    assert_equal({"posts" => [JSON.parse(ONE)], "meta" => {"day" => "2026-01-02"}},
                 render_as_hash([point], root: :posts, meta: {day: Date.new(2026, 1, 2)}))
    assert_equal({"post" => nil}, render_as_hash(nil, root: :post))
    assert_equal '{"p\"s":null}', render(nil, root: "p\"s")
    assert_equal ONE, render(point, root: nil, meta: nil)
    assert_equal ONE, render(point, root: false)
    assert_equal '{"posts":[],"meta":{"all":[{"id":1}]}}',
                 render([], root: :posts,
                            meta: {all: Katsu::ArraySerializer.new([point], each_serializer: PostSerializer,
                                                                            only: [:id])})
  end

  class RootedSerializer < PostSerializer
    root :post, :posts
    meta { |objects, context| {seen: "#{objects.class} #{scope} #{context}"} }
  end

  class QuietSerializer < RootedSerializer
    root nil
    meta version: 1
  end

  class PagesSerializer < Katsu::Serializer
    root :items
    meta version: 1, "pagination" => nil
    attributes :id
  end

  def test_declared_root_and_meta
    point = Point.new(1, "a")
    assert_equal '{"post":{"id":1},"meta":{"seen":"RenderTest::Point  "}}', RootedSerializer.render(point, only: [:id])
    assert_equal '{"posts":[{"id":1}],"meta":{"seen":"Array s c"}}',
                 RootedSerializer.render([point], only: [:id], scope: "s", context: "c")
    assert_equal({"posts" => [], "meta" => {"seen" => "Array  ", "b" => 2}},
                 RootedSerializer.render_as_hash([], meta: {b: 2}))
    assert_equal '{"posts":[],"meta":{"seen":1}}', RootedSerializer.render([], meta: {"seen" => 1})
    assert_match(/\A\{"post":.*"meta":/, Class.new(RootedSerializer).render(point))
    given = Class.new(PostSerializer) { meta { {given: [context, scope]} } }
    assert_equal '{"all":[],"meta":{"given":[1,2]}}', given.render([], root: :all, context: 1, scope: 2)
    assert_equal '{"all":[],"meta":{"seen":"Array  "}}', RootedSerializer.render([], root: :all)
    assert_equal "[]", RootedSerializer.render([], root: false)
    assert_equal '{"a":null,"meta":{"version":1}}', QuietSerializer.render(nil, root: :a)
    assert_match(/needs a key/, assert_raises(ArgumentError) { QuietSerializer.render(nil) }.message)
    assert_equal "[]", Katsu::ArraySerializer.new([], each_serializer: RootedSerializer).to_json
    assert_equal "[]", RootedSerializer.many([]).to_json
  end

  class BadSerializer < Katsu::Serializer
    attribute(:ratio) { 1 / 0 }
  end

  def test_places_of_errors_in_meta
    {{x: BadSerializer.many([1])} => "meta.x[0].ratio", {x: [BadSerializer.one(1)]} => "meta.x[0].ratio"}
      .each do |meta, path|
        %i[render render_as_hash].each do |call|
          error = assert_raises(ZeroDivisionError) { PostSerializer.public_send(call, nil, root: :post, meta: meta) }
          assert_equal path, error.field_path
        end
      end
    error = assert_raises(Katsu::GeneratorError) { PostSerializer.render(nil, root: :post, meta: {b: [{c: "\xff"}]}) }
    assert_equal "meta.b[0].c", error.path
    declared = Class.new(PostSerializer) do
      root :post
      meta { {x: BadSerializer.one(1)} }
    end
    assert_equal "meta.x.ratio", assert_raises(ZeroDivisionError) { declared.render(nil) }.field_path
  end

  class BareSerializer < RootedSerializer
    root false
  end

  class OneSerializer < RootedSerializer
    root :post, nil
  end

  # A class says no root, and so no meta that it inherits.
  def test_no_root_beside_an_inherited_meta
    point = Point.new(1, "a")
    [BareSerializer, Class.new(BareSerializer)].each do |serializer|
      assert_equal "[]", serializer.render([])
      assert_equal [], serializer.render_as_hash([])
      assert_equal ONE, serializer.render(point)
      assert_equal '{"all":[],"meta":{"seen":"Array  "}}', serializer.render([], root: :all)
      assert_match(/needs a key/, assert_raises(ArgumentError) { serializer.render([], meta: {}) }.message)
    end
    assert_equal "[]", OneSerializer.render([])
    assert_match(/\A\{"post":.*"meta":/, OneSerializer.render(point))
    assert_match(/needs a key/, assert_raises(ArgumentError) { Class.new(QuietSerializer).render([]) }.message)
    own = Class.new(BareSerializer) { meta({a: 1}) }
    assert_match(/needs a key/, assert_raises(ArgumentError) { own.render([]) }.message)
  end

  def test_an_end_of_an_inherited_meta
    [nil, false].each do |given|
      serializer = Class.new(RootedSerializer) { meta given }
      [serializer, Class.new(serializer)].each do |ended|
        assert_equal '{"posts":[]}', ended.render([])
        assert_equal({"posts" => [], "meta" => {"b" => 1}}, ended.render_as_hash([], meta: {b: 1}))
      end
      assert_equal '{"posts":[],"meta":{"c":2}}', Class.new(serializer) { meta c: 2 }.render([])
      assert_equal "[]", Class.new(serializer) { root false }.render([])
    end
    [-> { meta }, -> { meta({a: 1}, {b: 1}) }, -> { meta(nil) { {} } }].each do |body|
      error = assert_raises(ArgumentError) { Class.new(PostSerializer) { instance_exec(&body) } }
      assert_match(/: meta takes a Hash or a block\z/, error.message)
    end
  end

  KAMINARI = Struct.new(:current_page, :limit_value, :total_pages, :total_count, :next_page, :prev_page)
  WILL_PAGINATE = Struct.new(:current_page, :per_page, :total_pages, :total_entries, :next_page, :previous_page)
  PAGY = Struct.new(:page, :limit, :pages, :count, :next, :prev)
  OLD_PAGY = Struct.new(:page, :items, :pages, :count, :next, :prev)
  NEW_PAGY = Struct.new(:page, :limit, :last, :count, :next, :previous)

  def test_pagination
    [KAMINARI, WILL_PAGINATE, PAGY, OLD_PAGY, NEW_PAGY].each do |page|
      assert_equal '{"items":[{"id":1}],"meta":{"version":1,"pagination":' \
                   '{"page":2,"per_page":10,"pages":3,"total":25,"next":3,"previous":1}}}',
                   PagesSerializer.render([{id: 1}], pagination: page.new(2, 10, 3, 25, 3, 1)), page
    end
    items = [{id: 1}]
    {current_page: 1, limit_value: 1, total_pages: 1, total_count: 1, next_page: nil,
     prev_page: nil}.each do |name, value|
      items.define_singleton_method(name) { value }
    end
    assert_equal({"page" => 1, "per_page" => 1, "pages" => 1, "total" => 1, "next" => nil, "previous" => nil},
                 PagesSerializer.render_as_hash(items, pagination: true)["meta"]["pagination"])
    error = assert_raises(ArgumentError) { PagesSerializer.render([], pagination: true) }
    assert_equal "RenderTest::PagesSerializer: pagination: Array tells no page; accepted are true for a page of " \
                 "kaminari or will_paginate (such as Post.page(2)), and an object of pagy", error.message
    assert_raises(ArgumentError) { PostSerializer.render(items, pagination: true) } # no root
  end

  def test_mistaken_declarations
    {
      "S: root: 3 is no name; names are Symbols or Strings" => -> {
        Class.new(Katsu::Serializer) do
          def self.to_s
            "S"
          end
          root 3
        end
      },
      "S: meta takes a Hash or a block" => -> {
        Class.new(Katsu::Serializer) do
          def self.to_s = "S"
          meta
        end
      },
      "S: meta: 3 is no Hash" => -> {
        Class.new(Katsu::Serializer) do
          def self.to_s = "S"
          meta 3
        end
      }
    }.each { |message, code| assert_equal message, assert_raises(ArgumentError, &code).message }
    serializer = Class.new(PostSerializer) do
      root :a
      meta { 3 }
    end
    assert_match(/the block of meta gave a Integer; it gives a Hash, or nil for none/,
                 assert_raises(Katsu::Error) { serializer.render(nil) }.message)
  end

  def test_mistakes
    {
      {meta: {}} => "RenderTest::PostSerializer: meta: stands beside the document and needs a key for it, " \
                    "such as root: :posts",
      {root: :posts, meta: 3} => "RenderTest::PostSerializer: meta: 3 is a Integer; accepted is a Hash",
      {root: 3} => "RenderTest::PostSerializer: root: 3 is no name; names are Symbols or Strings",
      {root: :meta, meta: {}} => "RenderTest::PostSerializer: root: and meta: would both be written under \"meta\"",
      {roots: 1} => "RenderTest::PostSerializer: unknown option: :roots; known are only, except, context, scope, " \
                    "view, transform_keys, by, root, meta, pagination. Did you mean root?"
    }.each do |options, message|
      assert_equal message, assert_raises(ArgumentError) { render([], **options) }.message
      assert_equal message, assert_raises(ArgumentError) { render_as_hash([], **options) }.message
    end
    assert_raises(Katsu::NumberError) { render(Post) }
    declared = Class.new(PostSerializer) { root(:posts) && meta({total: 1}) }
    assert_match(/meta: 3 is a Integer; accepted is a Hash/,
                 assert_raises(ArgumentError) { declared.render([], meta: 3) }.message)
  end
end
