# frozen_string_literal: true

require "support/test_case"

# The Hash of options that the caller has: it is read once, when the call begins.
class CallerOptionsTest < TestCase
  class Shown
    def to_json(state, *) = state.to_h.select { |_, value| value }.inspect.to_json
  end

  # What a to_json method shows of the State if the options change before the State is made.
  def shown(options, changed)
    key = Object.new
    key.define_singleton_method(:to_s) do
      options.replace(changed)
      "k"
    end
    JSON.parse(generate({key => Shown.new}, options))["k"]
  end

  def test_options_that_change_meanwhile
    given = {
      indent: " ", space: "  ", space_before: "   ", object_nl: "\n", array_nl: "\n\n", max_nesting: 7,
      buffer_initial_length: 10, allow_nan: true, ascii_only: true, script_safe: true, allow_duplicate_key: true,
      sort_keys: :itself.to_proc
    }
    given.each do |name, value|
      text = shown({name => value}, {space: "other", nonsense: true})
      assert_equal Katsu::State.new(name => value, depth: 1).to_h.select { |_, set| set }.inspect, text, name
    end
  end

  def test_options_with_a_default
    [Hash.new(true), Hash.new { raise "not given" }].each do |options|
      assert_equal '["/",1]', generate(["/", 1], options)
      assert_equal '{"a":["/"]}', generate({a: ["/"]}, options.merge(script_safe: false))
      assert_equal '["/"]', Katsu::State.new(options).generate(["/"])
      assert_equal "[\n  1\n]", Katsu.pretty_generate([1], options)
    end
  end
end
