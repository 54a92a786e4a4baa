# frozen_string_literal: true

require "support/test_case"
require "stringio"

# Katsu::State as an object: what it is made of, and what can be asked of it and set.
class StateTest < TestCase
  LAYOUT = %i[indent space space_before object_nl array_nl].freeze
  FLAGS = %i[allow_nan ascii_only script_safe strict rfc8785 allow_duplicate_key].freeze

  # As JSON.generate does.
  def test_a_state_that_is_given_as_options_generates
    own = Class.new(Katsu::State) { def generate(value) = "own #{super}" }.new(space: " ")
    assert_equal 'own {"a": 1}', generate({a: 1}, own)
  end

  def test_defaults
    state = Katsu::State.new
    LAYOUT.each { |name| assert_equal "", state.public_send(name), name }
    FLAGS.each { |name| assert_equal [false, false], [state.public_send(name), state.public_send(:"#{name}?")], name }
    assert_equal [100, 1024, false, false, 0],
                 [state.max_nesting, state.buffer_initial_length, state.as_json, state.sort_keys, state.depth]
    assert_predicate state, :check_circular?
  end

  def test_layout_is_set
    LAYOUT.each do |name|
      state = Katsu::State.new
      state.public_send(:"#{name}=", " ")
      assert_equal " ", state.public_send(name), name
      assert_equal " ", state[name], name
    end
  end

  def test_flags_are_set
    FLAGS.each do |name|
      state = Katsu::State.new
      state.public_send(:"#{name}=", true)
      assert_equal [true, true, true], [state.public_send(name), state.public_send(:"#{name}?"), state[name.to_s]], name
    end
  end

  # json 2's name of script_safe. json's own methods, which x.to_json calls, read it in their part of the State.
  def test_escape_slash_is_script_safe
    state = Katsu::State.new(escape_slash: true)
    assert_equal [true, '["<\\/b>"]'], [state.script_safe?, ["</b>"].to_json(state)]
    assert_equal '"/"', state.configure(escape_slash: false).generate("/")
    assert_equal '"\\/"', state.configure(script_safe: true).generate("/")
    assert_equal '["\\/"]', generate([Struct.new(:text) { def to_json(state, *) = text.to_json(state) }.new("/")],
                                    escape_slash: true)
    assert_equal Katsu::State.new.to_h.keys, Katsu::State.new(escape_slash: true).to_h.keys
  end

  def test_other_options_are_set
    state = Katsu::State.new
    state.max_nesting = 0
    state.buffer_initial_length = 10
    state.sort_keys = true
    state.as_json = ->(object, _) { object.to_s }
    assert_equal [0, 10, false], [state.max_nesting, state.buffer_initial_length, state.check_circular?]
    assert_equal "1", state.as_json.call(1, false)
    assert_equal [["a", 1], ["b", 2]], state.sort_keys.call({"b" => 2, "a" => 1}).to_a if json_sorts?
    assert_equal [true, '{"a":1,"b":2}'], [state.to_h[:sort_keys], state.generate({b: 2, a: 1})]
    refute Katsu::State.new(sort_keys: nil).sort_keys
  end

  # json's State has a part of the options too, which json's own methods read.
  def test_options_that_are_taken_back
    state = Katsu::State.new(strict: true, as_json: ->(_object, _) { "P" }, buffer_initial_length: 99)
    [nil, false].each do |none|
      state.configure(as_json: none)
      assert_equal [false, false], [state.as_json, JSON::State.instance_method(:as_json).bind_call(state)]
    end
    [0, -3].each { |length| state.buffer_initial_length = length }
    state.configure(buffer_initial_length: 0)
    assert_equal 99, state.buffer_initial_length
    assert_raises(TypeError) { state.as_json = nil }
    [5, "x", :x, Object.new].each do |given|
      error = assert_raises(TypeError) { Katsu::State.new(given) }
      assert_equal "can't convert #{given.class} into Hash", error.message
      assert_raises(TypeError) { state.configure(given) }
    end
  end

  # Options are set one by one; whether they go together is found out by generate.
  def test_options_that_exclude_each_other
    state = Katsu::State.new
    state.indent = " "
    state.rfc8785 = true
    assert_raises(ArgumentError) { state.generate([1]) }
    state.indent = ""
    assert_equal "[1]", state.generate([1.0])
    assert_raises(ArgumentError) { Katsu::State.new(indent: " ", rfc8785: true) }
  end

  def test_from_state
    state = Katsu::State.new(space: " ")
    assert_same state, Katsu::State.from_state(state)
    [JSON::State.new(indent: "  ", object_nl: "\n"), {indent: "  ", object_nl: "\n"}].each do |options|
      made = Katsu::State.from_state(options)
      assert_equal [Katsu::State, "{\n  \"a\":1\n}"], [made.class, made.generate({a: 1})]
    end
    assert_equal [Katsu::State], [nil, false, 5].map { |options| Katsu::State.from_state(options).class }.uniq
  end

  def test_a_frozen_state_refuses_options
    state = Katsu::State.new.freeze
    assert_raises(FrozenError) { state.configure({}) }
    assert_raises(FrozenError) { state.configure(space: " ") }
    assert_raises(FrozenError) { state.space = " " }
    assert_equal "", state.space
  end

  def json_sorts?
    JSON::State.method_defined?(:sort_keys)
  end

  def test_to_h_has_every_option
    state = Katsu::State.new(indent: "  ")
    assert_equal Katsu::Generator::OPTIONS.sort, state.to_h.keys.sort
    assert_equal "  ", state.to_h[:indent]
    assert_equal state.to_h, state.to_hash
  end

  def test_configure_and_merge_return_the_state
    state = Katsu::State.new
    assert_same state, state.configure(space: " ")
    assert_same state, state.merge(strict: true)
    assert_equal [" ", true], [state.space, state.strict]
    assert_raises(ArgumentError) { state.configure(spcae: " ") }
  end

  def test_a_frozen_state_generates_at_its_depth
    state = Katsu::State.new(depth: 5, indent: " ", array_nl: "\n")
    state.depth = 0
    assert_equal "[\n 1\n]", state.freeze.generate([1])
    assert_equal "[\n  1\n ]", Katsu::State.new(depth: 1, indent: " ", array_nl: "\n").freeze.generate([1])
  end

  def test_generate
    assert_equal '{"a": 1}', Katsu::State.new(space: " ").generate({a: 1})
    assert_equal '{"a": 1}', Katsu::State.generate({a: 1}, {space: " "})
    io = StringIO.new
    assert_same io, Katsu::State.new.generate([1], io)
    assert_equal "[1]", io.string
  end
end
