# frozen_string_literal: true

require "support/test_case"
require "katsu/compat/panko"

class CompatPankoTest < TestCase
  class ThingSerializer < Panko::Serializer
    attributes :id
    aliases name: :title
    attributes :upper
    def upper = object[:name].upcase
  end

  def test_the_constants_and_their_calls
    things = [{id: 1, name: "a"}]
    assert_equal %([{"id":1,"title":"a","upper":"A"}]),
                 Panko::ArraySerializer.new(things, {each_serializer: ThingSerializer}).to_json
    assert_equal [{"id" => 1}], Panko::ArraySerializer.new(things, each_serializer: ThingSerializer, only: [:id]).to_a
    ids = Panko::ArraySerializer.new(things, each_serializer: ThingSerializer, only: [:id])
    assert_equal %({"success":true,"things":[{"id":1}],"json":{}}),
                 Panko::Response.new(success: true, things: ids, json: Panko::JsonValue.new("{}")).to_json
    assert_equal "[1]", Panko::JsonValue.from("[1]").value
    assert_same Katsu::Serializer::SKIP, Panko::Serializer::SKIP
    assert_equal({"id" => 1, "title" => "a", "upper" => "A"}, ThingSerializer.new.serialize(things[0]))
  end

  def test_an_empty_filter_is_none
    all = {"id" => 1, "title" => "a", "upper" => "A"}
    [[], {}, {instance: []}].each do |filter|
      assert_equal all, ThingSerializer.new(only: filter).serialize({id: 1, name: "a"}), filter.inspect
      assert_equal all, ThingSerializer.new(except: filter).serialize({id: 1, name: "a"}), filter.inspect
    end
  end

  # A method of a class defined after the attribute, in this class or a child, is its value, and moves it behind those
  # before.
  def test_which_methods_are_method_fields
    mixed = Module.new { def label = "the module's" }
    parent = Class.new(Panko::Serializer) do
      include mixed
      def early = "the serializer's"
      attributes :early, :label, :late, :hidden, :id, :inherited
      def hidden = "hidden"
      def late = "late"
      private :hidden
    end
    child = Class.new(parent) do
      def inherited = "child's"
      attributes :late
    end
    object = {id: 1, early: "e", label: "l", late: 0, hidden: 0, inherited: "i"}
    assert_equal %({"early":"e","label":"l","id":1,"inherited":"i","hidden":"hidden","late":"late"}),
                 parent.new.serialize_to_json(object)
    assert_equal %({"early":"e","label":"l","id":1,"hidden":"hidden","late":"late","inherited":"child's"}),
                 child.new.serialize_to_json(object)
  end

  # Of two attributes that read the same, the one below the method is a column until the method is defined again. Panko
  # writes the column again for one that is declared again; here it stays masked.
  def test_aliases_below_a_method
    masked = Class.new(Panko::Serializer) do
      attributes :email
      def email = "***"
    end
    alias_below = Class.new(masked) { aliases email: :mail }
    again_below = Class.new(alias_below) { def email = "###" }
    both_above = Class.new(Panko::Serializer) do
      aliases email: :mail
      attributes :email
      def email = "***"
    end
    other_name = Class.new(masked) { aliases mail: :email }
    {alias_below => {"mail" => "a@b", "email" => "***"}, again_below => {"mail" => "###", "email" => "###"},
     both_above => {"mail" => "***", "email" => "***"}, Class.new(masked) { attributes :email } => {"email" => "***"},
     Class.new(alias_below) { aliases email: :mail } => {"mail" => "a@b", "email" => "***"}}
      .each do |serializer, expected|
        assert_equal expected, serializer.new.serialize({email: "a@b"})
        assert_equal expected, JSON.parse(serializer.new.serialize_to_json({email: "a@b"}))
      end
    error = assert_raises(Katsu::Error) { other_name.plan }
    assert_match(/attribute :mail, as "email" reads mail of the object, and the method email is not called/,
                 error.message)
  end

  # The same of what a view declares.
  def test_method_fields_of_views
    masked = Class.new(Panko::Serializer) do
      attributes :id
      view(:contact) { attributes :email }
      def email = "***"
    end
    before = Class.new(Panko::Serializer) do
      def email = "***"
      view(:contact) { attributes :email }
    end
    child = Class.new(before) { def email = "+++" }
    person = {id: 1, email: "a@b"}
    {masked => "***", Class.new(masked) => "***", before => "a@b", child => "+++"}.each do |serializer, email|
      assert_equal email, JSON.parse(serializer.render(person, view: :contact))["email"]
      assert_equal email, serializer.new(view: :contact).serialize(person)["email"]
    end
  end

  def test_associations_are_read_of_the_object
    serializer = Class.new(Panko::Serializer) do
      has_one :thing, serializer: ThingSerializer
      def thing
        raise("called")
      end
    end
    assert_equal({"thing" => {"id" => 1, "title" => "a", "upper" => "A"}},
                 serializer.new.serialize({thing: {id: 1, name: "a"}}))
  end
end
