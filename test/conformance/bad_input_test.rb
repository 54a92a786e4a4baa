# frozen_string_literal: true

require "support/test_case"

# What has no form in JSON: a clear error that says where.
class BadInputTest < TestCase
  def refused(value, options = nil)
    assert_raises(Katsu::GeneratorError) { generate(value, options) }
  end

  def test_not_a_number_and_infinities
    [Float::NAN, Float::INFINITY, -Float::INFINITY].each do |number|
      error = refused({"list" => [1, number]})
      assert_equal "list[1]", error.path
      assert_equal "#{number} not allowed in JSON", error.message
      assert_equal JSON.generate(number, allow_nan: true), generate(number, allow_nan: true)
    end
  end

  def test_invalid_utf8_says_byte_and_path
    error = refused([{"name" => "ab\xFFcd"}])
    assert_equal "#<Katsu::GeneratorError: source sequence is illegal/malformed utf-8 (in [0].name, at byte 2)>",
                 error.inspect.lines.first.chomp
    assert_equal "[0].name", error.path
    refused({"\xC3" => 1})
    refused("\xED\xA0\x80")
    refused("x" * 100 + "\xF0\x9F")
    refused("\xFF".b)
    refused("ü".b)
    refused("\xFF".dup.force_encoding("UTF-16LE"))
  end

  def test_paths
    assert_equal "a[2][\"odd key\"].b", refused({a: [0, 1, {"odd key" => {b: Float::NAN}}]}).path
    assert_equal "false[\"\"].true", refused({false => {nil => {true => Float::NAN}}}).path
    assert_equal "false[1]", refused({false => [{}, Float::NAN], **(1..9).to_h { |i| [i.to_s, i] }}).path
    assert_equal "", refused(Float::NAN).path
  end

  def test_nesting
    deep = 100.times.inject(1) { |inner, _| [inner] }
    assert_equal "[" * 100 + "1" + "]" * 100, generate(deep)
    error = assert_raises(Katsu::NestingError) { generate([deep]) }
    assert_match(/nesting of 101 is too deep/, error.message)
    assert_equal 101, error.depth
    assert_raises(Katsu::NestingError) { generate([[1]], max_nesting: 1) }
    assert_equal "[[1]]", generate([[1]], max_nesting: 2)
    assert_equal 200, generate(200.times.inject(1) { |inner, _| {"a" => inner} }, max_nesting: 0).count("{")
  end

  def test_a_structure_that_contains_itself
    list = [1]
    list << list
    hash = {"a" => 1}
    hash["me"] = hash
    assert_raises(Katsu::NestingError) { generate(list) }
    assert_raises(Katsu::NestingError) { generate(hash) }
    assert_raises(SystemStackError) { Katsu.generate(list, max_nesting: 0) } if normal_run?
  end

  def test_objects_that_answer_nothing
    assert_raises(NoMethodError) { generate(BasicObject.new) }
    basic = Class.new(BasicObject) { def to_json(*) = "1" }.new
    assert_equal "[1]", generate([basic])
    assert_equal %(["text"]), generate([Class.new(BasicObject) { def to_s = "text" }.new])
    assert_equal %(["asked"]), generate([basic], strict: true, as_json: ->(_object, _key) { "asked" })
    assert_raises(Katsu::GeneratorError) { generate([basic], strict: true) }
    assert_match(/\A\["#<Object:0x\h+>"\]\z/, generate([Object.new.tap do |object|
      object.define_singleton_method(:to_s) do
        5
      end
    end]))
    error = assert_raises(TypeError) do
      generate([Class.new do
        undef_method :to_json
        def to_s = 5
      end.new])
    end
    assert_match(/String/, error.message)
  end

  def test_an_io_that_fails
    failing = Class.new { def write(_) = raise(IOError, "closed stream") }.new
    assert_raises(IOError) { Katsu.dump([1], failing) }
    stuck = Class.new { def write(_) = 0 }.new
    error = assert_raises(Katsu::Error) { Katsu.dump([1], stuck) }
    assert_match(/took 0 of 3 bytes/, error.message)
  end

  # A class or module is named by its singleton class, as the json gem does.
  def test_values_that_strict_mode_refuses
    {Object => "#<Class:Object>", Object.new => "Object", (1..2) => "Range",
     Comparable => "#<Class:Comparable>"}.each do |value, name|
      error = assert_raises(Katsu::GeneratorError) { Katsu::Coder.new.dump([value]) }
      assert_equal "#{name} not allowed in JSON", error.message
    end
  end
end
