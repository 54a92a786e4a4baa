# frozen_string_literal: true

require "support/test_case"
require "timeout"

# Values whose own to_json, to_s or as_json is called, and what they may do meanwhile.
class ToJsonTest < TestCase
  class Calls
    def initialize(&block) = @block = block
    def to_json(state = nil, *) = @block.call(state)
  end

  def calls(&block) = Calls.new(&block)

  def test_the_state_tells_depth_and_options
    seen = nil
    value = calls do |state|
      seen = [state.class, state.depth, state.indent, state.script_safe?]
      "0"
    end
    generate([[{"a" => value}]], indent: "  ", script_safe: true)
    assert_equal [Katsu::State, 3, "  ", true], seen
    assert_kind_of JSON::State, Katsu::State.new
  end

  def test_what_a_method_generates_with_the_state_is_at_its_depth
    inner = {"x" => [1, {"y" => 2}]}
    ways = [->(state) { state.generate(inner) }, ->(state) { Katsu.generate(inner, state) },
            ->(state) { JSON.generate(inner, state) }, ->(state) { inner.to_json(state) }]
    ways.each do |way|
      expected = JSON.pretty_generate([{"k" => inner}])
      assert_equal expected, watched { Katsu.pretty_generate([{"k" => calls(&way)}]) }
    end
  end

  # More than the native backend remembers.
  def test_many_classes_in_one_document
    own = Array.new(10) { |index| Class.new { define_method(:to_json) { |*| "\"own #{index}\"" } } }
    texts = Array.new(10) { Class.new { def to_s = "text" } }
    [own, texts, own.zip(texts).flatten, texts.zip(own).flatten].each do |classes|
      values = classes.map(&:new) * 2
      assert_equal JSON.generate(values), generate(values)
    end
  end

  def test_one_state_a_call
    states = []
    value = calls do |state|
      states << state
      "1"
    end
    generate([value, [value], {"a" => value}])
    assert_equal 3, states.size
    assert_equal 1, states.uniq(&:object_id).size
  end

  def test_a_state_that_is_frozen
    freezing = Class.new do
      def initialize(value) = @value = value
      def to_json(state = nil, *) = state.freeze.generate(@value)
    end
    values = [freezing.new([1]), [freezing.new({"a" => [freezing.new(2)]})], freezing.new(3)]
    assert_equal '[[1],[{"a":[2]}],3]', watched { generate(values) }
    assert_equal "[\n [\n  1\n ],\n [\n  {   \"a\":[\n    2\n   ]}\n ],\n 3\n]",
                 watched { generate(values, indent: " ", array_nl: "\n") }
  end

  def test_arguments_of_to_json
    none = Class.new { def to_json = "1" }.new
    any = Class.new { def to_json(*) = "2" }.new
    assert_raises(ArgumentError) { generate([none]) }
    assert_equal "[2]", generate([any])
  end

  # Proxies that answer by method_missing, and say so by a respond_to? of their own.
  def test_proxies
    proxy = Module.new do
      def initialize(object) = @object = object
      def respond_to?(name, all = false) = @object.respond_to?(name, all)
      def method_missing(name, *given, &block) = @object.public_send(name, *given, &block)
    end
    kinds = [Class.new(BasicObject) { include proxy }, Class.new { include(proxy) && undef_method(:to_json) }]
    kinds.each do |kind|
      [{a: 1}, [1], "text", nil].each do |object|
        assert_equal JSON.generate([kind.new(object)]), generate([kind.new(object)])
      end
    end
  end

  # They are their to_s, which is taken as Ruby takes a String; by json, too, since 3.1.
  def test_objects_whose_class_has_no_to_json
    text = Struct.new(:to_str)
    kind = Struct.new(:to_s) { undef_method :to_json }
    {"a" => "a", "é".encode("UTF-16LE") => "é", Class.new(String).new("b") => "b", text.new("c") => "c"}
      .each { |answer, written| assert_equal %(["#{written}"]), generate([kind.new(answer)]) }
    [5, nil, text.new(1)].each do |wrong|
      error = assert_raises(TypeError) { generate([kind.new(wrong)]) }
      next if JSON::VERSION < "3.1" || RUBY_ENGINE == "jruby"

      assert_equal assert_raises(TypeError) { JSON.generate([kind.new(wrong)]) }.message, error.message
    end
  end

  def test_symbols_with_a_to_json
    Symbol.define_method(:to_json) { |*| '"own"' }
    [[:a], {b: :c}, :d, ["made #{1}".to_sym]].each { |value| assert_equal JSON.generate(value), generate(value) }
  ensure
    Symbol.remove_method(:to_json)
  end

  # As a to_json that loads other files may do.
  def test_methods_that_a_to_json_defines
    [JSON.method(:generate), method(:generate)].each do |generate|
      text = Class.new { def to_s = "text" }
      one = text.new
      defining = calls do
        text.define_method(:to_json) { |*| '"own"' }
        Symbol.define_method(:to_json) { |*| '"symbol"' }
        "0"
      end
      assert_equal '["text","a",0,"own","symbol",{"b":"own"}]', generate.call([one, :a, defining, one, :a, {b: one}])
    ensure
      Symbol.remove_method(:to_json)
    end
  end

  def test_a_to_json_that_raises_leaves_nothing_behind
    bad = calls { |_| raise KeyError, "mine" }
    3.times { assert_raises(KeyError) { generate([[bad]]) } }
    assert_equal "[[1]]", generate([[1]])
  end

  def test_a_to_json_that_throws_or_breaks
    assert_equal :out, catch(:done) { generate([calls { throw :done, :out }]) }
    assert_equal 5, [1].each { break 5 if generate([calls { "1" }]) }
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { generate([calls { sleep 5 }]) } }
  end

  def test_a_to_json_that_gives_no_string
    error = assert_raises(TypeError) { generate([calls { 5 }]) }
    assert_match(/ToJsonTest::Calls#to_json gave Integer, expected a String/, error.message)
    assert_raises(TypeError) { generate(calls { nil }) }
  end

  def test_the_array_being_walked_may_change
    array = [calls do
      array.clear
      "1"
    end, 2, 3]
    assert_equal "[1]", generate(array)
    grown = [calls do
      grown.push(9) if grown.size < 4
      "1"
    end, 2]
    assert_equal "[1,2,9]", generate(grown)
    replaced = [calls do
      replaced.replace(["x"] * 5000)
      "1"
    end, 2]
    assert_equal 5000, JSON.parse(generate(replaced)).size
    frozen = [calls do
      frozen.freeze
      "1"
    end, 2]
    assert_equal "[1,2]", generate(frozen)
    shrunk = ["y" * 200_000] * 12 + [calls do
      shrunk.pop(5)
      "1"
    end] + ["z" * 300_000] * 8
    assert_equal "[#{(["\"#{"y" * 200_000}\""] * 12 + ["1"] + ["\"#{"z" * 300_000}\""] * 3).join(",")}]",
                 generate(shrunk)
  end

  def test_the_hash_being_walked_may_change
    hash = {"a" => calls do
      hash.delete("b")
      "1"
    end, "b" => 2, "c" => 3}
    assert_equal %({"a":1,"c":3}), generate(hash)
    shifted = {"a" => calls do
      shifted.delete("a")
      "1"
    end, "b" => 2, "c" => 3}
    assert_equal %({"a":1,"b":2,"c":3}), generate(shifted)
    cleared = {"a" => calls do
      cleared.clear
      "1"
    end, "b" => 2}
    assert_equal %({"a":1}), generate(cleared)
    replaced = {"a" => calls do
      replaced["b"] = 5
      "1"
    end, "b" => 2}
    assert_equal %({"a":1,"b":5}), generate(replaced)
    [{}, (1..20).to_h { |i| [i.to_s, i] }].each do |others|
      grown = {"a" => calls do
        grown["new"] = 1
        "1"
      end, **others}
      assert_raises(RuntimeError) { generate(grown) }
    end
    swapped = {"a" => calls do
      swapped.delete("a")
      swapped["new"] = 1
      "1"
    end}
    assert_raises(RuntimeError) { generate(swapped) }
  end

  # Behind the new key comes one that was there.
  def test_a_new_key_of_a_hash_being_walked_before_another
    hash = {"a" => 1, "b" => calls do
      hash.delete("a")
      hash["new"] = 1
      hash["a"] = 1
      "1"
    end}
    assert_raises(RuntimeError) { generate(hash) }
  end

  # The native backend copies Hashes of so many pairs: the new key is the first value.
  def test_a_key_of_a_hash_being_walked_that_was_a_value
    hash = {"a" => :new, "b" => calls do
      hash.delete("c")
      hash[:new] = 1
      "1"
    end, **(1..6).to_h { |i| [i.to_s, i] }, "c" => 2}
    hash.delete("6")
    assert_equal 8, hash.size
    assert_raises(RuntimeError) { generate(hash) }
  end

  def test_collection_and_allocation_inside_to_json
    value = calls do
      GC.start
      Array.new(20) { "x" * 100 }
      "1"
    end
    assert_equal "[#{(["{\"k\":1}"] * 20).join(",")}]", generate([{"k" => value}] * 20)
  end

  def test_generating_inside_generating
    value = calls { |_| Katsu.generate({"deep" => ["x" * 3000]}) }
    assert_equal [{"deep" => ["x" * 3000]}] * 3, JSON.parse(generate([value] * 3))
  end

  def test_a_fiber_switch_inside_to_json
    fiber = Fiber.new do
      generate([calls do
        Fiber.yield
        "1"
      end, [2]])
    end
    fiber.resume
    assert_equal "[3]", generate([3])
    assert_equal "[1,[2]]", fiber.resume
  end

  def test_a_killed_thread
    reached = Queue.new
    thread = Thread.new do
      Katsu.generate([calls do
        reached << 1
        sleep
      end])
    end
    Timeout.timeout(30) { reached.pop }
    thread.kill.join
    assert_equal "[1]", generate([1])
  end

  def test_strict_and_as_json
    assert_raises(Katsu::GeneratorError) { generate([Object.new], strict: true) }
    assert_equal %(["a",{"b":1}]), generate([:a, {b: 1}], strict: true)
    as_json = ->(object, is_key) { is_key ? "key" : object.class.name }
    assert_equal %({"key":"Object"}), generate({Object.new => Object.new}, strict: true, as_json: as_json)
    assert_raises(Katsu::GeneratorError) { generate([Object.new], strict: true, as_json: ->(object, _) { object }) }
  end

  def test_coder
    coder = Katsu::Coder.new { |object, is_key| is_key ? object.to_s : [object.class.name] }
    document = {1 => Time.at(0), nil => [1..2, :a, Float::NAN]}
    assert_equal %({"1":["Time"],"":[["Range"],"a",["Float"]]}), watched { coder.dump(document) }
    if defined?(JSON::Coder)
      assert_equal JSON::Coder.new { |object, is_key|
        is_key ? object.to_s : [object.class.name]
      }.dump(document), coder.dump(document)
    end
    io = StringIO.new
    assert_same io, coder.dump([1], io)
    assert_equal "[1]", io.string
    assert_raises(ArgumentError) { Katsu::Coder.new(strict: false) }
  end

  def test_fragment
    assert_equal "[{\"a\": 1}]", generate([Katsu::Fragment.new("{\"a\": 1}")])
    assert_equal "[2]", JSON.generate([Katsu::Fragment.new("2")])
    assert_raises(TypeError) { Katsu::Fragment.new(5) }
  end

  # Those of the json gem too.
  def test_fragments_in_documents
    serializer = Class.new(Katsu::Serializer) { attributes :a }
    [Katsu::Fragment, (JSON::Fragment if defined?(JSON::Fragment))].compact.each do |fragment|
      object = {a: fragment.new("{\"b\": [1]}")}
      assert_equal "{\"a\":{\"b\": [1]}}", serializer.new.serialize_to_json(object)
      assert_equal({"a" => {"b" => [1]}}, serializer.new.serialize(object))
      deep = "#{"[" * 300}#{"]" * 300}"
      assert_equal({"a" => {"b" => 2}}, serializer.new.serialize({a: fragment.new('{"b":1,"b":2}')}))
      assert_equal %({"a":#{deep}}), serializer.new.serialize_to_json({a: fragment.new(deep)})
      assert_equal deep, JSON.generate(serializer.new.serialize({a: fragment.new(deep)})["a"], max_nesting: 0)
    end
  end

  def test_state_reads_and_writes_options
    state = Katsu::State.new(indent: "\t", max_nesting: 5)
    assert_equal ["\t", 5, false], [state.indent, state.max_nesting, state.strict?]
    state.space = " "
    copy = state.dup
    copy.space = ""
    assert_equal ["\t", " ", 0], state.to_h.values_at(:indent, :space, :depth)
    assert_equal "", copy.space
    state.merge(array_nl: "\n")
    assert_equal "[\n\t1\n]", watched { state.generate([1]) }
    assert_raises(ArgumentError) { state.configure(nope: 1) }
    assert_raises(FrozenError) { Katsu::State.new.freeze.indent = " " }
    assert_equal "[1]", Katsu::State.new.freeze.generate([1])
  end

  # As json 3.1 reads them.
  def test_state_readers_give_what_counts
    {indent: [nil, ""], space: [false, ""], max_nesting: [nil, 0], strict: [1, true], script_safe: ["yes", true],
     allow_nan: [nil, false], buffer_initial_length: [0, 1024]}.each do |name, (given, read)|
      assert_equal [read, read], Katsu::State.new(name => given).then { |state|
        [state.public_send(name), state.to_h[name]]
      }, name
    end
    refute_predicate Katsu::State.new(max_nesting: false), :check_circular?
    assert_respond_to Katsu::State.new(strict: true, as_json: :to_s).as_json, :call
    indent = +"  "
    state = Katsu::State.new(indent: indent)
    indent << "x"
    assert_equal "  ", state.indent
  end

  def test_one_state_in_two_threads_does_not_mix_documents
    state = Katsu::State.new
    slow = calls do
      Thread.pass
      "0"
    end
    documents = Array.new(4) { |i| [[i] * 50, slow, [slow, "t#{i}" * 20]] }
    results = documents.map { |document| Thread.new { Array.new(20) { state.generate(document) } } }.map(&:value)
    documents.zip(results) { |document, result| assert_equal [Katsu.generate(document)], result.uniq }
  end

  class Nesting
    def initialize(value) = @value = value
    def to_json(state = nil, *) = Katsu.generate({v: @value}, state)
  end

  # A Fiber has little stack.
  def test_levels_of_hashes_of_many_pairs_in_a_fiber
    skip "a build with more stack for each call" unless native? && normal_run?

    value = 600.times.inject(1) { |inner, _| (0..8).to_h { |i| [i.to_s, i] }.merge("z" => inner) }
    assert_equal 600, Fiber.new { Katsu.generate(value, max_nesting: 0) }.resume.count("z")
  end

  # Its stack is small.
  def test_as_many_levels_of_to_json_as_are_allowed_in_a_fiber
    skip "sanitizers and valgrind take more of the stack" unless normal_run?
    skip "Ruby 3.1 has no room for so many levels of the ruby backend" unless native? || RUBY_VERSION >= "3.4"

    value = 95.times.inject(1) { |inner, _| Nesting.new(inner) }
    assert_equal "#{'{"v":' * 95}1#{"}" * 95}", Fiber.new { Katsu.generate(value) }.resume
  end

  # As each object says.
  class Answering
    def initialize(answer) = @answer = answer
    def respond_to?(name, *) = name == :to_json ? @answer : super
    def to_json(*) = "1"
    def to_s = "text"
  end

  def test_objects_that_say_whether_they_have_a_to_json
    [[false, false, true], [true, false, true]].each do |answers|
      written = answers.map { |answer| answer ? 1 : "text" }.to_json
      assert_equal written, generate(answers.map { |answer| Answering.new(answer) })
    end
  end

  class Deep
    def to_json(state = nil, *) = state.depth.to_s
  end

  def test_the_depth_that_objects_are_given
    deep = Deep.new
    document = [deep, [deep, {"a" => deep, "b" => [deep, 1.5, deep]}, deep], deep, {"c" => [deep]}, deep]
    assert_equal "[1,[2,{\"a\":3,\"b\":[4,1.5,4]},2],1,{\"c\":[3]},1]", generate(document)
  end
end
