# frozen_string_literal: true

require "support/test_case"
require "delegate"

# Objects without the methods of Object, and objects that say of themselves that they are nil.
class BasicObjectsTest < TestCase
  class Bare < BasicObject
    def initialize(id) = @id = id
    def id = @id
    def other = ::BasicObjectsTest::Bare.new(@id + 1)
    def all = [other]

    private

    def secret = "s"
  end

  # Answers as its target does.
  class Proxy < BasicObject
    def initialize(target) = @target = target
    def method_missing(...) = @target.public_send(...)
    def respond_to_missing?(*) = true
  end

  # Says what its target answers to.
  class Lazy < Proxy
    def respond_to_missing?(name, all) = @target.respond_to?(name, all)
  end

  class Own
    def as_json(*) = {"as" => "json"}
    def to_json(*) = '"to json"'
  end

  # Has a respond_to? of its own.
  class Answering < BasicObject
    def respond_to?(name, *) = name == :as_json
    def method_missing(name, *) = name == :as_json ? {"by" => "method_missing"} : super
  end

  # As applications write them in the place of a record that is not there.
  class Absent
    def nil? = true
    def id = 0
    def other = self
    def all = [self]
    def as_json(*) = {"absent" => true}
  end

  Held = Struct.new(:id)

  class IdSerializer < Katsu::Serializer
    attributes :id
  end

  class WholeSerializer < Katsu::Serializer
    attributes :id
    attribute(:twice) { |object| object.id * 2 }
    has_one :other, serializer: IdSerializer
    has_many :all, serializer: IdSerializer
    has_many :all, name: :by_id, serializer: IdSerializer, by: :id
  end

  class ManySerializer < Katsu::Serializer
    has_many :id, serializer: IdSerializer
    has_many :id, name: :by, serializer: IdSerializer, by: :id
  end

  class MisspeltSerializer < Katsu::Serializer
    attributes :idd
  end

  class SecretSerializer < Katsu::Serializer
    attributes :secret
  end

  class AnySerializer < Katsu::Serializer
    has_one :other, serializer: {"BasicObjectsTest::Bare" => IdSerializer, "BasicObjectsTest::Absent" => IdSerializer}
  end

  def assert_written(expected, object, serializer)
    assert_equal expected, JSON.parse(serializer.new.serialize_to_json(object))
    assert_equal expected, serializer.new.serialize(object)
    assert_equal expected, JSON.parse(serializer.one(object).to_json)
    assert_equal expected, serializer.render_as_hash(object)
    assert_equal [expected] * 2, JSON.parse(serializer.many([object, object]).to_json)
    assert_equal [expected] * 2, serializer.many([object, object]).to_a
    assert_includes serializer.one(object).explain.to_s, expected.keys.last
  end

  # What WholeSerializer writes of an object with another one.
  def whole(id, other)
    {"id" => id, "twice" => id * 2, "other" => {"id" => other}, "all" => [{"id" => other}],
     "by_id" => {other.to_s => {"id" => other}}}
  end

  def test_objects_without_the_methods_of_object
    assert_written whole(1, 2), Bare.new(1), WholeSerializer
    assert_written whole(0, 0), Proxy.new(Absent.new), WholeSerializer
    assert_written({"other" => {"id" => 2}}, Bare.new(1), AnySerializer)
  end

  # A Delegator is a BasicObject, too.
  def test_collections_that_delegate
    list = [Bare.new(1), Absent.new]
    expected = [{"id" => 1}, {"id" => 0}]
    [SimpleDelegator.new(list), Proxy.new(list)].each do |many|
      by = {"1" => expected[0], "0" => expected[1]}
      assert_written({"id" => expected, "by" => by}, Held.new(many), ManySerializer)
      assert_equal expected, JSON.parse(IdSerializer.many(many).to_json)
      assert_equal expected, JSON.parse(Katsu::ArraySerializer.new(many, each_serializer: IdSerializer).to_json)
    end
    assert_equal expected, IdSerializer.render_as_hash(Proxy.new(list))
  end

  def test_objects_that_say_they_are_nil
    assert_written whole(0, 0), Absent.new, WholeSerializer
    assert_written({"other" => {"id" => 0}}, Absent.new, AnySerializer)
  end

  def test_values_that_say_they_are_nil
    object = Held.new(Absent.new)
    assert_equal({"id" => {"absent" => true}}, IdSerializer.new.serialize(object))
    assert_equal({"id" => {"absent" => true}}, IdSerializer.new.serialize({id: Absent.new}))
    assert_equal %({"id":{"absent":true}}), IdSerializer.new.serialize_to_json(object)
    assert_equal %({"id":{"absent":true}}), IdSerializer.new.serialize_to_json({"id" => Absent.new})
  end

  # Their methods are those that they say they have, as for json.
  def test_values_that_answer_for_another_object
    own, list, text = [Own.new, [1], "text"].map { |target| Lazy.new(target) }
    assert_equal '["to json",[1],"text"]', generate([own, list, text])
    [[own, {"as" => "json"}], [list, [1]]].each do |value, expected|
      assert_written({"id" => expected}, {id: value}, IdSerializer)
      assert_equal JSON.generate(expected), Katsu::Writer.new(as_json: true).push_value(value).to_s
    end
    assert_equal({"as" => "json"}, Katsu::ObjectWriter.new.push_value(own).output)
    assert_equal '["to json","text"]', Katsu::Writer.new.push_array.push_value(own).push_value(text).pop.to_s
    assert_instance_of String, IdSerializer.new.serialize({id: text})["id"]
  end

  def test_a_hash_whose_default_is_one
    hashes = Array.new(20) { |index| (index == 9 ? {} : {"id" => "a"}).tap { |hash| hash.default = Lazy.new("text") } }
    json = Katsu::ArraySerializer.new(hashes, each_serializer: IdSerializer).to_json
    assert_equal Array.new(20) { |index| {"id" => index == 9 ? "text" : "a"} }, JSON.parse(json)
  end

  # In the place of the String that the first object had.
  def test_an_object_that_says_it_is_a_string
    objects = Array.new(20) { |index| {id: index == 9 ? Lazy.new("text") : "a"} }
    json = Katsu::ArraySerializer.new(objects, each_serializer: IdSerializer).to_json
    assert_equal [*(["a"] * 9), "text", *(["a"] * 10)], JSON.parse(json).map { |object| object["id"] }
  end

  def test_what_they_do_not_have
    error = assert_raises(Katsu::UnknownAttributeError) { SecretSerializer.new.serialize_to_json(Bare.new(1)) }
    assert_match(/declares secret, but BasicObjectsTest::Bare has no such column, method or key\./, error.message)
    error = assert_raises(Katsu::NumberError) { ManySerializer.new.serialize(Held.new(Bare.new(1))) }
    assert_match(/has_many :id is a BasicObjectsTest::Bare, which is no collection/, error.message)
    error = assert_raises(Katsu::NumberError) { IdSerializer.many(Bare.new(1)).to_json }
    assert_match(/was given a BasicObjectsTest::Bare, which is no collection/, error.message)
    misspelt = -> { MisspeltSerializer.new.serialize(SimpleDelegator.new(Absent.new)) }
    error = assert_raises(Katsu::UnknownAttributeError, &misspelt)
    assert_match(/Did you mean id\?/, error.message)
  end

  # What Katsu::Response asks of the values in it.
  def test_values_of_a_response
    value = Answering.new
    response = Katsu::Response.new({v: value, list: [value], id: 1})
    expected = {"v" => {"by" => "method_missing"}, "list" => [{"by" => "method_missing"}]}
    assert_equal({**expected, "id" => 1}, response.as_json)
    assert_equal JSON.generate({**expected, "id" => 1}), response.to_json
    assert_equal expected, response.as_json(except: [:id])
  end

  def test_an_error_of_a_method_field
    serializer = Class.new(Katsu::Serializer) { attribute(:broken) { |object| object.nothing } }
    error = assert_raises(NoMethodError) { serializer.new.serialize(Bare.new(1)) }
    assert_equal "broken", error.field_path
  end

  def test_values_with_a_respond_to_of_their_own
    serializer = Class.new(Katsu::Serializer) { attributes :a }
    object = {a: [Answering.new]}
    assert_equal({"a" => [{"by" => "method_missing"}]}, serializer.new.serialize(object))
    assert_equal '{"a":[{"by":"method_missing"}]}', serializer.new.serialize_to_json(object)
  end
end
