# frozen_string_literal: true

require "support/test_case"
require "open3"

# katsu/compat/json: a process with it and one without print the same.
class CompatJsonTest < TestCase
  LIB = File.expand_path("../../lib", __dir__)
  SCRIPT = <<~'RUBY'
    require "json"
    require "date"
    require "stringio"
    require "active_support/json" if ARGV.include?("rails")
    require "katsu/compat/json" if ARGV.include?("katsu")
    point = Struct.new(:x, :y)
    own = Class.new { def to_s = "own"; def to_json(*args) = {own: [1]}.to_json(*args) }
    values = [nil, 1, 1.5, "a\"</ü\u2028", :sym, [1, [2, {}]], {"a" => {b: [nil]}}, Date.new(2026, 1, 2), Time.at(0).utc, point.new(1, 2),
              own.new, [own.new, {k: own.new}], 1..2, Object, 2**70, "x".encode("UTF-16LE")]
    show = ->(name, &call) { puts "#{name}: #{begin; call.call.inspect; rescue Exception => e; [e.class, e.message[0, 11]].inspect; end}" }
    values.each_with_index do |value, i|
      show.("generate #{i}") { JSON.generate(value) }
      show.("pretty #{i}") { JSON.pretty_generate(value) }
      show.("dump #{i}") { JSON.dump(value) }
      show.("to_json #{i}") { value.to_json }
      show.("to_json state #{i}") { value.to_json(JSON::State.new(indent: "  ", array_nl: "\n")) }
      show.("options #{i}") { JSON.generate(value, script_safe: true, ascii_only: true, space: " ") }
      show.("coder #{i}") { JSON::Coder.new { |object| object.to_s }.dump(value) } if defined?(JSON::Coder)
    end
    show.("nan") { JSON.generate([Float::NAN]) }
    show.("nan dump") { JSON.dump([Float::NAN]) }
    show.("deep") { JSON.generate([[[1]]], max_nesting: 2) }
    show.("limit") { JSON.dump([[[1]]], 2) }
    show.("bytes") { JSON.generate(["\xFF"]) }
    show.("strict") { JSON.generate([Object.new], strict: true) }
    show.("io") { io = StringIO.new; JSON.dump({a: 1}, io); io.string }
    show.("state") { JSON::State.new(space: " ").generate({a: [1]}) }
    show.("state argument") { JSON.generate({a: 1}, JSON::State.new(space: " ")) }
    show.("hash options") { {a: [1]}.to_json(space: " ") }
    show.("mixed") { JSON.generate({"a" => 1, b: 2}) }
    show.("duplicate") { JSON.generate({"a" => 1, a: 2}) }
    show.("fragment") { JSON.generate([JSON::Fragment.new("[ 1 ]")]) } if defined?(JSON::Fragment)
    show.("parse") { JSON.parse(JSON.generate({"a" => 1})) }
    show.("unknown") { JSON.generate(1, nonsense: 1) }
  RUBY

  def output(*arguments)
    text, status = Open3.capture2e(RbConfig.ruby, "-I", LIB, "-e", SCRIPT, "--", *arguments)
    assert_predicate status, :success?, text
    text.lines
  end

  def assert_same_lines(expected, actual)
    assert_equal expected.size, actual.size
    expected.zip(actual) { |line, other| assert_equal line, other }
  end

  # Errors are compared by class and the beginning of the message; Katsu's goes on with the place.
  def test_the_same_with_and_without
    assert_same_lines output, output("katsu")
  end

  def test_the_same_with_and_without_under_active_support
    skip "--json-gem leaves Rails out" unless Gem.loaded_specs.key?("activesupport")

    assert_same_lines output("rails"), output("rails", "katsu")
  end
end
