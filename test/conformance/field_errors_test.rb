# frozen_string_literal: true

require "support/test_case"
require "support/database"

# What method fields, blocks and conditions raise says where it was.
class FieldErrorsTest < TestCase
  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def json(serializer, object, **options)
    watched { serializer.new(**options).serialize_to_json(object) }
  end

  def test_errors_in_method_fields_carry_their_place
    bad = Class.new(Katsu::Serializer) do
      attributes :id, :bad
      def bad = raise(KeyError, "mine")
    end
    outer = Class.new(Katsu::Serializer) { has_many :comments, serializer: bad }
    post = Post.create!(title: "p")
    comment = post.comments.create!(body: "b")
    calls = [-> { Katsu::ArraySerializer.new([post], each_serializer: outer).to_json }, -> {
      Katsu::ArraySerializer.new([post], each_serializer: outer).to_a
    }]
    calls.each do |call|
      error = assert_raises(KeyError) { watched(&call) }
      assert_kind_of Katsu::FieldError, error
      assert_equal ["[0].comments[0].bad", Comment, comment.id], [error.field_path, error.field_class, error.field_id]
      assert_equal "#<KeyError: mine (in [0].comments[0].bad of Comment with id #{comment.id})>", error.inspect
      assert_match(/field_errors_test/, error.backtrace.first)
    end
  end

  # In a Hash as in JSON, from records and from rows.
  def test_errors_in_documents_that_are_values
    inner = Class.new(Katsu::Serializer) { attribute(:bad) { raise KeyError, "mine" } }
    broken = Class.new(Katsu::Serializer) { attribute(:bad) { "\xff" } }
    author = Class.new(Katsu::Serializer) do
      attribute(:list, needs: :id) { |_, serializer| serializer.many([1]) }
    end
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: author }
    post = Post.create!(title: "p", author: Author.create!(name: "a"))
    [[post], Post.where(id: post.id)].product([[:to_a, :to_h], [:to_json, :to_json]]) do |posts, (all, keyed)|
      error = assert_raises(KeyError) { watched { outer.many(posts, context: inner).public_send(all) } }
      assert_equal "[0].author.list[0].bad", error.field_path
      error = assert_raises(KeyError) { watched { outer.many(posts, by: :title, context: inner).public_send(keyed) } }
      assert_equal "p.author.list[0].bad", error.field_path
    end
    error = assert_raises(Katsu::GeneratorError) { watched { outer.new(context: broken).serialize_to_json(post) } }
    assert_equal "author.list[0].bad", error.path
    plain = Class.new(Katsu::Serializer) { attribute(:at) { Class.new { def as_json(*) = raise("own") }.new } }
    error = assert_raises(RuntimeError) { watched { plain.new.serialize(post) } }
    assert_equal ["own", false], [error.message, error.is_a?(Katsu::FieldError)]
  end

  # Of the classes whose errors say where a serializer was not found or an object was refused.
  def test_errors_that_a_value_raises_have_no_place
    [Katsu::NumberError, Katsu::SerializerNotFoundError].each do |kind|
      value = Class.new.tap { |klass| klass.define_method(:as_json) { |*| raise kind, "own" } }
      plain = Class.new(Katsu::Serializer) { attribute(:at) { value.new } }
      chosen = Class.new(Katsu::Serializer) do
        has_one(:other, serializer: {Hash => Class.new(Katsu::Serializer) { attributes :id }})
        has_one :last, serializer: plain
      end
      [plain, chosen].product(%i[serialize serialize_to_json]) do |serializer, call|
        error = assert_raises(kind) { watched { serializer.new.public_send(call, {other: {id: 1}, last: {}}) } }
        assert_equal ["own", nil], [error.message, error.path]
      end
    end
  end

  def test_a_missing_column_in_a_method_field_stays_what_it_is
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :title, :foo
      def foo = object.body
    end
    part = Post.select(:id, :title).find(Post.create!(title: "t").id)
    [:serialize, :serialize_to_json].each do |call|
      error = assert_raises(ActiveModel::MissingAttributeError) { serializer.new.public_send(call, part) }
      assert_match(/in foo of Post with id #{part.id}/, error.inspect)
    end
  end

  def test_errors_in_blocks_and_conditions
    block = Class.new(Katsu::Serializer) { attribute(:a) { |o| o.fetch(:nothing) } }
    assert_equal ["a", Hash, 7], assert_raises(KeyError) {
      json(block, {id: 7})
    }.then { |e| [e.field_path, e.field_class, e.field_id] }
    condition = Class.new(Katsu::Serializer) { attribute :id, if: -> { raise "no" } }
    assert_equal "#<RuntimeError: no (in id of Hash with id 7)>", assert_raises(RuntimeError) {
      json(condition, {id: 7})
    }.inspect
    frozen = Class.new(Katsu::Serializer) { attribute(:a) { raise RuntimeError.new("cold").freeze } }
    assert_equal "cold", assert_raises(RuntimeError) { json(frozen, {}) }.message unless RUBY_VERSION < "3.2"
    nested = Class.new(Katsu::Serializer) { attribute(:outer) { |o| block.new.serialize(o) } }
    assert_equal "a", assert_raises(KeyError) { json(nested, {id: 7}) }.field_path
    assert_equal "[1]", Katsu.generate([1])
  end

  # Yields objects, of which the second raises, and does with its error what the block says.
  Rescuing = Struct.new(:handle) do
    def each
      [{id: 1}, {id: 2}, {id: 3}].each do |object|
        yield object
      rescue KeyError => e
        handle.call(e)
      end
    end
  end

  # As in a stream, whose each is code of the application between the document and the field.
  def stream_error(&handle)
    serializer = Class.new(Katsu::Serializer) { attribute(:a) { |object| object[:id] == 2 ? raise(KeyError, "2") : 1 } }
    stream = Katsu::Stream.new(Rescuing.new(handle))
    assert_raises(StandardError) { Katsu::ArraySerializer.new(stream, each_serializer: serializer).to_json }
  end

  def test_errors_that_the_each_of_a_stream_rescues
    met = []
    error = stream_error { |e| met << e }
    assert_equal ["[1].a"], met.map { |one| one.respond_to?(:field_path) ? one.field_path : one.class }
    assert_equal ["Katsu::Stream: each went on after an element that could not be written", false],
                 [error.message, error.is_a?(Katsu::FieldError)]
    assert_equal ["mine", false], stream_error { raise "mine" }.then { |e| [e.message, e.is_a?(Katsu::FieldError)] }
    assert_equal ["[1].a", KeyError], stream_error { |e| raise e }.then { |e| [e.field_path, e.class] }
    met.clear
    stop = stream_error { |e| met << e and raise StopIteration, "stop" }
    assert_equal ["stop", false, met[0]], [stop.message, stop.is_a?(Katsu::FieldError), stop.cause]
  end

  # Yields an object whose field is left by what is no StandardError, and then raises.
  Leaving = Struct.new(:way) do
    def each
      catch(:left) { yield({id: way}) }
      raise "mine"
    rescue NotImplementedError
      raise "mine"
    end
  end

  def test_what_each_raises_after_a_field_was_left
    serializer = Class.new(Katsu::Serializer) do
      attribute(:a) { |object| object[:id] == :throw ? throw(:left) : raise(NotImplementedError) }
    end
    %i[throw raise].each do |way|
      stream = Katsu::Stream.new(Leaving.new(way))
      [-> { Katsu::ArraySerializer.new(stream, each_serializer: serializer).to_json },
       -> { serializer.many(stream).write_to(StringIO.new) }].each do |written|
        error = assert_raises(RuntimeError, &written)
        assert_equal ["mine", false], [error.message, error.is_a?(Katsu::FieldError)], way.inspect
      end
    end
  end
end
