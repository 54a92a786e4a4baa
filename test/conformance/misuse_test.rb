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
      options: -> { value.as_json(only: [:id]) }, json: -> { JSON.generate(value) }, generate: -> { Katsu.generate(value) },
      nested: -> { Katsu.generate({a: [value]}) }, hash: -> { {post: value}.to_json }, array: -> { [value].as_json },
      rails: -> { ActiveSupport::JSON.encode({post: value}) }, response: -> { Katsu::Response.create { {post: value} }.to_json },
      response_hash: -> { Katsu::Response.new([value]).as_json }, io: -> { Katsu.dump({post: value}, StringIO.new) },
      writer: -> { Katsu::Writer.new(as_json: true).push_value(value) }
    }
  end

  def test_a_serializer_without_an_object_is_no_value
    expected = "MisuseTest::PostSerializer has no object to write: #{HINT}"
    [PostSerializer.new, PostSerializer.new(only: [:id], context: 1), PostSerializer].each do |value|
      places(value).each { |place, written| assert_equal expected, refusal(&written), place }
    end
  end

  def test_a_class_of_the_library_is_no_value
    [Katsu::ArraySerializer, Katsu::Serializer].each do |value|
      places(value).each do |place, written|
        assert_match(/\A#{value} has no object to write: PostSerializer\.new\.serialize_to_json\(object\)/, refusal(&written), place)
      end
    end
  end

  # In a method field too, with its place.
  def test_a_serializer_in_a_method_field
    outer = Class.new(Katsu::Serializer) { attribute(:post) { PostSerializer.new } }
    error = assert_raises(ArgumentError) { outer.new.serialize(@post) }
    assert_match(/PostSerializer has no object to write/, error.message)
    assert_match(/PostSerializer has no object to write/, refusal { outer.new.serialize_to_json(@post) })
  end

  def test_a_serializer_with_its_own_to_json
    own = Class.new(PostSerializer) { def to_json(*) = "1"; def as_json(*) = 1 }
    assert_equal ["[1]", "[1]", [1]], [Katsu.generate([own.new]), [own.new].to_json, Katsu::Response.new([own.new]).as_json]
  end

  def test_objects_in_the_place_of_options
    given = {@post => "Post", [@post] => "Array", Post.all => "Post::ActiveRecord_Relation", Post => "the class Post", 1 => "Integer"}
    given.each do |object, name|
      assert_equal "MisuseTest::PostSerializer: options are keywords or a Hash (got #{name}); #{HINT}", refusal { PostSerializer.new(object) }
    end
    assert_equal "MisuseTest::PostSerializer: unknown options: :id, :title; known are only, except, context, scope. If that is the object: #{HINT}",
                 refusal { PostSerializer.new({id: 1, title: "a"}) }
    assert_equal "Katsu::ArraySerializer: options are keywords or a Hash (got the class MisuseTest::PostSerializer); the serializer is named by " \
                 "each_serializer:, such as Katsu::ArraySerializer.new(objects, each_serializer: PostSerializer)",
                 refusal { Katsu::ArraySerializer.new([@post], PostSerializer) }
  end
end
