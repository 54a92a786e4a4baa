# frozen_string_literal: true

require "support/test_case"
require "delegate"
require "open3"
require "rbconfig"

class ObjectWriterTest < TestCase
  def writer(klass = Katsu::ObjectWriter) = klass.new

  def test_builds_hashes_and_arrays
    output = watched do
      w = writer.push_object.push_value(1, "id").push_key("name").push_value("x")
      w.push_array("list").push_value(nil).push_json("[1]").push_object.pop.pop
      w.push_json("{\"a\":1}", "json").push_key("last").push_array.pop.pop
      w.output
    end
    assert_equal({"id" => 1, "name" => "x", "list" => [nil, [1], {}], "json" => {"a" => 1}, "last" => []}, output)
  end

  def test_keys_are_kept_as_they_are
    assert_equal({a: 1, 2 => {}}, writer.push_object.push_value(1, :a).push_object(2).pop.pop.output)
  end

  def test_keys_of_each_kind_are_left_out
    w = writer.push_object.push_value(1, :a).push_value(2, "b").push_value(3, 4).pop
    {{except: [:a]} => {"b" => 2, 4 => 3}, {except: %w[a 4]} => {"b" => 2}, {only: :a} => {a: 1},
     {only: %i[a b]} => {a: 1, "b" => 2}}.each do |options, expected|
      assert_equal expected, w.as_json(options)
      assert_equal Katsu.generate(expected), w.to_json(options)
    end
  end

  # What was pushed inside an Array or a Hash is not converted, and may be anything.
  def test_options_of_a_generator
    own = Class.new { def to_json(state = nil, *) = state ? %({"levels":#{state.depth}}) : "null" }.new
    w = writer.push_object.push_array("a").push_value(1.5).pop
    w.push_value({"t" => own, "s" => Set[1], "/" => "</é"}, "h").pop
    w.output["time"] = Time.utc(2026)
    w.output["list"] = [own, Struct.new(:x).new(1), Rational(1, 3)]
    [{}, {indent: " "}, {script_safe: true}, {ascii_only: true}, {sort_keys: true}, {max_nesting: 99},
     {allow_nan: true, object_nl: "\n"}, {space: " ", array_nl: " "}].each do |options|
      expected = Katsu.generate(w.output, options)
      assert_equal expected, Katsu.generate(w, options), options.inspect
      assert_equal expected, w.to_json(Katsu::State.new(options))
      assert_equal Katsu.generate([w.output], options), Katsu.generate([w], options)
    end
    assert_equal Katsu.pretty_generate(w.output), Katsu.pretty_generate(w)
    w = writer.push_array.pop
    w.output << Float::NAN
    assert_equal "[NaN]", Katsu.generate(w, allow_nan: true)
    [{}, {indent: " "}].each do |options|
      assert_raises(Katsu::GeneratorError) { Katsu.generate(w, options) }
    end
  end

  # As a Hash that is filled by Hash#[]=, key by key: its class, encoding and bytes. The native backend remembers short
  # keys that were pushed before.
  def test_keys_are_those_of_a_hash
    texts = ["", "a", "id", "key09", "key0", "created_at", "updated_at", "größe", "x" * 32, "y" * 33, "\xff", "a\0b"]
    encodings = [Encoding::UTF_8, Encoding::US_ASCII, Encoding::BINARY, Encoding::ISO_8859_1, Encoding::UTF_16LE]
    keys = encodings.product(texts).map { |encoding, text| text.dup.force_encoding(encoding) }
    keys += keys.map { |key| key.dup.freeze } + [Class.new(String).new("id"), "id".dup.tap { |key| def key.own = 1 }]
    2.times do |round|
      keys.each do |key|
        hash, w = {}, writer.push_object
        watched { w.push_value(round, key) }
        hash[key] = round
        ours, theirs = [w.pop.output, hash].map do |made|
          made.map { |k, value| [k.class, k.encoding, k.bytes, k.frozen?, k.valid_encoding?, value] }
        end
        assert_equal theirs, ours
      end
    end
  end

  def test_a_key_that_is_changed_after_it_was_pushed
    key = +"before"
    w = writer.push_object.push_value(1, key)
    key.replace("after!")
    assert_equal({"before" => 1, "after!" => 2}, w.push_value(2, key).pop.output)
  end

  # More than are remembered, in turn, while objects are moved and freed.
  def test_many_keys
    3.times do
      w = writer.push_array
      500.times { |i| w.push_object.push_value(i, "key#{i}").push_value(i, "#{i}key#{i}").pop }
      GC.start
      GC.compact if GC.respond_to?(:compact) && RUBY_ENGINE == "ruby"
      assert_equal Array.new(500) { |i| {"key#{i}" => i, "#{i}key#{i}" => i} }, w.pop.output
    end
  end

  def test_values_are_their_as_json
    value = Object.new
    def value.as_json = ["as", "json"]
    plain = Object.new
    plain.singleton_class.undef_method(:as_json) if plain.respond_to?(:as_json)
    pushed = writer.push_array.push_value(value).push_value(plain).push_value(2**70).push_value(false).push_json(value)
    assert_equal [["as", "json"], plain, 2**70, false, ["as", "json"]], pushed.pop.output
    own = Class.new(String) { def as_json(*) = "own" }
    assert_equal ["own"], writer.push_array.push_value(own.new("x")).pop.output
  end

  # Objects at even levels, arrays at odd ones.
  def test_many_levels
    w = writer
    watched do
      w.push_array
      20.times { |i| w.push_object.push_value(i, "n").push_array("list") }
      20.times { w.pop.pop }
      w.pop
    end
    assert_equal 19.downto(0).inject([]) { |inner, i| [{"n" => i, "list" => inner}] }, w.output
  end

  def test_values_after_each_of_many_levels
    w = writer.push_array
    6.times { w.push_array }
    6.times { |i| w.pop.push_value(i) }
    assert_equal (0..5).inject([]) { |inner, i| [inner, i] }, w.pop.output
  end

  def test_without_a_container
    assert_nil writer.output
    assert_equal 5, writer.push_value(5).output
    assert_equal [false, nil], [writer.push_value(false).output, writer.push_value(nil).output]
  end

  def test_a_complete_document
    [writer.push_object.push_value(1, "a").pop, writer.push_value(nil), writer.push_array.pop].each do |w|
      before = w.output
      [-> { w.push_array }, -> { w.push_object("a") }, -> { w.push_value(2) }, -> { w.push_json("[2]") }].each do |push|
        message = assert_raises(Katsu::Error, &push).message
        assert_equal "the document is complete; output returns it", message
      end
      before.nil? ? assert_nil(w.output) : assert_same(before, w.output)
    end
  end

  def test_misuse_is_named
    {
      "a value in an object needs a key" => ->(w) { w.push_object.push_value(1) },
      "push_value is called with key after push_key is called" => ->(w) {
        w.push_object.push_key("a").push_value(1, "b")
      },
      "a key needs an open object; an array is open" => ->(w) { w.push_array.push_object("a") },
      "a key needs an open object" => ->(w) { w.push_value(1, "a") },
      "push_key needs an open object" => ->(w) { w.push_object.push_array("a").push_key("x") },
      "push_key is called twice without a value" => ->(w) { w.push_object.push_key("x").push_key("y") },
      "pop after push_key without a value" => ->(w) { w.push_object.push_object("a").push_key("x").pop },
      "pop without an open object or array" => ->(w) { w.push_array.pop.pop },
      "Output is called before poping all" => ->(w) { w.push_array.output }
    }.each do |message, misuse|
      assert_equal message, assert_raises(Katsu::Error) { misuse.call(writer) }.message
    end
    ["push_object", "push_array", "push_value", "push_json"].each do |name|
      given = name == "push_value" || name == "push_json" ? ["1", "a"] : ["a"]
      error = assert_raises(Katsu::Error) { writer.public_send(name, *given) }
      assert_equal "a key needs an open object", error.message
    end
    assert_raises(Katsu::Error) { writer.push_key("a") }
    [nil, false].each do |none|
      error = assert_raises(Katsu::Error) { writer.push_object.push_key(none) }
      assert_equal "push_key needs a key", error.message
    end
    {push_object: 1, push_array: 1, push_value: 2}.each do |name, most|
      assert_raises(ArgumentError, name) { writer.public_send(name, *[nil] * (most + 1)) }
    end
    assert_raises(ArgumentError) { writer.push_value }
    assert_raises(NoMethodError) { writer.dup }
  end

  def test_writers_are_not_dumped
    assert_raises(TypeError) { Marshal.dump(writer) }
  end

  # What a JSON column accepts, and Writer writes.
  def test_json_that_is_pushed
    levels = "#{"[" * 500}1#{"]" * 500}"
    twice = %({"a":1,"b":2,"a":{"c":[],"c":null}})
    output = watched { writer.push_object.push_json(levels, "levels").push_key("twice").push_json(twice).pop.output }
    assert_equal [500, {"a" => {"c" => nil}, "b" => 2}], [output["levels"].inspect.count("["), output["twice"]]
    assert_equal [1.5, nil, "ü"],
                 writer.push_array.push_json(" 1.5 ").push_json("null").push_json("\"\\u00fc\"".b).pop.output
  end

  def test_levels_of_json
    text = ->(levels, inner) { "#{"[" * levels}#{inner}#{"]" * levels}" }
    {"1" => 512, "[]" => 511, "{}" => 511, '"]["' => 512, '{"a":[1]}' => 510}.each do |inner, deepest|
      assert_equal [JSON.parse(inner)], writer.push_json(text.(deepest, inner)).output.flatten(deepest - 1)
      error = assert_raises(Katsu::GeneratorError, inner) { writer.push_json(text.(deepest + 1, inner)) }
      assert_match(/nested too deep/, error.message)
    end
  end

  def test_json_that_is_none
    w = writer.push_object.push_key("a")
    ["{", "", "[1", "nope", "NaN", "\"\xff\"", "1 2", "#{"[" * 600}#{"]" * 600}"].each do |text|
      error = assert_raises(Katsu::Error, text) { w.push_json(text) }
      assert_match(/is not JSON, or nested too deep: /, error.message)
      assert_equal [text, Encoding::UTF_8], [error.invalid_object, error.message.encoding]
    end
    assert_equal({"a" => 1}, w.push_json("1").pop.output)
  end

  # They are no levels, whether the String ends or not.
  def test_brackets_in_strings
    assert_equal "[" * 600, writer.push_json("\"#{"[" * 600}\"").output
    ["\"", "\"\\\"", "\"\\"].each do |opening|
      refute Katsu::Cast::Json.too_deep?("#{"[" * 500}#{opening}#{"[" * 600}"), opening
      assert Katsu::Cast::Json.too_deep?("#{"[" * 513}#{opening}#{"[" * 600}"), opening
    end
    assert_raises(Katsu::Error) { writer.push_json("#{"[" * 600}\"#{"\\\"" * 100_000}") } # each of which ends no String
  end

  def test_a_refused_push_leaves_the_writer_as_it_was
    w = writer.push_object.push_object("a").push_key("x")
    [-> { w.push_key("y") }, -> { w.pop }].each { |push| assert_raises(Katsu::Error, &push) }
    assert_equal({"a" => {"x" => 1}}, w.push_value(1).pop.pop.output)
    w = writer.push_object
    assert_raises(Katsu::Error) { w.push_value(1) }
    assert_raises(Katsu::Error) { w.push_object }
    assert_equal({"a" => {}}, w.push_object("a").pop.pop.output)
  end

  def test_a_frozen_writer_stays_as_it_was
    w = writer.push_object.push_array("list").freeze
    [-> { w.push_value(1) }, -> { w.push_object }, -> { w.push_array }, -> { w.push_key("a") }, -> {
      w.pop
    }].each do |push|
      assert_raises(FrozenError, &push)
    end
    assert_equal [5], [writer.push_value(5).freeze.output]
  end

  def test_basic_objects_and_delegators
    bare = Class.new(BasicObject).new
    assert_same bare.__id__, writer.push_array.push_value(bare).pop.output.first.__id__
    asked = Class.new(BasicObject) { def as_json(*) = "asked" }.new
    delegator = SimpleDelegator.new(Class.new { def as_json(*) = "behind" }.new)
    assert_equal %w[asked behind], writer.push_array.push_value(asked).push_value(delegator).pop.output
  end

  def test_keys_that_say_they_are_nil
    key = Class.new { def nil? = true }.new
    assert_equal({key => 1}, writer.push_object.push_value(1, key).pop.output)
    assert_raises(Katsu::Error) { writer.push_object.push_key("a").push_value(1, key) }
  end

  def test_what_is_called_may_freeze_the_writer
    w = writer.push_object
    freezing = Object.new
    freezing.define_singleton_method(:hash) do
      w.freeze
      1
    end
    assert_raises(FrozenError) { w.push_object(freezing) }
    w = writer.push_array
    freezing.define_singleton_method(:as_json) { |*| w.freeze }
    assert_raises(FrozenError) { w.push_value(freezing) }
  end

  def test_what_is_called_may_push
    w = writer.push_array
    value = Object.new
    value.define_singleton_method(:as_json) do |*|
      w.push_object
      "inside"
    end
    assert_raises(Katsu::Error) { w.push_value(value) }
    key = Object.new
    pushed = false
    key.define_singleton_method(:hash) do
      w.push_array("from hash") unless pushed
      pushed = true
      1
    end
    w.push_object(key)
    4.times { w.pop }
    assert_equal [{"from hash" => [], key => {}}], w.output
  end

  def test_what_is_called_may_pop
    w = writer.push_object
    key = Object.new
    popped = false
    key.define_singleton_method(:hash) do
      w.pop unless popped
      popped = true
      1
    end
    w.push_object(key)
    assert_equal({"a" => 1}, w.push_value(1, "a").pop.output)
    assert_raises(Katsu::Error) { w.pop }
  end

  def test_subclasses_and_an_initialize_of_their_own
    klass = Class.new(Katsu::ObjectWriter) do
      attr_reader :name

      def initialize(name)
        super()
        @name = name
      end
    end
    w = klass.new("mine").push_object.push_value(1, "a").pop
    assert_equal ["mine", {"a" => 1}], [w.name, w.output]
    assert_raises(ArgumentError) { Katsu::ObjectWriter.new(1) }
  end

  def test_an_initialize_given_to_the_class_itself
    script = 'require "katsu"; class Katsu::ObjectWriter; def initialize = push_array; end; ' \
             "p Katsu::ObjectWriter.new.pop.output"
    output, = Open3.capture2e(RbConfig.ruby, "-W0", "-I", File.expand_path("../../lib", __dir__), "-e", script)
    assert_equal "[]\n", output
  end
end
