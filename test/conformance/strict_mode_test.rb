# frozen_string_literal: true

require "support/test_case"
require "delegate"

# The option strict: what as_json is called for, and what becomes of its results. All of it is json's.
class StrictModeTest < TestCase
  BYTES = "source sequence is illegal/malformed utf-8"

  class Bare < BasicObject
    def to_s = "bare"
  end

  def strict(value, **options, &as_json)
    generate(value, {strict: true, as_json: as_json, **options})
  end

  def assert_refused(message, value, **options, &as_json)
    error = assert_raises(Katsu::GeneratorError) { strict(value, **options, &as_json) }
    assert_equal message, error.message
  end

  def test_text_of_as_json_that_is_not_utf8
    utf16 = "é".encode("UTF-16LE")
    [utf16, "\xff", utf16.to_sym].each do |result|
      [Object, Float::NAN, "\xff", utf16].each { |value| assert_refused(BYTES, [value]) { result.dup } }
    end
    assert_equal '{"é":1}', strict({Object => 1}) { utf16 }
  end

  def test_the_block_is_called_once_for_a_value
    assert_refused("#<Class:Object> not allowed in JSON", ["\xff"]) { Object }
    assert_equal '[["S"]]', strict([Object]) { |object| String === object ? "S" : ["\xff"] }
  end

  def test_the_outermost_text_of_a_to_json
    options = Katsu::Generator::Options.new({strict: true, as_json: ->(_object, _is_key) { "val" }})
    assert_equal '"val"', options.generate_core("\xff")
  end

  def test_objects_are_named_by_their_class
    hash = {}.compare_by_identity
    hash[Bare.new] = 1
    name = "StrictModeTest::Bare"
    [nil, ->(_object, _is_key) { Bare.new }].each do |as_json|
      assert_refused("#{name} not allowed in JSON", [Bare.new], &as_json)
      assert_refused("#{name} not allowed as object key in JSON", hash, &as_json)
      next if as_json

      assert_refused("SimpleDelegator not allowed in JSON", [SimpleDelegator.new(1)])
      assert_refused("SimpleDelegator not allowed as object key in JSON", {SimpleDelegator.new(1) => 1})
    end
  end

  # As json names them.
  def test_objects_with_methods_of_their_own_are_named_by_those
    own = Object.new
    def own.size = 1
    basic = Bare.new
    def basic.size = 1
    [own, Object.new.extend(Enumerable), basic].each do |object|
      hash = {}.compare_by_identity
      hash[object] = 1
      ["", "as object key "].zip([[object], hash]) do |what, value|
        error = assert_raises(Katsu::GeneratorError) { Katsu.generate(value, strict: true) }
        assert_match(/\A#<Class:#<(Object|StrictModeTest::Bare):0x\h+>> not allowed #{what}in JSON\z/, error.message)
      end
    end
  end

  def test_results_that_have_no_methods
    ["\xff", Float::NAN].each do |value|
      assert_refused("StrictModeTest::Bare not allowed in JSON", [value]) { Bare.new }
    end
    assert_refused("StrictModeTest::Bare not allowed as object key in JSON", {"\xff" => 1}) { Bare.new }
    assert_refused("StrictModeTest::Bare not allowed as object key in JSON", {Object => 1}, rfc8785: true) { Bare.new }
  end

  def test_keys_of_canonical_json_that_are_not_utf8
    utf16 = {"é".encode("UTF-16LE") => 1, "b" => 2}
    calls = []
    scrubbed = strict({"a\xff" => 1}, rfc8785: true) do |*call|
      calls << call
      call[0].scrub("?")
    end
    assert_equal '{"a?":1}', scrubbed
    assert_equal [["a\xff", true]], calls
    assert_equal '{"b":2,"x":1}', strict(utf16, rfc8785: true) { "x" }
    assert_equal '{"b":2,"x":1}', generate(utf16, {strict: true, rfc8785: true, as_json: ->(_object) { "x" }})
    [:x, 1].each do |result|
      assert_refused("#{result.class} not allowed as object key in JSON", utf16, rfc8785: true) { result }
    end
    [utf16, {"\xff" => 1}].each do |hash|
      assert_refused(BYTES, hash, rfc8785: true) { |key| key }
      assert_refused(BYTES, hash, rfc8785: true) { "\xff" }
    end
    assert_refused(BYTES, {Object => 1}, rfc8785: true) { "é".encode("UTF-16LE") }
  end
end
