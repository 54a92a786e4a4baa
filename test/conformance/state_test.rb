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

  def test_other_options_are_set
    state = Katsu::State.new
    state.max_nesting = 0
    state.buffer_initial_length = 10
    state.sort_keys = true
    state.as_json = ->(object, _) { object.to_s }
    assert_equal [0, 10, true, false],
                 [state.max_nesting, state.buffer_initial_length, state.sort_keys, state.check_circular?]
    assert_equal "1", state.as_json.call(1, false)
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
