# frozen_string_literal: true

require "support/test_case"

# Katsu::ArraySerializer as an object that is used more than once.
class ArraySerializerTest < TestCase
  class ItemSerializer < Katsu::Serializer
    attributes :id
  end

  def setup
    @serializer = Katsu::ArraySerializer.new([{id: 1}], each_serializer: ItemSerializer)
  end

  def test_other_subjects_in_a_call
    assert_equal [{"id" => 2}], @serializer.serialize([{id: 2}])
    assert_equal '[{"id":3}]', @serializer.serialize_to_json([{id: 3}])
    assert_equal '[{"id":1}]', @serializer.to_json
  end

  def test_subjects_can_be_replaced
    assert_equal [{id: 1}], @serializer.subjects
    assert_equal ItemSerializer, @serializer.serializer
    @serializer.subjects = [{id: 4}]
    assert_equal '[{"id":4}]', @serializer.to_json
  end

  # As of any other object that is no Struct.
  def test_a_data_with_a_to_a
    skip "Data is of Ruby 3.2" unless defined?(Data.define)
    page = Data.define(:list) { def to_a = list }.new([{id: 1}])
    list = Katsu::ArraySerializer.new(page, each_serializer: ItemSerializer)
    assert_equal ['[{"id":1}]', [{"id" => 1}]], [list.to_json, list.to_a]
    outer = Class.new(Katsu::Serializer) { has_many :items, serializer: ItemSerializer }
    assert_equal '{"items":[{"id":1}]}', outer.new.serialize_to_json({items: page})
    bare = Data.define(:id).new(1)
    assert_raises(Katsu::NumberError) { outer.new.serialize_to_json({items: bare}) }
  end

  def test_what_it_prints
    assert_equal "#<ArraySerializerTest::ItemSerializer id>", ItemSerializer.new.inspect
  end

  def test_errors_say_what_they_are_about
    error = assert_raises(Katsu::NumberError) { @serializer.serialize_to_json(1) }
    assert_equal 1, error.object
    error = assert_raises(Katsu::NestingError) { Katsu.generate([[[]]], max_nesting: 1) }
    assert_equal 2, error.depth
  end

  def test_a_fragment_has_other_text
    fragment = Katsu::Fragment.new("1")
    fragment.json = "[2]"
    assert_equal "[[2]]", Katsu.generate([fragment])
  end
end
