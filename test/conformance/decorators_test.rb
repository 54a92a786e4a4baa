# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "active_support/cache"

# Objects that stand for records and are none: decorators. Draper makes ActiveRecord::Base === decorator true.
class DecoratorsTest < TestCase
  class Decorator
    def initialize(post) = @post = post
    def id = @post.id
    def title = "Title: #{@post.title}"
    def author = @post.author
    def comments = @post.comments
  end

  class TitleSerializer < Katsu::Serializer
    attributes :id, :title
  end

  class PostSerializer < TitleSerializer
    has_one(:author) { attributes :name }
    has_many(:comments) { attributes :body }
  end

  class Named
    def initialize(author) = @author = author
    def name = "***"
  end

  class CachedSerializer < Katsu::Serializer
    cache store: ActiveSupport::Cache::MemoryStore.new
    attributes :name
  end

  DECORATORS = [Decorator, Named].freeze
  POST = '{"id":1,"title":"Title: one","author":{"name":"Ada"},"comments":[{"body":"c"}]}'

  def setup
    ActiveRecord::Base.define_singleton_method(:===) { |other| DECORATORS.include?(other.class) || super(other) }
    @post = Post.create!(id: 1, title: "one", author: Author.create!(name: "Ada"))
    Comment.create!(post: @post, body: "c")
    @decorator = Decorator.new(@post)
  end

  def teardown
    ActiveRecord::Base.singleton_class.remove_method(:===)
    [Comment, Post, Author].each(&:delete_all)
  end

  def test_documents
    assert_equal POST, PostSerializer.one(@decorator).to_json
    assert_equal "[#{POST}]", PostSerializer.many([@decorator]).to_json
    assert_equal "[#{POST}]", PostSerializer.many([@decorator].each).to_json
    assert_equal "[#{POST}]", Katsu::ArraySerializer.new([@decorator], each_serializer: PostSerializer).to_json
    assert_equal :objects, PostSerializer.many([@decorator]).explain.to_h[:way]
  end

  # A collection that hands on all but its each, which decorates.
  class Decorated < SimpleDelegator
    def each(&) = __getobj__.to_a.map { |post| Decorator.new(post) }.each(&)
  end

  class DecoratedEnumerable < Decorated
    include Enumerable
    def class = __getobj__.class
  end

  class DecoratedArray < Array
    def each(&) = map { |post| Decorator.new(post) }.each(&)
  end

  # As ActiveSupport has it.
  def test_arrays_with_an_each_of_their_own
    posts = DecoratedArray.new(Post.all.to_a)
    raw = POST.sub("Title: ", "")
    assert_equal "[#{raw}]", PostSerializer.many(posts).to_json
    assert_equal "[#{raw}]", PostSerializer.many(posts).write_to(StringIO.new).string
    assert_equal "#{raw}\n", PostSerializer.many(posts).write_to(StringIO.new, format: :ndjson).string
    assert_equal JSON.parse("[#{raw}]"), JSON.parse(PostSerializer.many(posts).to_a.to_json)
  end

  def test_collections
    [Decorated, DecoratedEnumerable].product([Post.all, Post.order(:id), Post.all.load]).each do |kind, posts|
      documents = [PostSerializer.many(kind.new(posts)),
                   Katsu::ArraySerializer.new(Katsu::Stream.new(kind.new(posts)), each_serializer: PostSerializer)]
      documents.each do |document|
        assert_equal "[#{POST}]", document.to_json
        assert_equal JSON.parse("[#{POST}]"), JSON.parse(document.to_a.to_json)
      end
      assert_equal "[#{POST}]", PostSerializer.many(kind.new(posts)).write_to(StringIO.new).string
      assert_equal "#{POST}\n", PostSerializer.many(kind.new(posts)).write_to(StringIO.new, format: :ndjson).string
    end
    assert_equal "[#{POST.sub("Title: ", "")}]", PostSerializer.many(SimpleDelegator.new(Post.order(:id))).to_json
  end

  def test_versions_and_caches
    tags = [@decorator, @post].map { |object| TitleSerializer.one(object).cache_key_with_version }
    assert_equal 2, tags.uniq.size
    assert_equal '{"name":"Ada"}', CachedSerializer.one(@post.author).to_json
    named = Named.new(@post.author)
    assert_equal '{"name":"***"}', CachedSerializer.one(named).to_json
    assert_equal '[{"name":"***"},{"name":"Ada"}]', CachedSerializer.many([named, @post.author]).to_json
  end

  # Names of Ruby's private methods, which no call with a receiver means.
  class Answering
    def initialize(values) = @values = values
    def respond_to_missing?(name, _private = false) = @values.key?(name)
    def method_missing(name, *) = @values.fetch(name) { super } # rubocop:disable Style/MissingRespondToMissing
  end

  class AnsweringSerializer < Katsu::Serializer
    attributes :open, :rand, :fail
    has_one(:format) { attributes :id }
  end

  def test_names_of_private_methods
    plain = Answering.new(open: 1, rand: 2, fail: 3, format: {id: 4})
    own = plain.dup.tap(&:singleton_class)
    [plain, own, plain.dup.extend(Comparable)].each do |object|
      assert_equal '{"open":1,"rand":2,"fail":3,"format":{"id":4}}', AnsweringSerializer.new.serialize_to_json(object)
    end
  end
end
