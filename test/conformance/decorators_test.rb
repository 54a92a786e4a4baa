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

  def test_versions_and_caches
    tags = [@decorator, @post].map { |object| TitleSerializer.one(object).cache_key_with_version }
    assert_equal 2, tags.uniq.size
    assert_equal '{"name":"Ada"}', CachedSerializer.one(@post.author).to_json
    named = Named.new(@post.author)
    assert_equal '{"name":"***"}', CachedSerializer.one(named).to_json
    assert_equal '[{"name":"***"},{"name":"Ada"}]', CachedSerializer.many([named, @post.author]).to_json
  end
end
