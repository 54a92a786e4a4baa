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
    assert_equal %([{"id":1,"title":"a","upper":"A"}]), Panko::ArraySerializer.new(things, {each_serializer: ThingSerializer}).to_json
    assert_equal [{"id" => 1}], Panko::ArraySerializer.new(things, each_serializer: ThingSerializer, only: [:id]).to_a
    assert_equal %({"success":true,"things":[{"id":1}],"json":{}}), Panko::Response.new(success: true, things: Panko::ArraySerializer.new(things, each_serializer: ThingSerializer, only: [:id]), json: Panko::JsonValue.new("{}")).to_json
    assert_equal "[1]", Panko::JsonValue.from("[1]").value
    assert_same Katsu::Serializer::SKIP, Panko::Serializer::SKIP
    assert_equal({"id" => 1, "title" => "a", "upper" => "A"}, ThingSerializer.new.serialize(things[0]))
  end
end
