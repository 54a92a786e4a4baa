# frozen_string_literal: true

require_relative "test_application"

# render json: in controllers.
class RenderJsonTest < RailsTestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title
    attribute(:viewer) { scope }
    attribute(:host) { |_, context| context }
  end

  class TitleSerializer < Katsu::Serializer
    attributes :title
  end

  TITLES = '[{"title":"one"},{"title":"two"}]'

  def setup
    Post.create!(id: 1, title: "one")
    Post.create!(id: 2, title: "two")
  end

  def teardown
    Post.delete_all
  end

  def test_a_collection
    status, headers, body = request(controller { render json: Post.order(:id), each_serializer: TitleSerializer })
    assert_equal [200, "application/json; charset=utf-8", TITLES],
                 [status, headers["content-type"] || headers["Content-Type"], body]
    assert_equal TITLES, rendered { render json: Post.order(:id).to_a, each_serializer: TitleSerializer }
    assert_equal TITLES, rendered(ActionController::API) {
      render json: Post.order(:id),
             each_serializer: TitleSerializer
    }
    assert_equal "[]", rendered { render json: Post.none, each_serializer: TitleSerializer }
  end

  def test_a_collection_by_key
    expected = '{"1":{"title":"one"},"2":{"title":"two"}}'
    assert_equal expected, rendered { render json: Post.order(:id), each_serializer: TitleSerializer, by: :id }
    assert_equal "{\"posts\":#{expected}}",
                 rendered { render json: Post.order(:id), each_serializer: TitleSerializer, by: :id, root: :posts }
    assert_equal expected, rendered { render json: TitleSerializer.many(Post.order(:id), by: :id) }
    assert_equal "{\"a\":#{expected}}", rendered { render json: {a: TitleSerializer.many(Post.order(:id), by: :id)} }
    map = {Post => TitleSerializer}
    assert_equal expected, rendered { render json: Post.order(:id), each_serializer: map, by: :id }
    streamed = rendered { render json: Post.order(:id), each_serializer: TitleSerializer, by: :id, stream: true }
    assert_equal expected, streamed
    assert_equal "null", rendered { render json: nil, serializer: TitleSerializer, by: :id }
    error = assert_raises(ArgumentError) { rendered { render json: Post.first, serializer: TitleSerializer, by: :id } }
    assert_includes error.message, "by: is for a collection"
    error = assert_raises(ArgumentError) { rendered { render json: TitleSerializer.many(Post.all), by: :id } }
    assert_includes error.message, "by:"
  end

  class WriterSerializer < Katsu::Serializer
    attributes :title
    has_one :author, serializer: AuthorSerializer
  end

  # Each with one query, as with one serializer; an object without a serializer is refused in its place.
  def test_associations_of_several_serializers
    Post.update_all(author_id: Author.create!(name: "Ada").id)
    map = {Post => WriterSerializer, Author => AuthorSerializer}
    expected = Katsu::ArraySerializer.new(Post.order(:id), each_serializer: map).to_json
    made = queries { assert_equal expected, rendered { render json: Post.order(:id), each_serializer: map } }
    assert_equal 2, made.size, made.join("\n")
    once = Enumerator.new { |all| 2.times { |i| all << Post.new(title: "#{i}") } if (@calls = @calls.to_i + 1) == 1 }
    assert_equal '[{"title":"0","author":null},{"title":"1","author":null}]',
                 rendered { render json: once, each_serializer: map }
    error = assert_raises(Katsu::SerializerNotFoundError) do
      rendered { render json: [*Post.order(:id), Comment.new], each_serializer: map }
    end
    assert_match(/Comment/, error.message)
  ensure
    Author.delete_all
  end

  def test_one_object
    assert_equal '{"title":"one"}', rendered { render json: Post.find(1), serializer: TitleSerializer }
    assert_equal "null", rendered { render json: nil, serializer: TitleSerializer }
  end

  def test_options_of_serializers
    assert_equal '[{"id":1,"viewer":"ann","host":"h"}]',
                 rendered {
                   render json: Post.limit(1), each_serializer: PostSerializer, except: [:title], scope: "ann",
                          context: "h"
                 }
    assert_equal '{"id":1}', rendered { render json: Post.first, serializer: PostSerializer, only: [:id] }
  end

  def test_root_and_meta
    assert_equal %({"posts":#{TITLES},"meta":{"total":2,"at":"2026-01-02"}}),
                 rendered {
                   render json: Post.order(:id), each_serializer: TitleSerializer, root: :posts,
                          meta: {total: 2, at: Date.new(2026, 1, 2)}
                 }
    assert_equal '{"post":{"title":"one"}}',
                 rendered { render json: Post.first, serializer: TitleSerializer, root: "post" }
  end

  class RootedSerializer < TitleSerializer
    root :post, :posts
    meta(version: 1)
  end

  def test_declared_root_and_meta
    assert_equal '{"post":{"title":"one"},"meta":{"version":1}}',
                 rendered { render json: Post.find(1), serializer: RootedSerializer }
    assert_equal %({"posts":#{TITLES},"meta":{"version":1}}),
                 rendered { render json: Post.order(:id), each_serializer: RootedSerializer }
    assert_equal TITLES, rendered { render json: Post.order(:id), each_serializer: RootedSerializer, root: false }
  end

  def test_objects_of_several_classes
    map = {Post => TitleSerializer, "Hash" => AuthorSerializer}
    objects = [Post.find(1), {id: 1, name: "Ada"}]
    assert_equal '[{"title":"one"},{"id":1,"name":"Ada"}]', rendered { render json: objects, each_serializer: map }
    assert_equal '{"all":[{"title":"one"},{"name":"Ada"}],"meta":{"a":1}}',
                 rendered { render json: objects, each_serializer: map, only: %i[title name], root: :all, meta: {a: 1} }
  end

  PAGY = Struct.new(:page, :limit, :pages, :count, :next, :prev)

  # As with one serializer for all objects.
  def test_pagination_of_objects_of_several_classes
    pagy = PAGY.new(1, 1, 2, 2, 2, nil)
    page = '"pagination":{"page":1,"per_page":1,"pages":2,"total":2,"next":2,"previous":null}'
    [TitleSerializer, {Post => TitleSerializer}].each do |given|
      assert_equal "{\"posts\":[{\"title\":\"one\"}],\"meta\":{#{page},\"a\":1}}",
                   rendered {
                     render json: Post.order(:id).limit(1), each_serializer: given, root: :posts, pagination: pagy,
                            meta: {a: 1}
                   }
      message = render_error { render json: [Post.first], each_serializer: given, root: :posts, pagination: true }
      assert_match(/: pagination: Array tells no page; accepted are true for a page of kaminari/, message)
      message = render_error { render json: [Post.first], each_serializer: given, pagination: pagy }
      assert_match(/: meta: stands beside the document and needs a key for it/, message)
    end
  end

  def test_pagination_of_documents
    page = Post.order(:id).limit(1)
    {current_page: 1, limit_value: 1, total_pages: 2, total_count: 2, next_page: 2, prev_page: nil}
      .each { |name, value| page.define_singleton_method(name) { value } }
    expected = '{"posts":[{"title":"one"}],"meta":{"pagination":{"page":1,"per_page":1,"pages":2,"total":2,"next":2,' \
               '"previous":null},"a":1}}'
    array = Katsu::ArraySerializer.new(page, each_serializer: TitleSerializer)
    [TitleSerializer.many(page), array].each do |document|
      assert_equal expected, rendered { render json: document, root: :posts, pagination: true, meta: {a: 1} }
      given = rendered { render json: document, root: :posts, pagination: PAGY.new(1, 1, 2, 2, 2, nil), meta: {a: 1} }
      assert_equal expected, given
    end
    message = render_error { render json: Katsu::Response.new([1]), root: :posts, pagination: true }
    assert_match(/pagination: NilClass tells no page/, message)
  end

  def test_options_of_render
    status, headers, body = request(controller do
      render json: Post.first, serializer: TitleSerializer, status: :created, location: "http://example.com/1",
             content_type: "application/vnd.api+json"
    end)
    assert_equal [201, '{"title":"one"}'], [status, body]
    assert_equal "http://example.com/1", headers["location"] || headers["Location"]
    assert_equal "application/vnd.api+json; charset=utf-8", headers["content-type"] || headers["Content-Type"]
  end

  def test_a_callback_escapes_what_scripts_do_not_take
    Post.find(1).update!(title: "</script>\u2028")
    body = rendered(ActionController::API) { render json: Post.find(1), serializer: TitleSerializer, callback: "show" }
    assert_equal '/**/show({"title":"\u003c/script\u003e\u2028"})', body
  end

  # Rails 8.1 has the option for its own JSON.
  def test_escape
    Post.find(1).update!(title: "<&>\u2029")
    escaped = '{"title":"\u003c\u0026\u003e\u2029"}'
    one = -> { TitleSerializer.one(Post.find(1)) }
    assert_equal escaped, rendered { render json: Post.find(1), serializer: TitleSerializer, escape: true }
    assert_equal escaped, rendered { render json: one.call, escape: true }
    assert_equal %({"a":#{escaped}}), rendered { render json: {a: one.call}, escape: true }
    assert_equal one.call.to_json, rendered { render json: one.call, escape: false }
  end

  def test_documents
    assert_equal TITLES,
                 rendered {
                   render json: Katsu::ArraySerializer.new(Post.order(:id), each_serializer: TitleSerializer)
                 }
    assert_equal TITLES, rendered { render json: TitleSerializer.many(Post.order(:id)) }
    assert_equal %({"posts":#{TITLES}}), rendered { render json: TitleSerializer.many(Post.order(:id)), root: :posts }
    assert_equal '{"title":"one"}', rendered { render json: TitleSerializer.one(Post.find(1)) }
    assert_equal %({"a":[#{TITLES}]}), rendered { render json: {a: [TitleSerializer.many(Post.order(:id))]} }
    assert_equal %({"posts":#{TITLES},"meta":{"total":2}}),
                 rendered {
                   render json: Katsu::ArraySerializer.new(Post.order(:id), each_serializer: TitleSerializer),
                          root: :posts, meta: {total: 2}
                 }
    assert_equal %({"posts":#{TITLES}}),
                 rendered {
                   render json: Katsu::Response.create { |r|
                     {posts: r.array_serializer(Post.order(:id), TitleSerializer)}
                   }
                 }
  end

  # Counts how often a document is made Hashes.
  class Walked < Katsu::ArraySerializer
    class << self
      attr_accessor :times
    end
    self.times = 0

    def to_a
      Walked.times += 1
      super
    end
  end

  def test_documents_in_hashes_are_embedded_as_text
    Walked.times = 0
    body = rendered do
      posts = Walked.new(Post.order(:id), each_serializer: TitleSerializer)
      render json: {posts: posts, nested: {list: [posts]}, at: Date.new(2026, 1, 2), post: Post.select(:id).first,
                    total: 2}
    end
    assert_equal %({"posts":#{TITLES},"nested":{"list":[#{TITLES}]},"at":"2026-01-02",) +
                 %("post":{"id":1,"stars":3},"total":2}), body
    assert_equal 0, Walked.times
    rendered { render json: {posts: Walked.new(Post.order(:id), each_serializer: TitleSerializer)}, only: ["posts"] }
    assert_equal 1, Walked.times
  end

  def test_filters_beside_a_hash_leave_out_its_own_keys
    hash = -> { {posts: TitleSerializer.many(Post.order(:id)), total: 2, deep: {total: 3}} }
    assert_equal %({"posts":#{TITLES},"deep":{}}), rendered { render json: hash.call, except: %i[total title] }
    assert_equal %([{"posts":#{TITLES}}]), rendered { render json: [hash.call], only: [:posts] }
  end

  # A value that is no document is filtered as if no document stood beside it.
  def test_only_and_except_of_a_document_speak_of_declared_names
    camel = Class.new(Katsu::Serializer) do
      transform_keys :lower_camel
      attributes :id, :author_id
    end
    post = Post.new(id: 3, author_id: 4)
    [camel.many([post]), Katsu::ArraySerializer.new([post], each_serializer: camel)].each do |document|
      assert_equal '[{"id":3}]', rendered { render json: document, except: [:author_id] }
      assert_equal '[{"authorId":4}]', rendered { render json: document, only: [:author_id] }
    end
    both = {only: %i[id author_id], except: [:author_id]}
    assert_equal '[{"id":3}]', rendered { render json: camel.many([post]), **both }
    assert_equal '{"3":{"id":3}}', rendered { render json: camel.many([post], by: :id), **both }
    mixed = Katsu::ArraySerializer.new([post], each_serializer: {Post => camel, Author => AuthorSerializer})
    assert_equal '[{"authorId":4}]', rendered { render json: mixed, except: %i[id name] }
    documents = [camel.many([post]), camel.one(post), camel.many([post], by: :id), mixed]
    documents.product(%i[only except]) do |document, word|
      error = assert_raises(Katsu::InvalidFilterError) { rendered { render json: document, word => %i[id autor_id] } }
      assert_match(/: #{word}: names :autor_id, which it does not declare. Did you mean author_id\?/, error.message)
    end
    assert_equal '[{"id":3}]', rendered { render json: camel.many([post]), except: "authorId" }
  end

  def test_only_and_except_beside_a_document
    post = Post.order(:id).first
    values = {post: post, list: [post, {title: 1, id: 2}], at: {title: 1, b: [{title: 2}]}, number: 1, text: "t"}
    document = TitleSerializer.many(Post.order(:id))
    [{except: [:title]}, {except: %i[title created_at]}, {only: %i[post list id]}, {only: :title},
     {only: %i[post list id], except: [:id]}].each do |options|
      alone = JSON.parse(rendered { render json: values, **options })
      beside = JSON.parse(rendered { render json: {**values, document: document}, **options })
      assert_equal alone, beside.except("document"), options.inspect
      response = JSON.parse(rendered { render json: Katsu::Response.new({**values, document: document}), **options })
      assert_equal beside, response, options.inspect
    end
    assert_equal %({"document":#{TITLES}}), rendered { render json: {document: document}, except: [:title] }
    inner = Katsu::Response.new({title: 1, posts: document})
    [{inner: inner}, [inner], Katsu::Response.new([inner])].each do |value|
      assert_includes rendered { render json: value, except: [:title] }, %({"posts":#{TITLES}})
      refute_includes rendered { render json: value, except: [:title] }, '"title":1'
    end
    blank = Class.new(BasicObject) { def as_json(*) = 7 }.new
    assert_equal %([1,7,{"posts":#{TITLES}}]), rendered { render json: [1, blank, {posts: document}], except: [:a] }
  end

  def test_a_document_in_an_array_is_found_wherever_it_stands
    one = TitleSerializer.one(Post.order(:id))
    [[one, 1], [1, one], [1, [2, one]], [{a: 1}, {one: one}]].each do |list|
      expected = %({"list":#{list.to_json}})
      assert_equal expected, rendered { render json: {list: list}, only: [:list, :one, :a] }
      assert_raises(ArgumentError) { rendered { render json: {list: list}, stream: true } }
      assert_raises(ArgumentError) { rendered { render json: {list: list}, stram: true } }
    end
    both = {list: [1, one]}.with_indifferent_access
    assert_equal '{"list":[1,{"title":"one"}]}', rendered { render json: both, only: [:list] }
  end

  def test_without_serializers_rails_renders
    [[1, {"a" => Date.new(2026, 1, 2)}], {b: [1.5]}, Post.first, Post.order(:id), "text", nil].each do |value|
      assert_equal (value.is_a?(String) ? value : value.to_json), rendered { render json: value }
    end
    assert_equal '{"title":"one"}', rendered { render json: Post.first, only: [:title] }
  end

  # What another gem puts into controllers.
  module Rendered
    def _render_with_renderer_json(value, options)
      given = options.slice(:serializer, :each_serializer)
      super(given.empty? ? value : "#{value.class} #{given.keys}", options)
    end
  end

  # A serializer of another gem is rendered by that gem, which is given none of Katsu's.
  def test_serializers_of_other_gems
    Object.const_set(:OjSerializers, Module.new)
    theirs = Class.new(OjSerializers.const_set(:Serializer, Class.new))
    OjSerializers.const_set(:ControllerSerialization, Rendered.dup)
    body = proc { include OjSerializers::ControllerSerialization }
    {{json: Post.new, serializer: theirs} => "Post [:serializer]",
     {json: [Post.new], each_serializer: theirs} => "Array [:each_serializer]",
     {json: Post.find(1), serializer: TitleSerializer} => '{"title":"one"}',
     {json: Post.order(:id), each_serializer: TitleSerializer} => TITLES,
     {json: Post.order(:id), each_serializer: TitleSerializer, stream: true} => TITLES}.each do |options, expected|
      assert_equal expected, rendered(ActionController::Base, body) { render(**options) }
    end
    message = render_error { render json: Post.new, serializer: theirs } # the gem is not in this controller
    assert_match(/is no subclass of Katsu::Serializer/, message)
  ensure
    Object.send(:remove_const, :OjSerializers)
  end

  def test_unknown_options
    {
      {each_serialiser: 1} => "render json: unknown option: :each_serialiser. Did you mean each_serializer?",
      {serializers: 1} => "render json: unknown option: :serializers. Did you mean serializer?",
      {each_serializer: TitleSerializer,
       contxt: 1} => "render json: unknown option: :contxt; known are serializer, each_serializer, " \
        "only, except, context, scope, view, transform_keys, by, root, meta, pagination and those of render. " \
        "Did you mean context?",
      {each_serializer: TitleSerializer,
       serializer: TitleSerializer} => "render json: has serializer: and each_serializer:; give one of them",
      {each_serializer: String} => "render json: each_serializer: String is no subclass of Katsu::Serializer",
      {each_serializer: TitleSerializer, meta: {}} =>
        "RenderJsonTest::TitleSerializer: meta: stands beside the document and needs a key for it, " \
        "such as root: :posts",
      {each_serializer: TitleSerializer,
       only: [:titel]} => "RenderJsonTest::TitleSerializer: only: names :titel, which it does not declare. " \
        "Did you mean title? It declares title"
    }.each { |options, message| assert_equal message, render_error { render json: Post.all, **options } }
  end

  def test_options_of_documents
    message = render_error { render json: Katsu::ArraySerializer.new([], each_serializer: TitleSerializer), scope: 1 }
    assert_equal "render json: scope: is an option of the Katsu::ArraySerializer that is rendered, not of render",
                 message
    message = render_error do
      render json: {a: Katsu::ArraySerializer.new([], each_serializer: TitleSerializer)},
             methods: [:b]
    end
    assert_equal "render json: unknown option: :methods; known are only, except and those of render.", message
    message = render_error { render json: "[]", serializer: TitleSerializer }
    assert_equal "render json: serializer: the text of a String is written as it is; give the object", message
  end

  def test_one_in_the_place_of_many
    message = render_error { render json: [Post.first], serializer: TitleSerializer }
    assert_equal "render json: serializer: is for one object and was given a Array; write each_serializer:", message
    assert_raises(Katsu::NumberError) { rendered { render json: Post.first, each_serializer: TitleSerializer } }
    messages = [TitleSerializer, {Post => TitleSerializer}].map do |given|
      assert_raises(Katsu::NumberError) { rendered { render json: nil, each_serializer: given } }.message
    end
    assert_equal "RenderJsonTest::TitleSerializer.many was given a NilClass, which is no collection; for one object " \
                 "write RenderJsonTest::TitleSerializer.one(object), or serializer: in render json:", messages.first
    assert_match(/ArraySerializer was given a NilClass, which is no collection; for one object write/, messages.last)
  end

  def test_scope
    body = proc do
      katsu_scope :current_user
      def current_user = "ben"
      private :current_user
    end
    show = proc { render json: Post.first, serializer: PostSerializer, only: [:viewer] }
    assert_equal '{"viewer":"ben"}', rendered(ActionController::Base, body, &show)
    assert_equal '{"viewer":"BEN"}', rendered(ActionController::Base, proc { katsu_scope { "BEN" } }, &show)
    parent = Class.new(ActionController::Base, &body)
    assert_equal '{"viewer":"ben"}', rendered(parent, &show)
    assert_equal '{"viewer":null}', rendered(parent, proc { katsu_scope nil }, &show)
    assert_equal '{"viewer":"ann"}', rendered(parent) {
      render json: Post.first, serializer: PostSerializer,
             only: [:viewer], scope: "ann"
    }
    assert_raises(ArgumentError) { Class.new(ActionController::Base) { katsu_scope "current_user" } }
  end

  def test_an_action_named_as_a_serializers_word_is_not_routed
    refute_includes controller { head :ok }.action_methods, "katsu_scope"
  end
end
