# frozen_string_literal: true

require "support/test_case"
require "stringio"

# Keys of Hashes that come out the same, and keys that are asked for their text.
class KeysTest < TestCase
  # Counts how often it is asked.
  class Counted
    attr_reader :calls

    def initialize(answer = 1)
      @answer = answer
      @calls = 0
    end

    def as_json(*)
      @calls += 1
      @answer
    end
  end

  Named = Struct.new(:name) do
    def to_s = name
  end

  class OwnJson < String
    def to_json(*) = "\"own\""
  end

  class ToOwnJson < String
    def to_s = OwnJson.new("other")
  end

  class ToItself < String
    def to_s = self
  end

  class ToInteger < String
    def to_s = 5
  end

  class FieldSerializer < Katsu::Serializer
    attributes :field
    def field = context
  end

  # A value by every way that writes it as its as_json.
  def every_way(value)
    texts = [written(value), written(value, StringIO.new)]
    texts << watched { FieldSerializer.new(context: value).serialize_to_json({})["{\"field\":".size..-2] }
    texts << JSON.generate(FieldSerializer.new(context: value).serialize({})["field"])
  end

  def written(value, io = nil)
    watched do
      writer = Katsu::Writer.new(io, as_json: true)
      writer.push_value(value)
      io ? io.string : writer.to_s
    end
  end

  def by_identity(*pairs)
    pairs.each_with_object({}.compare_by_identity) { |(key, value), hash| hash[key] = value }
  end

  def test_the_last_of_equal_keys_is_written_where_the_first_stands
    twice = Named.new("n")
    {
      {"a" => 1, "b" => 2, :a => 3} => %({"a":3,"b":2}),
      {a: 1, "a" => 2} => %({"a":2}),
      {nil => 1, "" => 2} => %({"":2}),
      {1 => 1, "1" => 2} => %({"1":2}),
      {twice => 1, Named.new("n").tap { |other| def other.hash = 7 } => 2} => %({"n":2}),
      by_identity([+"a", 1], ["b", 2], [+"a", 3]) => %({"a":3,"b":2}),
      by_identity([:a, 1], [:b, 2]) => %({"a":1,"b":2}),
      {1 => {2 => {:a => 1, "a" => 2}}} => %({"1":{"2":{"a":2}}})
    }.each { |value, text| assert_equal [text] * 4, every_way(value), text }
  end

  def test_a_value_is_asked_once_whatever_the_keys_beside_it
    [{"a" => 1, b: 2}, {1 => 2}, {nil => 1}, {a: 1}, by_identity([+"a", 1])].each do |beside|
      counted = Counted.new({"x" => 1, y: 2})
      written({"k" => [counted], **beside})
      assert_equal 1, counted.calls, beside.inspect
    end
  end

  # Each level was written twice: 2**30 times the innermost.
  def test_nested_keys_of_both_kinds_are_written_once_a_level
    counted = Counted.new
    value = 30.times.inject(counted) { |inner, _| {"x" => inner, y: 1} }
    assert_equal 1, every_way(value).map(&:size).uniq.size
    assert_equal 4, counted.calls
  end

  def test_a_document_of_both_kinds_of_keys_that_is_larger_than_a_chunk
    value = fewer_under_stress([*1..4000]).to_h { |i| [i.even? ? "key #{i}" : :"key #{i}", "x" * (i % 90)] }
    value["last"] = {"a" => "y" * 200_000, b: "z" * 70_000, a: 1}
    expected = JSON.generate(value.transform_values do |text|
      text.is_a?(Hash) ? {"a" => 1, "b" => "z" * 70_000} : text
    end)
    every_way(value).each { |text| assert_equal expected, text }
  end

  def test_keys_that_change_the_hash_while_they_are_asked
    hash = {}
    growing = Object.new.tap do |key|
      key.define_singleton_method(:to_s) do
        hash["new"] = 1
        "grown"
      end
    end
    hash["a"] = 1
    hash[growing] = 2
    assert_raises(RuntimeError) { every_way(hash) }
    outer = {"a" => hash, "b" => 2}
    shrinking = Object.new.tap do |key|
      key.define_singleton_method(:to_s) do
        outer.delete("b")
        "shrunk"
      end
    end
    hash.replace("x" => 1, shrinking => 2)
    assert_includes written(outer), %({"x":1,"shrunk":2})
  end

  class Bare < BasicObject
    def hash = 1
    def to_s = "bare"
  end

  def test_a_basic_object_as_a_key
    [written({Bare.new => 1}), generate({Bare.new => 1})].each { |text| assert_equal '{"bare":1}', text }
  end

  # As json 3.1 does; older versions do as they like.
  def test_strings_of_a_class_of_its_own_as_keys
    [OwnJson, ToOwnJson, ToItself].each do |key|
      expected = {OwnJson => "k", ToOwnJson => "own", ToItself => "k"}.fetch(key)
      assert_equal %({"#{expected}":1}), generate({key.new("k") => 1})
      assert_equal %({"#{expected}":1}), JSON.generate({key.new("k") => 1}) if JSON::VERSION >= "3.1"
    end
    assert_raises(Katsu::GeneratorError) { generate({ToItself.new("k") => 1}, strict: true) }
    assert_equal %({"KeysTest::ToItself":1}), generate({ToItself.new("k") => 1}, strict: true, as_json: ->(object, _) {
      object.class.name
    })
    assert_equal [%({"other":1})] * 3, every_way({ToOwnJson.new("k") => 1}).first(3)
    assert_equal [%({"other":2})] * 3, every_way({ToOwnJson.new("k") => 1, ToOwnJson.new("l") => 2}).first(3)
  end

  # As json 3.1: what a key's to_s gives is UTF-8 before its to_json is called.
  def test_a_key_of_another_encoding_with_a_to_json
    own = Class.new(String) { def to_json(*) = "\"#{encoding} #{bytesize}\"" }
    key = Class.new { define_method(:to_s) { own.new("é".encode("ISO-8859-1")) } }.new
    assert_equal '{"UTF-8 2":1}', generate({key => 1})
    assert_equal '{"UTF-8 2":1}', JSON.generate({key => 1}) if JSON::VERSION >= "3.1"
  end

  def test_keys_of_other_encodings_in_strict_mode
    itself = ->(object, _key) { object }
    ["é".encode("ISO-8859-1"), "€".encode("UTF-16LE")].each do |key|
      assert_equal %({"#{key.encode("UTF-8")}":1}), generate({key => 1}, strict: true, as_json: itself)
    end
    assert_raises(Katsu::GeneratorError) { generate({"é".b => 1}, strict: true, as_json: itself) }
  end

  def test_a_to_s_that_gives_no_string
    error = assert_raises(TypeError) { generate({ToInteger.new("k") => 1}) }
    assert_equal "can't convert KeysTest::ToInteger to String (KeysTest::ToInteger#to_s gives Integer)", error.message
    odd = Object.new.tap { |key| def key.to_s = nil }
    assert_match(/can't convert Object to String \(Object#to_s gives NilClass\)/, assert_raises(TypeError) do
      generate({odd => 1})
    end.message)
  end

  class ValueSerializer < Katsu::Serializer
    attributes :value
    attribute(:block) { |object| object[:value] }
  end

  # In the value of a field as anywhere else, as text and in a Hash; with ActiveSupport that is what its as_json gives.
  def test_a_to_s_that_gives_no_string_in_a_serializer
    odd = ToInteger.new("k")
    [{odd => 1}, [{odd => 1, "a" => 2}], {a: {1 => 0, odd => 1}}].each do |value|
      object = {value: value}
      ways = {
        json: -> { ValueSerializer.render(object) }, hash: -> { ValueSerializer.render_as_hash(object) },
        block: -> { ValueSerializer.render(object, only: [:block]) },
        document: -> { generate([ValueSerializer.many([object])]) },
        response: -> { Katsu::Response.new(value: value).to_json },
        response_hash: -> { Katsu::Response.new(value: value).as_json },
        canonical: -> { generate(value, rfc8785: true) },
        meta: -> { ValueSerializer.render([], root: :values, meta: {odd => 1}) }
      }
      ways = ways.except(:hash, :response_hash) if value.respond_to?(:as_json)
      ways.each do |way, written|
        error = assert_raises(TypeError, way.inspect, &written)
        assert_equal "can't convert KeysTest::ToInteger to String (KeysTest::ToInteger#to_s gives Integer)",
                     error.message
      end
    end
  end

  def test_keys_that_a_block_replaces_are_asked_before_they_are_compared
    coder = Katsu::Coder.new { |_object| raise IndexError }
    assert_raises(IndexError) { coder.dump({Object.new => 1, Object.new => 2}) }
    named = Katsu::Coder.new { |object, is_key| is_key ? object.name : object }
    assert_equal %({"a":1,"b":2}), watched { named.dump({Named.new("a") => 1, Named.new("b") => 2}) }
  end

  # As Rails has it; the json gem asks them.
  def test_keys_of_serialized_values_are_not_asked_for_their_json
    key = Class.new(ToItself) do
      def as_json(*) = "as_json"
      def to_json(*) = "\"to_json\""
    end
    serializer = Class.new(Katsu::Serializer) { attributes :a }
    assert_equal %({"a":{"k":1}}), serializer.new.serialize_to_json({a: {key.new("k") => 1}})
    assert_equal %({"to_json":1}), generate({key.new("k") => 1})
  end

  def test_keys_of_broken_text_that_a_block_replaces
    coder = Katsu::Coder.new { |object, _| object == "\xFF" ? "ok" : object }
    assert_equal %({"ok":1}), watched { coder.dump({"\xFF" => 1}) }
    ["\xFE", "é".encode("ISO-8859-1")].each do |text|
      error = assert_raises(Katsu::GeneratorError) { Katsu::Coder.new { |_object| text }.dump({"\xFF" => 1}) }
      assert_equal "\xFF", error.invalid_object
    end
  end
end
