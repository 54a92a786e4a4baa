# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# nested: attributes of the object itself, as an object of their own.
class NestedTest < TestCase
  include Queries

  class PostSerializer < Katsu::Serializer
    attributes :id

    nested :text do
      attributes :title, :body
      nested(:more, if: -> { scope }) { attribute(:size) { |post| post[:title].size } }
    end

    nested(:numbers, name: :figures) { attributes :views, :rating }
  end

  def write(object, **options)
    text = watched { PostSerializer.new(options).serialize_to_json(object) }
    assert_equal JSON.parse(text), watched { PostSerializer.new(options).serialize(object) }
    text
  end

  VALUES = {id: 1, title: "a", body: "b", views: 2, rating: 1.5}.freeze
  WITHOUT = '{"id":1,"text":{"title":"a","body":"b"},"figures":{"views":2,"rating":1.5}}'

  def test_nested
    [VALUES, VALUES.transform_keys(&:to_s), Post.new(VALUES),
     Struct.new(*VALUES.keys).new(*VALUES.values)].each do |object|
      assert_equal WITHOUT, write(object)
    end
    assert_equal WITHOUT.sub('"b"}', '"b","more":{"size":1}}'), write(VALUES, scope: 1)
    post = Post.create!(VALUES)
    assert_equal "[#{WITHOUT}]", PostSerializer.many(Post.where(id: 1)).to_json
    assert_equal "[#{WITHOUT}]", PostSerializer.many([post]).to_json
  ensure
    Post.delete_all
  end

  def test_filters
    assert_equal '{"text":{"body":"b"}}', write(VALUES, only: {instance: [:text], text: [:body]})
    assert_equal '{"id":1}', write(VALUES, except: %i[text numbers])
  end

  def test_inherited_and_transformed
    serializer = Class.new(PostSerializer) do
      transform_keys :camel
      nested(:numbers, name: :figures) { attributes :views }
    end
    assert_equal '{"Id":1,"Figures":{"Views":2}}', serializer.new(except: [:text]).serialize_to_json(VALUES)
  end

  class RowSerializer < Katsu::Serializer
    attributes :id
    nested(:text) { attributes :title, :body }
    nested :numbers do
      attributes :views, :price, :created_at
      attribute(:label, needs: :title) { |post| post.title.upcase }
      attribute :rating, default: 0
      nested(:inner) { attributes :draft, :day }
    end
  end

  class LoadingSerializer < Katsu::Serializer
    attributes :title
    nested :of do
      has_one(:author) { attributes :name }
      has_many(:comments) { attributes :body }
      nested(:more) { has_one(:first_comment) { nested(:text) { attributes :body } } }
    end
  end

  class ConditionalSerializer < Katsu::Serializer
    nested(:text, if: -> { true }) { attributes :title }
  end

  # Conditions within conditions; the object is the same in all of them.
  class NeedingSerializer < Katsu::Serializer
    attributes :title
    attribute(:mark, needs: :id) { |post| seen(post) }
    nested(:first, if: ->(post) { post.views != 1 }, needs: :views) do
      attributes :data
      nested(:inner, unless: :no_author?, needs: :author) do
        has_one(:author) { attributes :name }
        attribute(:comments, needs: {comments: :body}) { |post| post.comments.map(&:body) }
        nested(:row) { attributes :data, :rating, omit_nil: true }
      end

      def no_author? = object.author.nil?
    end

    def seen(post) = post.equal?(object)
  end

  class JsonSerializer < Katsu::Serializer
    nested(:text) { attributes :title, :data }
  end

  # A nested object of the name of an association.
  class AuthorSerializer < Katsu::Serializer
    has_one(:author, name: :writer) { attributes :name }
    nested(:author) { attributes :title }
  end

  def create_posts
    author = Author.create!(name: "Ada")
    3.times do |i|
      post = Post.create!(title: "post #{i}", body: "b", author: author, price: 1.5, views: i, data: [1.50],
                          created_at: Time.utc(2026, 1, i + 1), rating: i.zero? ? nil : 1.5)
      2.times { |j| Comment.create!(post: post, body: "comment #{j}") }
    end
  end

  def test_relations_are_read_as_their_records_are
    create_posts
    ways = {RowSerializer => [:rows, 1], LoadingSerializer => [:rows, 4], ConditionalSerializer => [:records, 1],
            NeedingSerializer => [:rows, 3], JsonSerializer => [:rows, 1], AuthorSerializer => [:rows, 2]}
    ways.each do |serializer, expected|
      document = serializer.many(Post.order(:id))
      json = nil
      count = queries { json = watched { document.to_json } }.size
      assert_equal expected, [document.explain.to_h[:way], count], serializer.name
      records = Post.order(:id).preload(:author, :comments, :first_comment).to_a
      assert_equal Katsu::ArraySerializer.new(records, each_serializer: serializer).to_json, json
      assert_equal JSON.parse(json), document.to_a
    end
    assert_equal 3, queries { LoadingSerializer.many(Post.order(:id).to_a).to_json }.size - 1
    assert_equal %i[author first_comment comments], LoadingSerializer.preloads
    assert_equal %i[id title body views price created_at rating draft day], RowSerializer.columns
  ensure
    [Comment, Post, Author].each(&:delete_all)
  end

  # As of has_one: wherever the method stands.
  class ReplacedSerializer < Katsu::Serializer
    nested(:text) { attributes :title }
    nested(:numbers, name: :figures, if: -> { context }) { attributes :views }
    def text = {title: "given"}
  end

  def test_a_method_gives_the_object_that_is_written
    assert_equal({"text" => {"title" => "given"}}, ReplacedSerializer.render_as_hash(VALUES))
    assert_equal '{"text":{"title":"given"}}', ReplacedSerializer.render(VALUES)
    child = Class.new(ReplacedSerializer) { def numbers = {views: object[:views] + 1} }
    assert_equal '{"text":{"title":"given"},"figures":{"views":3}}', child.render(VALUES, context: 1)
    error = assert_raises(Katsu::Error) { Class.new(ReplacedSerializer) { def figures = {} }.plan }
    assert_match(/ nested :numbers, name: "figures" writes the object itself, and the method figures is not called/,
                 error.message)
    create_posts
    assert_equal [ReplacedSerializer.render_as_hash(VALUES)] * 3, ReplacedSerializer.many(Post.all).to_a
  ensure
    [Comment, Post, Author].each(&:delete_all)
  end

  # The association in it says how often it may be, the nested object need not.
  class PersonSerializer < Katsu::Serializer
    attributes :name
    nested(:family) { has_one :mother, serializer: "NestedTest::PersonSerializer", depth: 1 }
  end

  def test_an_association_in_it_that_leads_back
    ida = {name: "ida", mother: {name: "ada", mother: {name: "eva", mother: nil}}}
    once = '{"name":"ida","family":{"mother":{"name":"ada","family":{}}}}'
    around = Class.new(Katsu::Serializer) { has_one(:mother, serializer: PersonSerializer, &:itself) }
    {PersonSerializer => once, Class.new(PersonSerializer) => once,
     around => %({"mother":#{once}})}.each do |serializer, expected|
      assert_equal expected, watched { serializer.new.serialize_to_json(ida) }
      assert_equal JSON.parse(expected), watched { serializer.new.serialize(ida) }
    end
  end

  def refusal(&body)
    assert_raises(ArgumentError) do
      Class.new(Katsu::Serializer) do
        def self.to_s = "S"
        class_eval(&body)
      end
    end.message
  end

  def test_mistakes
    assert_equal "S: nested :a takes a block without parameters, such as nested(:a) { attributes :street }",
                 refusal { nested :a }
    assert_equal "S: nested :a takes a block without parameters, such as nested(:a) { attributes :street }",
                 refusal { nested(:a) { |_| } }
    assert_match(/\AS: nested :a has unknown option: :serializer; known are name, if, unless, needs\./,
                 refusal { nested(:a, serializer: 1) {} })
    assert_equal "S: nested :a: the block declares nothing; it is the body of a serializer, " \
                 "such as { attributes :street }", refusal { nested(:a) {} }
    assert_equal "S: nested :a: the block declares the view :x, which nothing asks for",
                 refusal { nested(:a) { view(:x) { attributes :id } } }
    assert_equal "S.a: root is for documents, and this serializer writes only a part of one",
                 refusal { nested(:a) { root :b } }
  end
end
