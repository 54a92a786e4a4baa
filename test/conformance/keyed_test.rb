# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "stringio"

# Collections as a Hash by key: by: of has_many, many, render and ArraySerializer. The reference is index_by of the
# objects, whose keys as_json writes as their to_s.
class KeyedTest < TestCase
  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
    attribute(:loud) { |comment, context| "#{comment.body.upcase}#{context}" }
    attribute(:day, format: "%F") { |_| Time.utc(2026, 1, 2) }
    def handle = "#{scope}#{object.id}"
    def some = object.id.odd? ? object.id : SKIP
    def broken = raise(ArgumentError, "no key")
    view(:short) { exclude :loud }
  end

  def self.keyed(by, **options, &block)
    Class.new(Katsu::Serializer) do
      attributes :title
      has_many :comments, serializer: CommentSerializer, only: [:body], by: by, **options, &block
    end
  end

  PostSerializer = keyed(:id)

  class Bodies
    def call(comment) = comment.body
  end

  class CountedSerializer < Katsu::Serializer
    attribute(:key) { |comment| "#{tag}-#{comment.id}" }
    def tag = @tag ||= context.next
  end

  def setup
    @post = Post.create!(title: "p")
    @comments = %w[a b a].map { |body| @post.comments.create!(body: body) }
    @ids = @comments.map(&:id)
    @post = Post.includes(:comments).find(@post.id)
  end

  # What one object's serializer keeps, such as the result of a query, the others find, and so do their keys.
  def test_keys_are_given_by_the_serializer_that_writes
    posts = Class.new(Katsu::Serializer) { has_many :comments, serializer: CountedSerializer, by: :key }
    keyed = ->(ids) { ids.to_h { |id| ["1-#{id}", {"key" => "1-#{id}"}] } }
    owners = [{comments: @comments}, {comments: @comments.first(1)}]
    expected = [@ids, @ids.first(1)].map { |ids| {"comments" => keyed.call(ids)} }
    assert_equal expected, JSON.parse(watched { posts.many(owners, context: 1.step).to_json })
    assert_equal expected, watched { posts.many(owners, context: 1.step).to_a }
    [@comments, Comment.where(id: @ids).order(:id)].each do |given|
      document = -> { CountedSerializer.many(given, by: :key, context: 1.step) }
      assert_equal keyed.call(@ids), JSON.parse(watched { document.call.to_json })
      assert_equal keyed.call(@ids), watched { document.call.to_h }
    end
  end

  # Both sinks and the document of one, of records and of a relation.
  def check(expected, serializer, object = @post, **options)
    made = serializer.new(**options)
    assert_equal expected, JSON.parse(watched { made.serialize_to_json(object) })
    assert_equal expected, watched { made.serialize(object) }
    assert_equal Katsu.generate(expected), serializer.one(object, options).to_json
    return unless object.is_a?(Post)

    assert_equal [expected], JSON.parse(serializer.many(Post.order(:id), options).to_json)
    assert_equal [expected], serializer.many(Post.order(:id), options).to_a
  end

  def by_body(bodies) = {"title" => "p", "comments" => bodies.transform_values { |body| {"body" => body} }}

  # Which fields are written does not decide what the key is.
  def test_two_attributes_of_the_name
    posts = [{title: "a"}, {title: "b"}]
    first = Class.new(Katsu::Serializer) do
      attribute :title
      attribute(:title, name: :shout) { |post| post[:title].upcase }
    end
    last = Class.new(Katsu::Serializer) do
      attribute(:title, name: :shout) { |post| post[:title].upcase }
      attribute :title
    end
    [first, last].each do |serializer|
      [{}, {only: [:shout]}, {only: [:title]}, {except: [:title]}].each do |filter|
        assert_equal %w[a b], serializer.many(posts, by: :title, **filter).to_h.keys, filter
      end
    end
  end

  def test_has_many
    check(by_body(@ids.map(&:to_s).zip(%w[a b a]).to_h), PostSerializer)
    assert_equal "{\"title\":\"p\",\"comments\":{\"#{@ids[0]}\":{\"body\":\"a\"},\"#{@ids[1]}\":{\"body\":\"b\"}," \
                 "\"#{@ids[2]}\":{\"body\":\"a\"}}}", PostSerializer.new.serialize_to_json(@post)
    assert_includes PostSerializer.description.associations["comments"].inspect, "by: :id"
    callable = self.class.keyed(Bodies.new)
    assert_includes callable.description.associations["comments"].inspect, "by: a callable"
  end

  def test_names_and_callables
    check(by_body({"a" => "a", "b" => "b"}), self.class.keyed("body"))
    check(by_body({"A!" => "a", "B!" => "b"}), self.class.keyed(:loud), context: "!")
    check(by_body({"2026-01-02" => "a"}), self.class.keyed(:day))
    check(by_body(@ids.map { |id| "s#{id}" }.zip(%w[a b a]).to_h), self.class.keyed(:handle), scope: "s")
    check(by_body(@ids.zip(%w[a b a]).select { |id, _| id.odd? }.to_h.transform_keys(&:to_s)), self.class.keyed(:some))
    check(by_body({"ac" => "a", "bc" => "b"}), self.class.keyed(->(comment, context) { "#{comment.body}#{context}" }),
          context: "c")
    check(by_body({"a/s" => "a", "b/s" => "b"}), self.class.keyed(-> { "#{object.body}/#{scope}" }), scope: "s")
    check(by_body({"a" => "a", "b" => "b"}), self.class.keyed(:body.to_proc))
    check(by_body({"a" => "a", "b" => "b"}), self.class.keyed(Bodies.new))
  end

  Unlucky = Struct.new(:title, :comments) do
    def replies = raise(KeyError, "no replies")
  end

  # An error of the object's own reader has no place, whatever was before it.
  def test_errors_behind_a_collection_by_key
    serializer = Class.new(PostSerializer) { has_many :replies, serializer: CommentSerializer }
    %i[serialize_to_json serialize].each do |way|
      error = assert_raises(KeyError) { watched { serializer.new.public_send(way, Unlucky.new("p", @comments)) } }
      refute_kind_of Katsu::FieldError, error
    end
  end

  Plain = Struct.new(:id, :body)
  class Own
    attr_reader :id, :body

    def initialize(id, body) = (@id, @body = id, body)
  end

  def test_objects_of_all_classes
    own = Object.new
    own.define_singleton_method(:id) { 5 }
    own.define_singleton_method(:body) { "o" }
    objects = [Plain.new(1, "s"), Own.new(2, "a"), {"id" => 3, "body" => "h"}, Hash.new { |_, name| name.to_s }, own,
               SimpleDelegator.new(Own.new(6, "d")), Comment.new(body: "n"), @comments[0]]
    expected = {"1" => "s", "2" => "a", "3" => "h", "id" => "body", "5" => "o", "6" => "d", "" => "n",
                @ids[0].to_s => "a"}
    check(by_body(expected), PostSerializer, {title: "p", comments: objects})
  end

  # Below rows, through other associations, and for records of which only some columns are loaded.
  def test_relations
    author = Author.create!(name: "a")
    Post.update_all(author_id: author.id)
    writer = Class.new(Katsu::Serializer) do
      attributes :name
      has_many :posts, by: :title do
        attributes :id
        has_many :comments, serializer: CommentSerializer, only: [:body], by: :id
      end
    end
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: writer }
    comments = @comments.to_h { |comment| [comment.id.to_s, {"body" => comment.body}] }
    expected = {"author" => {"name" => "a", "posts" => {"p" => {"id" => @post.id, "comments" => comments}}}}
    assert_equal [expected], JSON.parse(outer.many(Post.all).to_json)
    assert_equal [expected], outer.many(Post.all).to_a
    assert_equal [expected], JSON.parse(outer.many(Post.all).write_to(StringIO.new).string)
    outer.many(Post.all).explain.to_s
  end

  # For equal keys the last object, in the place of the first. 1 and "1" are equal in JSON.
  def test_equal_keys
    given = {title: "p", comments: [{id: 1, body: "a"}, {id: 2, body: "b"}, {id: "1", body: "c"}]}
    expected = {"title" => "p", "comments" => {"1" => {"body" => "c"}, "2" => {"body" => "b"}}}
    check(expected, PostSerializer, given)
    assert_equal %w[1 2], PostSerializer.new.serialize(given)["comments"].keys
    assert_equal expected.to_json, PostSerializer.new.serialize_to_json(given)
  end

  def test_empty_and_nil
    check({"title" => "p", "comments" => {}}, PostSerializer, {title: "p", comments: []})
    check({"title" => "p", "comments" => nil}, PostSerializer, {title: "p", comments: nil})
    assert_equal "{}", CommentSerializer.many([], by: :id).to_json
    assert_equal "null", CommentSerializer.render(nil, by: :id)
  end

  KEYS = [1, 2**70, nil, true, :sym, "q\"\n ü", 1.5, BigDecimal("1.50"), Date.new(2026, 1, 2),
          Time.utc(2026, 1, 2, 3, 4, 5), [1, "a"], "", "\u2028"].freeze

  # As as_json and JSON write the keys of a Hash.
  def test_keys_of_all_types
    given = KEYS.map { |key| {id: key, body: "x"} }
    expected = given.index_by { |one| one[:id] }.transform_values { {body: "x"} }.as_json
    check({"title" => "p", "comments" => expected}, PostSerializer, {title: "p", comments: given})
    assert_equal Katsu.generate(expected), CommentSerializer.many(given, only: [:body], by: :id).to_json
    assert_equal expected.keys, CommentSerializer.many(given, only: [:body], by: :id).as_json.keys
    latin = [{id: "é".encode("ISO-8859-1"), body: "x"}]
    assert_equal '{"é":{"body":"x"}}', CommentSerializer.many(latin, only: [:body], by: :id).to_json
    comments = [{id: "\xFF", body: 1}]
    assert_raises(Katsu::GeneratorError) { PostSerializer.new.serialize_to_json({title: "", comments: comments}) }
    assert_raises(Katsu::GeneratorError) { CommentSerializer.many(comments, only: [:body], by: :id).to_json }
  end

  # A to_s that gives no String would be written as it is, without quotes. The generator refuses it too.
  def test_keys_without_text
    [nil, 5, :a].each do |text|
      key = Class.new { define_method(:to_s) { text } }.new
      given = [{id: key, body: "x"}]
      message = assert_raises(TypeError) { Katsu.generate({key => 1}) }.message
      [-> { PostSerializer.new.serialize_to_json({title: "p", comments: given}) },
       -> { PostSerializer.new.serialize({title: "p", comments: given}) },
       -> { CommentSerializer.many(given, by: :id).to_json }, -> { CommentSerializer.many(given, by: :id).to_h },
       -> { CommentSerializer.many(given, by: :id).write_to(StringIO.new) }].each do |call|
        assert_includes assert_raises(TypeError, &call).message, message
      end
    end
  end

  # Also if the view says what the key is, and a filter leaves that out.
  def test_keys_that_a_view_declares
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      view(:named) { attribute(:slug) { |user| "user-#{user[:slug]}" } }
    end
    users = [{id: 1, slug: "a"}]
    [{}, {only: [:id]}, {except: [:slug]}, {only: [:slug]}].each do |filter|
      assert_equal ["user-a"], JSON.parse(serializer.many(users, by: :slug, view: :named, **filter).to_json).keys
      assert_equal ["user-a"], serializer.many(users, by: :slug, view: :named, **filter).to_h.keys
    end
  end

  def test_a_single_object
    [Plain.new(1, "s"), {id: 1, body: "h"}, Own.new(1, "a"), nil, 5, "text"].each do |object|
      list = Katsu::ArraySerializer.new([], each_serializer: CommentSerializer, by: :id)
      [-> { CommentSerializer.many(object, by: :id).to_json }, -> { CommentSerializer.many(object, by: :id).to_h },
       -> { list.serialize_to_json(object) }, -> { list.serialize(object) }].each do |call|
        assert_raises(Katsu::NumberError, object.inspect) { watched { call.call } }
      end
    end
  end

  # The elements of an Array are what stands in it, as in an association without by:.
  def test_arrays_with_a_to_a_of_their_own
    own = Class.new(Array) { def to_a = [{id: 2, body: "own"}] }
    check(by_body({"1" => "a"}), PostSerializer, {title: "p", comments: own.new([{id: 1, body: "a"}])})
  end

  # Filters, views and key transforms do not concern the keys of the Hash.
  def test_filters_views_and_transforms
    serializer = Class.new(Katsu::Serializer) do
      has_many :comments, serializer: CommentSerializer, by: :id, view: :short, except: %i[id day], name: :all_notes
    end
    key = @ids[0].to_s
    post = {comments: [{id: key, body: "x", loud: 1}]}
    check({"all_notes" => {key => {"body" => "x"}}}, serializer, post)
    check({"AllNotes" => {key => {"Body" => "x"}}}, serializer, post, transform_keys: :camel)
    check({}, serializer, post, except: [:comments])
    lower = {comments: [{id: "some_key", body: "x"}]}
    check({"allNotes" => {"some_key" => {"body" => "x"}}}, serializer, lower, transform_keys: :lower_camel)
    check({"all_notes" => {key => {"body" => "x"}}}, serializer, post, only: {comments: [:body]})
  end

  def test_conditions_blocks_and_inline
    given = {title: "p", comments: [{id: 1, body: "a"}]}
    check({"title" => "p"}, self.class.keyed(:id, if: -> { false }), given)
    check(by_body({"1" => "a"}), self.class.keyed(:id) { |post| post[:comments] }, given)
    check({"title" => "p"}, self.class.keyed(:id) { |_| Katsu::Serializer::SKIP }, given)
    inline = Class.new(Katsu::Serializer) { has_many(:comments, by: :id) { attributes :body } }
    check({"comments" => {"1" => {"body" => "a"}}}, inline, given)
  end

  def test_inherited_and_replaced
    child = Class.new(PostSerializer) { has_many :comments, serializer: CommentSerializer, only: [:body] }
    check({"title" => "p", "comments" => [{"body" => "a"}]}, child, {title: "p", comments: [{id: 1, body: "a"}]})
    check(by_body({"1" => "a"}), Class.new(PostSerializer), {title: "p", comments: [{id: 1, body: "a"}]})
    [%i[id body], [:id.to_proc, :body.to_proc]].each do |one, other|
      assert_raises(ArgumentError) do
        Class.new(Katsu::Serializer) do
          has_many :comments, serializer: CommentSerializer, by: one
          has_many :comments, serializer: CommentSerializer, by: other
        end
      end
    end
  end

  class TreeSerializer < Katsu::Serializer
    attributes :name
    has_many :folders, serializer: TreeSerializer, depth: 2, by: :name
  end

  def test_depth
    tree = {name: "a", folders: [{name: "b", folders: [{name: "c", folders: [{name: "d", folders: []}]}]}]}
    check({"name" => "a", "folders" => {"b" => {"name" => "b", "folders" => {"c" => {"name" => "c"}}}}},
          TreeSerializer, tree)
  end

  # Each Array as a Hash of its elements by their ids.
  def by_id(value)
    case value
    when Array then value.to_h { |element| [element["id"].to_s, by_id(element)] }
    when Hash then value.transform_values { |inner| by_id(inner) }
    else value
    end
  end

  # A depth counts from where the association stands within itself, as without by:.
  def test_depth_of_associations_that_lead_back
    node = Struct.new(:id, :items, :owner)
    owner, item = node.new(1), node.new(7)
    owner.items, item.owner = [item], owner
    [1, 2].each do |depth|
      plain, keyed = [{}, {by: :id}].map do |option|
        outer = Class.new(Katsu::Serializer) { attributes :id }
        inner = Class.new(Katsu::Serializer) { attributes :id }
        outer.has_many(:items, serializer: inner, depth: depth, **option)
        inner.has_one(:owner, serializer: outer, depth: depth)
        outer.new
      end
      expected = by_id(plain.serialize(owner))
      assert_equal expected, JSON.parse(watched { keyed.serialize_to_json(owner) })
      assert_equal expected, watched { keyed.serialize(owner) }
    end
  end

  class AuthorSerializer < Katsu::Serializer
    attributes :name
    def handle = "author"
  end

  BY_CLASS = {Comment => CommentSerializer, Author => AuthorSerializer}.freeze

  class FeedSerializer < Katsu::Serializer
    has_many :items, serializer: BY_CLASS, by: :handle, only: %i[name body]
    has_many :others, serializer: BY_CLASS, by: ->(item) { item.class }, only: %i[name body], depth: 2
  end

  def test_polymorphic
    items = [Author.new(name: "x"), @comments[1]]
    expected = {"author" => {"name" => "x"}, @ids[1].to_s => {"body" => "b"}}
    others = {"Author" => {"name" => "x"}, "Comment" => {"body" => "b"}}
    check({"items" => expected, "others" => others}, FeedSerializer, {items: items, others: items})
    check({"items" => nil, "others" => {}}, FeedSerializer, {items: nil, others: []})
    list = Katsu::ArraySerializer.new(items, each_serializer: BY_CLASS, only: %i[name body], by: :handle)
    assert_equal expected.to_json, watched { list.to_json }
    assert_equal expected, list.to_h
    assert_equal expected.to_json, list.write_to(StringIO.new).string
  end

  # nil has no serializer, and the methods of the one around it are not meant.
  def test_nil_among_objects_of_several_classes
    around = Class.new(Katsu::Serializer) do
      has_many :items, serializer: BY_CLASS, only: %i[name body], by: :handle
      def handle = "around"
    end
    %i[serialize_to_json serialize].each do |call|
      error = assert_raises(Katsu::UnknownAttributeError) { around.new.public_send(call, {items: [nil]}) }
      assert_includes error.message, "handle"
    end
  end

  def sources
    [@comments, Comment.order(:id), Comment.order(:id).load, Comment.all, @comments.to_set, @comments.each,
     Katsu::Stream.new(@comments), Katsu::Stream.new(Comment.all)]
  end

  def test_documents
    expected = @comments.to_h { |comment| [comment.id.to_s, {"body" => comment.body}] }
    sources.each do |source|
      document = CommentSerializer.many(source, only: [:body], by: :id)
      assert_equal expected.to_json, watched { document.to_json }
      assert_equal expected, watched { document.as_json }
      assert_equal expected, document.to_h
      assert_equal expected.to_json, document.write_to(StringIO.new).string
      assert_equal expected.to_json, document.each.to_a.join
      assert_equal "{\"d\":#{expected.to_json}}", Katsu.generate({d: document})
      assert_equal expected.to_json, CommentSerializer.render(source, only: [:body], by: :id)
      assert_equal({"c" => expected}, CommentSerializer.render_as_hash(source, only: [:body], by: :id, root: :c))
      document.inspect
      document.explain.to_s
    end
  end

  def test_array_serializer
    expected = @comments.to_h { |comment| [comment.body, {"body" => comment.body}] }
    [@comments, Comment.order(:id), @comments.to_set].each do |source|
      list = Katsu::ArraySerializer.new(source, each_serializer: CommentSerializer, only: [:body], by: :body)
      assert_equal expected.to_json, watched { list.to_json }
      assert_equal expected, list.to_h
      assert_equal expected, list.as_json
      assert_equal expected, list.serialize(source)
      assert_equal expected.to_json, list.serialize_to_json(source)
      assert_equal expected.to_json, list.write_to(StringIO.new).string
      assert_includes assert_raises(NoMethodError) { list.to_a }.message, "to_h"
    end
    list = Katsu::ArraySerializer.new(@comments, each_serializer: CommentSerializer)
    assert_includes assert_raises(NoMethodError) { list.to_h }.message, "to_a"
  end

  # In chunks, and the last of equal keys in the place of the first also if they are far from each other.
  def test_chunks
    objects = (1..2500).map { |id| {id: id, body: "x" * 100} } << {id: 1, body: "last"}
    [objects, objects.each, Katsu::Stream.new(objects.each)].each do |source|
      document = CommentSerializer.many(source, only: [:body], by: :id)
      chunks = document.each.to_a
      assert_operator chunks.size, :>, 1
      assert_equal document.to_json, chunks.join
      assert_equal '{"1":{"body":"last"},"2":{', chunks.join[0, 26]
      assert_equal 2500, JSON.parse(chunks.join).size
    end
  end

  def test_explain
    document = CommentSerializer.many(Comment.order(:id), only: [:body], by: :id)
    assert_equal :rows, CommentSerializer.many(Comment.order(:id), only: [:body]).explain.to_h[:way]
    assert_equal :rows, document.explain.to_h[:way]
    assert_includes document.explain.to_s, "by :id"
    nested = PostSerializer.many(Post.order(:id)).explain
    assert_equal :rows, nested.to_h[:way]
    assert_includes nested.to_s, "because comments: by:"
    assert_includes nested.to_s, "records are made of comments"
    assert_equal 2, nested.to_h[:queries].size
  end

  def test_queries
    3.times { |i| Post.create!(title: "q").comments.create!(body: i.to_s) }
    queries = 0
    counting = ->(*, payload) { queries += 1 unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(counting, "sql.active_record") { PostSerializer.many(Post.all).to_json }
    assert_equal 2, queries
  end

  def test_mistakes
    accepted = "accepted are a name and a callable that takes the object"
    [1, [], {}, "", CommentSerializer, true].each do |given|
      assert_includes assert_raises(ArgumentError) { self.class.keyed(given) }.message, accepted
      assert_includes assert_raises(ArgumentError) { CommentSerializer.many([], by: given) }.message, accepted
    end
    assert_raises(ArgumentError) { self.class.keyed(->(_, _, _) {}) }
    assert_raises(ArgumentError) { CommentSerializer.many([], by: ->(_, _, _) {}) }
    error = assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { has_one :author, by: :id } }
    assert_includes error.message, "has_many"
    assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { nested(:author, by: :id) { attributes :id } } }
    assert_raises(ArgumentError) { CommentSerializer.new(by: :id) }
    assert_raises(ArgumentError) { CommentSerializer.one(@comments[0], by: :id) }
    error = assert_raises(ArgumentError) { CommentSerializer.render(@comments[0], by: :id) }
    assert_includes error.message, "by: is for a collection"
    document = CommentSerializer.many(@comments, by: :id)
    assert_includes assert_raises(ArgumentError) { document.write_to(StringIO.new, format: :ndjson) }.message, "ndjson"
    error = assert_raises(ArgumentError) { PostSerializer.many([@post], by: :comments).to_json }
    assert_includes error.message, "by: names :comments, which is an association"
    assert_includes assert_raises(NoMethodError) { document.to_a }.message, "to_h"
  end

  def test_unknown_names
    message = "declares bodi, but Comment has no such column, method or key. Did you mean body?"
    error = assert_raises(Katsu::UnknownAttributeError) { self.class.keyed(:bodi).new.serialize_to_json(@post) }
    assert_includes error.message, message
    error = assert_raises(Katsu::UnknownAttributeError) { self.class.keyed(:bodi).new.serialize(@post) }
    assert_includes error.message, message
    error = assert_raises(Katsu::UnknownAttributeError) { CommentSerializer.many(@comments, by: :bodi).to_json }
    assert_includes error.message, message
    lacking = CommentSerializer.many(Comment.select(:id), only: [:id], by: :body)
    assert_raises(Katsu::UnknownAttributeError) { lacking.to_json }
    assert_raises(Katsu::UnknownAttributeError) { CommentSerializer.many([nil], by: :id).to_json }
    assert_raises(Katsu::NumberError) { PostSerializer.new.serialize_to_json({title: "", comments: {id: 1}}) }
    assert_raises(Katsu::NumberError) { PostSerializer.new.serialize({title: "", comments: @comments[0]}) }
    error = assert_raises(Katsu::NumberError) { PostSerializer.new.serialize({title: "", comments: @comments[0]}) }
    assert_includes error.message, "comments"
    list = Katsu::ArraySerializer.new(1, each_serializer: PostSerializer, by: :id)
    assert_raises(Katsu::NumberError) { list.to_json }
    ones = self.class.keyed(->(*) { 1 })
    assert_raises(Katsu::NumberError) { ones.new.serialize_to_json({title: "", comments: [[1]]}) }
  end

  class FailingSerializer < Katsu::Serializer
    attributes :id
    attribute(:no) { |comment| comment.id == Failing.id ? raise("no value") : 1 }
  end
  Failing = Struct.new(:id).new

  # The place of an error: the association if its keys raise, and the key of an object.
  def test_places_of_errors
    Failing.id = @ids[1]
    serializer = Class.new(Katsu::Serializer) do
      has_many :comments, serializer: FailingSerializer, by: ->(comment) { "k#{comment.body}" }
    end
    [self.class.keyed(:broken), self.class.keyed(->(_) { raise ArgumentError, "no key" })].each do |keyed|
      [-> { keyed.new.serialize_to_json(@post) }, -> { keyed.new.serialize(@post) }].each do |call|
        error = assert_raises(ArgumentError) { call.call }
        assert_equal ["no key", "comments", Post], [error.message, error.field_path, error.field_class]
      end
    end
    [-> { serializer.new.serialize_to_json(@post) }, -> { serializer.new.serialize(@post) }].each do |call|
      assert_equal "comments.kb.no", assert_raises(RuntimeError) { call.call }.field_path
    end
    document = FailingSerializer.many(@comments, by: ->(c) { "k#{c.body}" })
    [-> { document.to_json }, -> { document.as_json }, -> { document.write_to(StringIO.new) }].each do |call|
      assert_equal "kb.no", assert_raises(RuntimeError) { call.call }.field_path
    end
  end

  # The elements of a polymorphic association have their positions again behind one that is written by key.
  def test_places_behind_keys
    Failing.id = 2
    failing = FailingSerializer
    serializer = Class.new(Katsu::Serializer) do
      has_many :keyed, serializer: CommentSerializer, by: :id
      has_many :listed, each_serializer: {Comment => failing}
    end
    one, two = [1, 2].map { |id| Comment.new(id: id, body: "a") }
    object = {keyed: [one], listed: [one, two]}
    [-> { serializer.new.serialize_to_json(object) }, -> { serializer.new.serialize(object) }].each do |call|
      assert_equal "listed[1].no", assert_raises(RuntimeError) { call.call }.field_path
    end
  end

  # A key of a document's object is that object's.
  def test_places_of_keys_of_a_document
    lambda = ->(comment) { comment.body == "b" ? raise(ArgumentError, "no key") : 1 }
    [@comments, Comment.order(:id)].each do |source|
      assert_equal [["no key", "[0].broken", Comment, @ids[0]]], places_of_keys(source, :broken).uniq
      assert_equal [["no key", "[1]", Comment, @ids[1]]], places_of_keys(source, lambda).uniq
    end
  end

  def places_of_keys(source, by)
    document = CommentSerializer.many(source, by: by, only: [:id])
    list = Katsu::ArraySerializer.new(source, each_serializer: CommentSerializer, by: by)
    [document, list].flat_map do |one|
      [-> { one.to_json }, -> { one.to_h }, -> { one.write_to(StringIO.new) }].map do |call|
        error = assert_raises(ArgumentError, &call)
        [error.message, error.field_path, error.field_class, error.field_id]
      end
    end
  end

  # Keys that Ruby code gives may change what is written.
  def test_collections_that_change
    comments = [{id: 1, body: "a"}, {id: 2, body: "b"}]
    serializer = self.class.keyed(->(comment) { comments.clear && comment[:id] })
    assert_operator serializer.new.serialize({title: "p", comments: comments})["comments"].size, :<=, 2
  end

  # The keys of a document are not names of fields.
  def test_options_of_rendering
    authors = [Author.create!(name: "name"), Author.create!(name: "id")].map(&:reload)
    documents = [
      AuthorSerializer.many(authors, by: :name), AuthorSerializer.many(Author.order(:id), by: :name),
      Katsu::ArraySerializer.new(authors, each_serializer: AuthorSerializer, by: :name)
    ]
    documents << Katsu::Response.new(documents[0])
    [{only: [:name]}, {except: ["id"]}].each do |options|
      documents.each do |document|
        assert_equal '{"name":{"name":"name"},"id":{"name":"id"}}', document.to_json(options)
        assert_equal document.to_json(options), JSON.generate(document.as_json(options))
      end
    end
    [{except: {author: [:id]}}, {only: 5}, {only: [nil]}].each do |options|
      [*documents, AuthorSerializer.many([])].each do |document|
        error = assert_raises(ArgumentError) { document.to_json(options) }
        assert_match(/\A#{options.keys[0]}: .*; accepted are names, such as #{options.keys[0]}: \[:id\]/, error.message)
      end
    end
  end

  def test_keys_of_a_view_without_fields
    short = Class.new(Katsu::Serializer) do
      attributes :id
      view(:loud) { attribute(:name) { |author| author[:name].upcase } }
    end
    outer = Class.new(Katsu::Serializer) { has_many :pupils, serializer: short, view: :loud, by: :name }
    authors = [{id: 1, name: "a", pupils: [{id: 2, name: "b"}]}]
    assert_equal '{"A":{}}', short.many(authors, view: "loud", by: :name, only: []).to_json
    assert_equal '{"A":{"id":1}}', short.many(authors, view: :loud, by: :name, only: [:id]).to_json
    assert_equal '[{"pupils":{"B":{}}}]', outer.many(authors, only: {pupils: []}).to_json
  end

  class SlugSerializer < Katsu::Serializer
    attributes :id
    attribute(:slug) { |author| "s-#{author[:name]}" }
    view(:bare) { exclude :slug }
    view(:own) { attribute(:slug) { |author| "own #{author[:name]}" } }
    view(:associated) { has_many(:slug, serializer: AuthorSerializer) { |_| [] } }
    view(:by_name) { attribute(:shout) { |author| author[:name].upcase } }
  end

  def keyed_ways(sources, **options)
    sources.flat_map do |source|
      list = Katsu::ArraySerializer.new(source, each_serializer: SlugSerializer, **options)
      document = SlugSerializer.many(source, options)
      [document.to_json, JSON.generate(document.to_h), list.to_json, SlugSerializer.render(source, options)]
    end.uniq
  end

  # The keys are what the class without a view gives.
  def test_keys_of_a_view_that_declares_the_name_anew
    author = Author.create!(name: "a")
    authors = [[author], Author.order(:id), [{id: author.id, name: "a"}]]
    fields = {bare: "", own: %(,"slug":"own a"), associated: %(,"slug":[])}
    fields.each do |view, field|
      assert_equal [%({"s-a":{"id":#{author.id}#{field}}})], keyed_ways(authors, view: view, by: :slug)
    end
    assert_equal [%({"s-a":{}})], keyed_ways(authors, view: :bare, by: :slug, only: [])
    assert_equal [%({"A":{"id":#{author.id}}})], keyed_ways(authors, view: :by_name, by: :shout, only: [:id])
    outer = Class.new(Katsu::Serializer) { has_many :all, serializer: SlugSerializer, view: :bare, by: :slug }
    assert_equal %({"all":{"s-a":{"id":1}}}), outer.render({all: [{id: 1, name: "a"}]})
  end

  def test_cache_keys
    one = self.class.keyed(:id)
    two = self.class.keyed(:body)
    [one, two].each { |serializer| serializer.define_singleton_method(:to_s) { "Same" } }
    digests = [one, two, self.class.keyed(nil)].map { |serializer| Katsu::Plan::Digest.of(serializer.plan) }
    assert_equal digests, digests.uniq
    authors = [Author.create!(name: "a")]
    versions = [{}, {by: :id}, {by: :name}].map { |by| AuthorSerializer.many(authors, by).cache_key_with_version }
    assert_equal versions, versions.uniq
    same = Array.new(2) { AuthorSerializer.many(authors, by: :id).cache_key_with_version }
    assert_equal 1, same.uniq.size
    etag = AuthorSerializer.many(authors, by: ->(author) { author.name })
    assert_equal "katsu/#{etag.etag}", etag.cache_key_with_version
  end

  class CachedSerializer < Katsu::Serializer
    cache
    attributes :name
    attribute(:calls) { |_| Calls.count += 1 }
  end
  Calls = Struct.new(:count).new(0)

  class PupilsSerializer < Katsu::Serializer
    cache
    attributes :name
    has_many :pupils, by: :shout do
      attributes :name
    end
  end

  # In the JSON of a cached record, whose key in the store has the versions of the objects.
  def test_below_cached_records
    store = ActiveSupport::Cache::MemoryStore.new
    previous = Katsu.config.cache_store
    Katsu.configure { |config| config.cache_store = store }
    Author.class_eval { def shout = name.upcase }
    author = Author.create!(name: "a")
    pupil = author.pupils.create!(name: "b")
    written = -> { PupilsSerializer.many(Author.where(id: author.id)).to_json }
    2.times { assert_equal '[{"name":"a","pupils":{"B":{"name":"b"}}}]', written.call }
    pupil.update!(name: "c")
    assert_equal '[{"name":"a","pupils":{"C":{"name":"c"}}}]', written.call
  ensure
    Katsu.configure { |config| config.cache_store = previous }
  end

  # The JSON of a record is the same with and without by:, and so is its key in the store.
  def test_cached_records
    previous = Katsu.config.cache_store
    Katsu.configure { |config| config.cache_store = ActiveSupport::Cache::MemoryStore.new }
    Calls.count = 0
    authors = [Author.create!(name: "a"), Author.create!(name: "b")].map(&:reload)
    expected = '{"a":{"name":"a","calls":1},"b":{"name":"b","calls":2}}'
    assert_equal expected, CachedSerializer.many(authors, by: :name).to_json
    assert_equal expected, CachedSerializer.many(authors, by: :name).write_to(StringIO.new).string
    assert_equal expected, CachedSerializer.many(Author.order(:id), by: :name).to_json
    assert_equal "[#{JSON.parse(expected).values.map(&:to_json).join(",")}]", CachedSerializer.many(authors).to_json
    assert_equal 2, Calls.count
    assert_equal 3, CachedSerializer.many(authors, by: :name).as_json["a"]["calls"] # Hashes are built anew
  ensure
    Katsu.configure { |config| config.cache_store = previous }
  end
end
