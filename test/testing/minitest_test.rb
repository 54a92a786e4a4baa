# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "katsu/testing/minitest"

# The assertions that applications have for their serializers.
class TestingMinitestTest < TestCase
  class NameSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class CommentSerializer < Katsu::Serializer
    attributes :body
  end

  class StorySerializer < Katsu::Serializer
    root :story, :stories
    attributes :id, :title, :price, :created_at
    has_one :author, serializer: NameSerializer
    has_many :comments, serializer: CommentSerializer
    view(:short) { exclude :price, :created_at, :author, :comments }
  end

  def setup
    @author = Author.create!(name: "Ada")
    @post = Post.create!(title: "Hello", price: 1, created_at: Time.utc(2026, 1, 1), author: @author)
    @post.comments.create!(body: "first")
  end

  def whole
    {id: @post.id, title: "Hello", price: BigDecimal("1"), created_at: Time.utc(2026, 1, 1),
     author: {id: @author.id, "name" => "Ada"}, comments: [{body: "first"}]}
  end

  # The message of a failure.
  def failure(&block)
    assert_raises(Minitest::Assertion, &block).message
  end

  def test_an_object
    assert assert_serialized(@post, with: StorySerializer, as: whole)
    assert_serialized @post, with: StorySerializer, as: {id: Integer, title: /\AHel/, price: "0.9".."1.1",
                                                         created_at: ->(time) { time.end_with?("Z") },
                                                         author: {id: 1.., name: String}, comments: Array}
    assert_serialized @post, with: StorySerializer, view: :short, as: {id: @post.id, title: "Hello"}
    assert_serialized @post, with: StorySerializer, only: [:title], root: :post, as: {post: {title: "Hello"}}
  end

  def test_collections_and_documents
    one = {id: @post.id, title: "Hello"}
    relation = Post.where(id: @post.id)
    assert_serialized relation, with: StorySerializer, view: :short, as: [one]
    assert_serialized StorySerializer.many(relation, view: :short), as: [one]
    assert_serialized StorySerializer.render(relation, view: :short), as: {stories: [one]}
    assert_serialized Katsu::Response.new({a: 1}), as: {a: 1}
    by_class = {Post => CommentSerializer, Author => NameSerializer}
    assert_serialized [@author], with: by_class, as: [{id: @author.id, name: "Ada"}]
  end

  def test_differences_have_their_paths
    other = whole.merge(title: "Other", extra: 1, comments: [{body: "1"}, {body: "2"}]).except(:price)
    other[:author] = {id: String, name: "Ada"}
    assert_equal <<~TEXT.chomp, failure { assert_serialized(@post, with: StorySerializer, as: other) }
      TestingMinitestTest::StorySerializer wrote:
        title: expected "Other", was "Hello"
        author.id: expected String, was #{@author.id}
        comments[0].body: expected "1", was "first"
        comments[1]: expected {"body":"2"}, was missing
        extra: expected 1, was missing
        price: expected nothing, was "1.0".
    TEXT
    noted = failure { assert_serialized({id: 1, name: 2}, with: NameSerializer, as: [], message: "Note") }
    assert_equal <<~TEXT.chomp, noted
      Note.
      TestingMinitestTest::NameSerializer wrote:
        the document: expected [], was {"id":1,"name":2}.
    TEXT
    assert_match(/id: expected 1.0, was 1/,
                 failure { assert_serialized({id: 1, name: nil}, with: NameSerializer, as: {id: 1.0, name: nil}) })
  end

  def test_keys
    all = [:id, :title, :price, :created_at, {author: [:id, :name]}, {comments: [:body]}]
    assert assert_serialized_keys(all, with: StorySerializer)
    assert_serialized_keys %w[id title price created_at author comments], with: StorySerializer
    assert_serialized_keys [:id, :title], with: StorySerializer, view: :short
    assert_serialized_keys [:createdAt], with: StorySerializer, only: [:created_at], transform_keys: :lower_camel
    wrong = [:id, :body, {author: [:mail], title: [:a]}]
    assert_equal <<~TEXT.chomp, failure { assert_serialized_keys(wrong, with: StorySerializer) }
      TestingMinitestTest::StorySerializer has keys:
        body: is not written
        author.mail: is not written
        author.id: is written and was not expected
        author.name: is written and was not expected
        title: is no association with keys of its own
        price: is written and was not expected
        created_at: is written and was not expected
        comments: is written and was not expected.
    TEXT
  end

  def test_keys_of_associations_in_associations
    outer = Class.new(Katsu::Serializer) { has_one(:post) { has_one(:author) { attributes :id } } }
    [[{post: {author: [:id]}}], {post: {author: :id}}, [{post: [{"author" => ["id"]}]}]].each do |keys|
      assert_serialized_keys keys, with: outer
    end
    assert_match(/post\.author\.name: is not written/,
                 failure { assert_serialized_keys({post: {author: %i[id name]}}, with: outer) })
    [[nil], [[:post]], {post: [1]}].each do |keys|
      error = assert_raises(ArgumentError) { assert_serialized_keys(keys, with: outer) }
      assert_match(/ is no name of a key; accepted are Symbols and Strings/, error.message)
    end
  end

  def test_queries
    relation = Post.where(id: @post.id)
    assert assert_serialized_queries(3, StorySerializer.many(relation))
    assert_serialized_queries(1) { StorySerializer.many(relation, view: :short).to_json }
    assert_match(/\Aexpected 0 queries, were 1:\n    SELECT /,
                 failure { assert_serialized_queries(0, StorySerializer.many(relation, view: :short)) })
  end

  def test_queries_of_a_block_that_writes_nothing
    relation = Post.where(id: @post.id)
    said = "    the block returns a Katsu::Document, which is read when it is written: call its to_json, " \
           "or give it in the place of a block"
    assert_equal "expected 3 queries, were 0:\n#{said}.",
                 failure { assert_serialized_queries(3) { StorySerializer.many(relation) } }
    refute_includes failure { assert_serialized_queries(0) { StorySerializer.many(relation).tap(&:to_json) } }, said
    refute_includes failure { assert_serialized_queries(1) { StorySerializer.many([]).to_json } }, said
  end

  def test_queries_of_nothing_and_counts_that_are_none
    document = StorySerializer.many(Post.none)
    {-> { assert_serialized_queries(1) } => "queries are those of a document or a block; give one",
     -> { assert_serialized_queries(1, document) { nil } } => "give a document or a block, not both",
     -> { assert_serialized_queries(0, @post) } =>
       "queries of a Post; accepted are a document, such as PostSerializer.many(posts) or PostSerializer.one(post), " \
       "and a block that renders",
     -> { assert_serialized_queries(1.., document) } => "1.. is no count of queries; accepted is an Integer from 0 on",
     -> { assert_serialized_queries("1", document) } => '"1" is no count of queries; accepted is an Integer from 0 on',
     -> { assert_serialized_queries(-1) { nil } } => "-1 is no count of queries; accepted is an Integer from 0 on"}
      .each { |call, said| assert_equal "Katsu::Testing: #{said}", assert_raises(ArgumentError, &call).message }
  end

  def test_what_has_no_meaning
    {-> { assert_serialized(@post, as: {}) } => /with: is missing; write with: PostSerializer/,
     -> { assert_serialized(@post, with: Post, as: {}) } => /with: Post.* is no subclass of Katsu::Serializer/m,
     -> { assert_serialized(StorySerializer.one(@post), view: :short, as: {}) } => /there are no options \(got view\)/,
     -> { assert_serialized(StorySerializer.one(@post), with: StorySerializer, as: {}) } =>
       /a Katsu::Document is a document and needs no with:; leave it out\z/,
     -> { assert_serialized(@post, with: StorySerializer, views: 1, as: {}) } => /unknown option: :views.*view\?/,
     -> { assert_serialized_keys([], with: Post) } => /is no subclass of Katsu::Serializer/,
     -> { assert_serialized_keys([], with: StorySerializer, root: 1) } => /unknown option: :root/}
      .each { |call, message| assert_match message, assert_raises(ArgumentError, &call).message }
  end
end
