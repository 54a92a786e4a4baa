# frozen_string_literal: true

require "support/test_case"
require "stringio"

# How deep the data of a Response may be nested, and the places of errors in it.
class ResponseTest < TestCase
  TOO_DEEP = "nesting of 101 is too deep. Did you try to serialize objects with circular references?"

  class Part
    def as_json(*) = {"x" => "\xff"}
  end

  def nested(levels, inner = [])
    (levels - 1).times.inject(inner) { |value, _| [value] }
  end

  # What raises the error of a document in each way that it is read.
  def errors(data)
    response = Katsu::Response.new(data)
    [-> { response.to_json }, -> { response.write_to(StringIO.new) }, -> { response.as_json },
     -> { Katsu.generate(response, space: " ") }, -> { Katsu.generate(response) }].map do |read|
      assert_raises(Katsu::Error) { watched(&read) }
    end
  end

  def test_what_contains_itself
    list, pairs = [], {}
    list << list
    pairs[:x] = [pairs]
    [[list, "[0]" * 10], [pairs, "x[0]#{".x[0]" * 4}"], [{k: list}, "k#{"[0]" * 9}"]].each do |data, path|
      errors(data).each { |error| assert_equal [TOO_DEEP, path], [error.message, error.path] }
      refute_predicate Katsu::Response.new(data), :chunked?
    end
  end

  # That it is too deep is found on the first way down, not on each of many.
  def test_what_contains_itself_twice
    list = []
    list << list << list
    errors(list).each { |error| assert_equal TOO_DEEP, error.message }
    refute_predicate Katsu::Response.new(list), :chunked?
  end

  def test_levels_of_what_is_filtered
    [{}, {only: ["a"]}].each do |options|
      assert_equal nested(100), Katsu::Response.new(nested(100)).as_json(options)
      error = assert_raises(Katsu::NestingError) { Katsu::Response.new(nested(101)).as_json(options) }
      assert_equal "[0]" * 10, error.path
    end
  end

  # ActiveSupport reads them by each.
  def test_hashes_with_an_each_of_their_own
    require "active_support/ordered_options"
    options = ActiveSupport::InheritableOptions.new({a: 1})
    options.b = 2
    response = Katsu::Response.new({options: options})
    assert_equal ActiveSupport::JSON.encode({options: options}), response.to_json
    assert_equal({"options" => {"a" => 1, "b" => 2}}, response.as_json)
  end

  # ActiveSupport reads what stands in them, too.
  def test_arrays_with_an_each_of_their_own
    list = Class.new(Array) do
      def each = yield(:each)
      def to_a = [:to_a]
    end
    response = Katsu::Response.create { {v: list[1, list[2]]} }
    assert_equal '{"v":[1,[2]]}', {v: list[1, list[2]]}.to_json
    assert_equal '{"v":[1,[2]]}', response.to_json
    assert_equal '{"v":[1,[2]]}', response.write_to(StringIO.new).string
    [response.as_json, response.as_json(only: [:v])].each { |hash| assert_equal({"v" => [1, [2]]}, hash) }
  end

  def test_levels
    response = Katsu::Response.new(nested(100))
    assert_equal Katsu.generate(nested(100)), response.to_json
    assert_equal response.to_json, response.write_to(StringIO.new).string
    assert_equal nested(100), response.as_json
    errors(nested(101)).each { |error| assert_equal TOO_DEEP, error.message }
  end

  # Documents within it are not counted.
  def test_levels_of_documents
    inner = Katsu::Response.new(nested(60))
    assert_equal "#{"[" * 159}[]#{"]" * 159}", Katsu::Response.new(nested(100, [inner])).to_json
  end

  def test_places
    data = {{a: [1, {"b" => Part.new}]} => "a[1].b.x", {a: [{"\xff" => 1}]} => "a[0][\"\u{fffd}\"]",
            {a: [{"\xff" => []}]} => "a[0][\"\u{fffd}\"]"}
    data.each do |value, path|
      assert_equal path, assert_raises(Katsu::GeneratorError) { Katsu::Response.new(value).to_json }.path
    end
  end

  def test_the_outermost_part_of_a_path_counts
    deep = Class.new { def to_json(state = nil, *) = Katsu.generate([[1]], state) }.new
    error = assert_raises(Katsu::NestingError) { generate(nested(99, [deep])) }
    assert_equal "[0]" * 10, error.path
  end
end
