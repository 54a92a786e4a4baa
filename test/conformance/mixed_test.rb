# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Collections of objects of several classes: each_serializer: is a Hash.
class MixedTest < TestCase
  class PostSerializer < Katsu::Serializer
    attributes :id, :title
    view(:short) { exclude :id }
  end

  class AuthorSerializer < Katsu::Serializer
    attributes :id, :full_name
    def full_name = object.name
    view(:short) { exclude :id }
  end

  MAP = {Post => PostSerializer, "Author" => AuthorSerializer}.freeze
  OBJECTS = [Post.new(id: 1, title: "a"), Editor.new(id: 2, name: "b"), nil].freeze
  JSON_OF_ALL = '[{"id":1,"title":"a"},{"id":2,"full_name":"Ed. b"},null]'

  def list(objects = OBJECTS, **options) = Katsu::ArraySerializer.new(objects, {each_serializer: MAP, **options})

  def test_all_calls
    assert_equal JSON_OF_ALL, watched { list.to_json }
    assert_equal JSON.parse(JSON_OF_ALL), watched { list.to_a }
    assert_equal JSON.parse(JSON_OF_ALL), list.as_json
    assert_equal JSON_OF_ALL, list.write_to(StringIO.new).string
    assert_equal "{\"a\":#{JSON_OF_ALL}}", Katsu.generate({a: list})
    assert_equal "{\"a\":#{JSON_OF_ALL}}", Katsu::Response.create { {a: list} }.to_json
    assert_equal "[]", list([]).to_json
    assert_equal '[{"id":1,"title":"a"}]', list([]).serialize_to_json(OBJECTS.first(1))
    assert_equal JSON_OF_ALL, list(each_serializer: {Post: PostSerializer, Author: AuthorSerializer}).to_json
    names = {Post => :"MixedTest::PostSerializer", Author => "MixedTest::AuthorSerializer"}
    assert_equal JSON_OF_ALL, list(each_serializer: names).to_json
  end

  # An io that counts what it is given at once.
  class Chunks < Array
    def write(text) = push(text.dup) && text.bytesize
  end

  def test_many_objects_are_written_in_chunks
    objects = Array.new(2500) { |number| number.odd? ? {title: "é" * 50, id: number} : nil }
    map = {Hash => PostSerializer}
    expected = list(objects, each_serializer: map).to_json
    [objects, Katsu::Stream.new(objects), objects.each].each do |source|
      chunks = watched { list(source, each_serializer: map).write_to(Chunks.new) }
      assert_equal expected, chunks.join
      assert_operator chunks.map(&:bytesize).max, :<=, 100_000
      assert chunks.all?(&:valid_encoding?)
    end
    (objects = objects.dup)[2001] = {id: 1}
    [objects, Katsu::Stream.new(objects)].each do |source|
      chunks = Chunks.new
      error = assert_raises(Katsu::UnknownAttributeError) { list(source, each_serializer: map).write_to(chunks) }
      assert_equal "[2001].title", error.path
      assert_operator chunks.size, :>, 0
    end
  end

  def test_one_serializer_for_all_objects_of_an_io
    serializer = Class.new(Katsu::Serializer) do
      attribute(:number) { tag }
      def tag = @tag ||= context.next
    end
    text = list([{}] * 300, each_serializer: {Hash => serializer}, context: 1.step).write_to(StringIO.new).string
    assert_equal [{"number" => 1}], JSON.parse(text).uniq
  end

  def test_nothing
    [[], nil, Katsu::Stream.new([])].each do |none|
      assert_equal "[]", list(none).to_json
      assert_equal [], list(none).to_a
      assert_equal "[]", list(none).write_to(StringIO.new).string
    end
  end

  # A callable is asked for the names that serializers declare, and for no other.
  def test_a_transform_that_does_not_know_all_names
    names = {"id" => "ID", "title" => "T", "full_name" => "N"}
    json = '[{"ID":1,"T":"a"},{"ID":2,"N":"Ed. b"},null]'
    assert_equal json, list(transform_keys: names.method(:fetch)).to_json
    assert_equal json, list(transform_keys: ->(name) { names.fetch(name) }).write_to(StringIO.new).string
    before = Katsu.config.transform_keys
    Katsu.configure { |config| config.transform_keys = names.method(:fetch) }
    assert_equal json, list.to_json
  ensure
    Katsu.configure { |config| config.transform_keys = before }
  end

  def test_options
    assert_equal '[{"title":"a"},{"full_name":"Ed. b"},null]', list(only: %i[title full_name]).to_json
    assert_equal '[{"title":"a"},{"full_name":"Ed. b"},null]', list(except: [:id]).to_json
    assert_equal '[{"title":"a"},{"full_name":"Ed. b"},null]', list(view: :short).to_json
    assert_equal '[{"Id":1,"Title":"a"},{"Id":2,"FullName":"Ed. b"},null]', list(transform_keys: :camel).to_json
    assert_equal JSON_OF_ALL.upcase.gsub("NULL", "null").gsub('"A"', '"a"').gsub('"ED. B"', '"Ed. b"'),
                 list(transform_keys: ->(key) { key.upcase }).to_json
  end

  def test_filters_of_associations
    nested = Class.new(Katsu::Serializer) { has_one(:author) { attributes :id, :name } }
    posts = [Post.new(title: "a", author: Author.new(id: 2, name: "b"))]
    {only: {author: [:name]}, except: {author: [:id]}}.each do |option, filter|
      assert_equal '[{"author":{"name":"b"}}]', list(posts, each_serializer: {Post => nested}, option => filter).to_json
    end
  end

  # Whatever is known of maps that were used before.
  def test_a_transform_of_keys_that_is_configured
    {lower_camel: "fullName", dash: "full-name"}.each do |kind, key|
      Katsu.configure { |config| config.transform_keys = kind }
      map = {Post => PostSerializer, Author => AuthorSerializer, "Kind#{kind}" => AuthorSerializer}
      expected = JSON_OF_ALL.sub("full_name", key)
      assert_equal expected, watched { list(each_serializer: map).to_json }
      assert_equal JSON.parse(expected), list(each_serializer: map).to_a
      by = list(OBJECTS.first(2), each_serializer: map, by: :id).to_json
      assert_equal "{\"1\":{\"id\":1,\"title\":\"a\"},\"2\":{\"id\":2,\"#{key}\":\"Ed. b\"}}", by
    end
  ensure
    Katsu.configure { |config| config.transform_keys = nil }
  end

  # The serializer that holds the association is made once.
  def test_equal_hashes_share_a_plan
    before = Katsu::Serializer.subclasses.size
    3.times { Katsu::ArraySerializer.new([], each_serializer: {Post => PostSerializer, "Author" => AuthorSerializer}) }
    assert_operator Katsu::Serializer.subclasses.size, :<=, before + 1
  end

  def test_mistakes
    error = assert_raises(Katsu::SerializerNotFoundError) { list([Comment.new]).to_json }
    assert_equal "Katsu::ArraySerializer has no serializer for an object of class Comment in " \
                 ":each_serializer; it has one for #{MAP.keys.join(", ")}", error.message
    error = assert_raises(Katsu::SerializerNotFoundError) { list(each_serializer: {Post => "Nothing"}).to_json }
    assert_includes error.message, "has no serializer for :each_serializer; tried NothingSerializer, Nothing."
    assert_raises(Katsu::InvalidFilterError) { list(only: [:nothing]) }
    [{only: false}, {except: false}, {only: :title}].each do |filter|
      error = assert_raises(Katsu::InvalidFilterError) { list(**filter) }
      assert_includes error.message, "Katsu::ArraySerializer: #{filter.keys[0]}: #{filter.values[0].inspect} is a "
    end
    assert_raises(ArgumentError) { Katsu::ArraySerializer.new([], each_serializer: {}) }
    assert_raises(ArgumentError) { Katsu::ArraySerializer.new([], each_serializer: {Post => String}) }
    assert_raises(ArgumentError) { list(view: :nothing).to_json }
  end

  class FailingSerializer < Katsu::Serializer
    attributes :id
    attribute(:no) { raise "no" }
    attribute(:text) { "\xff" }
  end

  # The path is that of a collection; the holder of the association is not seen.
  def test_places_of_errors
    comments = [Post.new(id: 1), Comment.new(id: 5)]
    map = {Post => PostSerializer, Comment => FailingSerializer}
    places = [{}, {by: :id}, {by: :no, only: [:id]}, {by: ->(one) { one.title }, only: [:id]}].flat_map do |options|
      list = list(comments, each_serializer: map, except: [:text], **options)
      [-> { list.to_json }, -> { list.as_json }, -> { list.write_to(StringIO.new) }].map do |call|
        error = assert_raises(StandardError) { watched(&call) }
        [error.field_path, error.field_class, error.field_id]
      end
    end
    assert_equal ["[1].no", '["5"].no', "[0].no", "[1]"], places.map(&:first).uniq
    assert_equal [[Comment, 5], [Post, 1]], places.map { |place| place.drop(1) }.uniq
    error = assert_raises(Katsu::GeneratorError) { list(comments, each_serializer: map, only: %i[id text]).to_json }
    assert_equal "[1].text", error.path
  end

  # An attribute called class.
  def test_objects_whose_class_is_nil
    thing = Struct.new(:class, :id)
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    objects = [thing.new(nil, 1), thing.new(nil, 2), thing.new("css", 3)]
    assert_equal '[{"id":1},{"id":2},{"id":3}]',
                 watched { Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_json }
  end

  # Serializers were compiled anew after each such Hash.
  def test_maps_leave_the_plans_of_others
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    plan = serializer.plan
    2.times { |n| list([Post.new], each_serializer: {Post => serializer, "Other#{n}" => serializer}).to_json }
    assert_same plan, serializer.plan
  end
end
