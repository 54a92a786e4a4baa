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
end
