# frozen_string_literal: true

require "support/test_case"
require "support/database"

# What an author writes by mistake says what to write instead.
class MisuseTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title
  end

  Point = Struct.new(:id, :title)

  HINT = "MisuseTest::PostSerializer.new.serialize_to_json(object) is an object's JSON, serialize(object) its Hash; " \
         "Katsu::ArraySerializer.new(objects, each_serializer: MisuseTest::PostSerializer) is for collections"

  def setup
    @author = Author.create!(name: "Ann")
    @post = Post.create!(title: "one", author: @author, comments: [Comment.new(body: "c")])
  end

  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def refusal(error = ArgumentError, &block)
    assert_raises(error) { watched(&block) }.message
  end

  # What render json: calls comes first.
  def places(value)
    {
      render: -> { value.to_json(prefixes: ["posts"], template: "index", status: 200) }, to_json: -> { value.to_json },
      to_json_of: -> { value.to_json(@post) }, as_json: -> { value.as_json }, as_json_of: -> { value.as_json(@post) },
      options: -> { value.as_json(only: [:id]) }, json: -> { JSON.generate(value) },
      generate: -> { Katsu.generate(value) },
      nested: -> { Katsu.generate({a: [value]}) }, hash: -> { {post: value}.to_json }, array: -> { [value].as_json },
      rails: -> { ActiveSupport::JSON.encode({post: value}) },
      response: -> { Katsu::Response.create { {post: value} }.to_json },
      response_hash: -> { Katsu::Response.new([value]).as_json }, io: -> { Katsu.dump({post: value}, StringIO.new) },
      writer: -> { Katsu::Writer.new(as_json: true).push_value(value) }
    }
  end

  def test_a_serializer_without_an_object_is_no_value
    expected = "MisuseTest::PostSerializer has no object to write: #{HINT}"
    [PostSerializer.new, PostSerializer.new(only: [:id], context: 1)].each do |value|
      places(value).each { |place, written| assert_equal expected, refusal(&written), place }
    end
  end

  def test_the_class_of_a_serializer_is_as_any_class
    [PostSerializer, Katsu::Serializer, Katsu::ArraySerializer].each do |value|
      assert_equal value.name.to_json, value.to_json
      assert_equal %({"serializer":#{value.name.to_json}}), Katsu.generate({serializer: value})
    end
  end

  def test_a_serializer_in_a_method_field
    outer = Class.new(Katsu::Serializer) { attribute(:post) { PostSerializer.new } }
    error = assert_raises(ArgumentError) { outer.new.serialize(@post) }
    assert_match(/PostSerializer has no object to write/, error.message)
    assert_match(/PostSerializer has no object to write/, refusal { outer.new.serialize_to_json(@post) })
  end

  def test_a_serializer_with_its_own_to_json
    own = Class.new(PostSerializer) do
      def to_json(*) = "1"
      def as_json(*) = 1
    end
    assert_equal ["[1]", "[1]", [1]], [Katsu.generate([own.new]), [own.new].to_json,
                                       Katsu::Response.new([own.new]).as_json]
  end

  def test_objects_in_the_place_of_options
    given = {@post => "Post", [@post] => "Array", Post.all => "Post::ActiveRecord_Relation", Post => "the class Post",
             1 => "Integer"}
    given.each do |object, name|
      assert_equal "MisuseTest::PostSerializer: options are keywords or a Hash (got #{name}); #{HINT}",
                   refusal { PostSerializer.new(object) }
    end
    assert_equal "MisuseTest::PostSerializer: unknown options: :id, :title; known are only, except, context, scope, " \
                 "view, transform_keys. If that is the object: #{HINT}",
                 refusal { PostSerializer.new({id: 1, title: "a"}) }
    assert_equal "MisuseTest::PostSerializer: unknown option: :root; known are only, except, context, scope, view, " \
                 "transform_keys, by.", refusal { PostSerializer.many([@post], root: :posts) }
    assert_match(/known are only, .*pagination\.\z/, refusal { PostSerializer.render(@post, zzz: 1) })
    assert_equal "Katsu::ArraySerializer: options are keywords or a Hash (got the class MisuseTest::PostSerializer); " \
                 "the serializer is named by each_serializer:, such as " \
                 "Katsu::ArraySerializer.new(objects, each_serializer: PostSerializer)",
                 refusal { Katsu::ArraySerializer.new([@post], PostSerializer) }
  end

  def serializer(&block)
    Class.new(Katsu::Serializer) do
      def self.to_s = "OuterSerializer"
      class_eval(&block)
    end
  end

  # The message, which is the same of JSON, an io and a Hash.
  def refused(serializer, object)
    list = Katsu::ArraySerializer.new([object], each_serializer: serializer)
    messages = [-> { serializer.new.serialize_to_json(object) },
                -> { serializer.new.serialize(object) }].map { |call| refusal(TypeError, &call) }
    messages += [-> { list.to_json }, -> { list.to_a },
                 -> { list.write_to(StringIO.new) }].map { |call| refusal(TypeError, &call) }
    assert_equal 1, messages.uniq.size, messages.inspect
    messages[0]
  end

  def test_a_collection_given_to_a_single_serializer
    extended = Post.all.extending(Module.new { def newest = last })
    own = [@post].tap { |array| def array.id = 1 }
    {[@post] => "an Array", [] => "an Array", own => "an Array", Post.all => "a Post::ActiveRecord_Relation",
     Post.all.load => "a Post::ActiveRecord_Relation",
     extended => "a Post::ActiveRecord_Relation", @author.posts => "a Post::ActiveRecord_Associations_CollectionProxy",
     Katsu::Stream.new([@post]) => "a Katsu::Stream"}.each do |objects, name|
      2.times do
        assert_equal "MisuseTest::PostSerializer writes one object and was given #{name}; for a collection write " \
                     "Katsu::ArraySerializer.new(objects, each_serializer: MisuseTest::PostSerializer).to_json",
                     refused(PostSerializer, objects)
      end
    end
    assert_equal "MisuseTest::PostSerializer writes one object and was given the class Post; for a collection write " \
                 "Katsu::ArraySerializer.new(Post.all, each_serializer: MisuseTest::PostSerializer).to_json",
                 refused(PostSerializer, Post)
    assert_match(/given the module Comparable;/, refused(PostSerializer, Comparable))
  end

  # A rule around what the object has reads it. A relation answers name as its model does.
  def test_a_collection_given_to_a_serializer_of_attributes_with_rules
    omitting = serializer { omit_nil || attributes(:name) }
    {omitting => Post.all, serializer { attribute :size, type: :string } => [@post],
     serializer { attribute :first, default: 1 } => [@post]}.each do |one, objects|
      assert_match(/ writes one object and was given an? (Array|Post::ActiveRecord_Relation);/, refused(one, objects))
      outer = serializer { has_one :posts, serializer: one }
      assert_match(/has_one :posts is an? .*; for a collection write has_many :posts/, refused(outer, {posts: objects}))
    end
  end

  # What nested declares is of the same object.
  def test_a_collection_given_to_a_serializer_of_nested_fields
    one = serializer { nested(:in) { nested(:further) { attributes :id } } }
    assert_match(/ writes one object and was given an Array;/, refused(one, [@post]))
    outer = serializer { has_one :posts, serializer: one }
    assert_match(/has_one :posts is an Array; for a collection write has_many :posts/, refused(outer, {posts: [@post]}))
    whole = serializer { nested(:in) { attribute(:count) { |posts| posts.size } } }
    assert_equal '{"in":{"count":1}}', whole.new.serialize_to_json([@post])
  end

  # It reads nothing of one object.
  def test_a_serializer_of_a_collection_as_a_whole
    summary = serializer do
      def count = object.size
      attributes :count
      attribute(:newest) { |posts| posts.last.title }
    end
    own = [@post].tap { |array| def array.third = 3 }
    [[@post], own, Post.all, Post.all.extending(Module.new), @author.posts].each do |posts|
      assert_equal '{"count":1,"newest":"one"}', watched { summary.new.serialize_to_json(posts) }
      assert_equal({"count" => 1, "newest" => "one"}, watched { summary.new.serialize(posts) })
    end
    assert_equal '{"posts":{"count":1,"newest":"one"}}',
                 serializer { has_one :posts, serializer: summary }.new.serialize_to_json(@author)
    assert_equal '{"name":"Post"}', serializer { attribute(:name, &:name) }.new.serialize_to_json(Post)
  end

  def test_what_has_to_a_and_is_one_object
    enumerable = Class.new do
      include Enumerable
      def each = yield(1)
      def id = 1
      def title = "a"
    end
    listed = Class.new(enumerable) { def to_ary = [1] }
    extended = listed.new.tap { |object| def object.title = "a" }
    [Point.new(1, "a"), {id: 1, title: "a"}, enumerable.new, listed.new, extended].each do |object|
      assert_equal %({"id":1,"title":"a"}), watched { PostSerializer.new.serialize_to_json(object) }
      assert_equal({"id" => 1, "title" => "a"}, watched { PostSerializer.new.serialize(object) })
    end
  end

  def test_has_one_over_a_collection
    comments = serializer { has_one :comments, serializer: CommentSerializer }
    expected = "OuterSerializer: has_one :comments is %s; for a collection write has_many :comments"
    proxy = format(expected, "a Comment::ActiveRecord_Associations_CollectionProxy")
    assert_equal proxy, refused(comments, @post)
    assert_equal proxy, refused(comments, Post.includes(:comments).find(@post.id))
    assert_equal format(expected, "an Array"), refused(comments, {comments: [{id: 1, body: "c"}]})
    block = serializer { has_one(:comments, serializer: CommentSerializer) { |post| post.comments.to_a } }
    assert_equal format(expected, "an Array"), refused(block, @post)
    deep = serializer { has_many(:posts, depth: 1, serializer: comments) { |author| author.posts } }
    assert_equal proxy, refused(deep, @author)
    assert_equal "OuterSerializer: has_one :comments is the class Comment; " \
                 "the association's value is to be an object of it", refused(comments, {comments: Comment})
  end

  def test_has_many_over_a_single_object
    author = serializer { has_many :author, serializer: AuthorSerializer }
    expected = "OuterSerializer: has_many :author is %s, which is no collection; for one object write has_one :author"
    assert_equal format(expected, "an Author"), refused(author, @post)
    assert_equal format(expected, "an Author"), refused(author, Post.includes(:author).find(@post.id))
    assert_equal format(expected, "a Hash"), refused(author, {author: {id: 1, name: "Ann"}})
    assert_equal format(expected, "a MisuseTest::Point"), refused(author, {author: Point.new(1, "a")})
    assert_equal format(expected, "an Integer"), refused(author, {author: 5})
    assert_equal format(expected, "a FalseClass"), refused(author, {author: false})
    deep = serializer { has_one :post, depth: 1, serializer: author }
    assert_equal format(expected, "an Author"), refused(deep, {post: @post})
  end

  def test_polymorphic_associations
    one = serializer { has_one :subject, serializer: {Post => PostSerializer} }
    many = serializer { has_many :subject, serializer: {"Post" => PostSerializer} }
    assert_equal "OuterSerializer: has_one :subject is an Array; for a collection write has_many :subject",
                 refused(one, {subject: [@post]})
    assert_equal "OuterSerializer: has_many :subject is a Post, which is no collection; " \
                 "for one object write has_one :subject", refused(many, {subject: @post})
    assert_raises(Katsu::SerializerNotFoundError) { one.new.serialize({subject: @author}) }
  end

  # As a cache does with what it is given.
  def test_documents_that_are_marshalled
    objects = [{id: 1}]
    [PostSerializer.many(objects), PostSerializer.one(objects[0]), Katsu::Response.new({a: 1}),
     Katsu::ArraySerializer.new(objects, each_serializer: PostSerializer)].each do |document|
      error = assert_raises(TypeError) { Marshal.dump([document]) }
      assert_equal "#{document.class} is not kept by Marshal or a cache: keep document.to_json, and " \
                   "Katsu::Fragment.new(text) puts it into a document", error.message
    end
    text = Marshal.load(Marshal.dump(PostSerializer.many([]).to_json))
    assert_equal '{"posts":[]}', Katsu.generate({posts: Katsu::Fragment.new(text)})
  end

  # The file of a serializer may lack a constant of its own; that is said, and not that there is no serializer.
  def test_a_serializer_whose_file_has_an_error
    Dir.mktmpdir do |folder|
      File.write(File.join(folder, "broken.rb"), "class MisuseTest\n  Broken = Class.new(Absent)\nend\n")
      MisuseTest.autoload(:Broken, File.join(folder, "broken.rb"))
      outer = serializer { has_one :author, serializer: "MisuseTest::Broken" }
      assert_equal :Absent, assert_raises(NameError) { outer.new.serialize({author: @author}) }.name
    end
  end

  # The innermost place counts: an element that is a collection is no association of its own.
  def test_collections_in_collections
    outer = serializer { has_many :posts, serializer: PostSerializer }
    assert_match(/\AMisuseTest::PostSerializer writes one object and was given an Array;/,
                 refused(outer, {posts: [[@post]]}))
    assert_match(/\AMisuseTest::PostSerializer writes one object and was given an Array;/,
                 refused(outer, {posts: [@post, [@post]]}))
  end

  def test_a_single_object_given_to_an_array_serializer
    {@post => "a Post", {id: 1} => "a Hash", Point.new(1) => "a MisuseTest::Point",
     5 => "an Integer"}.each do |object, name|
      list = Katsu::ArraySerializer.new(object, each_serializer: PostSerializer)
      [-> { list.to_json }, -> { list.to_a }, -> { list.write_to(StringIO.new) }].each do |written|
        assert_equal "Katsu::ArraySerializer was given #{name}, which is no collection; for one object write " \
                     "MisuseTest::PostSerializer.new.serialize_to_json(object)", refusal(TypeError, &written)
      end
    end
    assert_equal "Katsu::ArraySerializer was given the class Post, which is no collection; give it Post.all",
                 refusal(TypeError) { Katsu::ArraySerializer.new(Post, each_serializer: PostSerializer).to_json }
  end
end
