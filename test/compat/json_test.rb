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
    values = [nil, 1, 1.5, "a\"</ü\u2028", :sym, [1, [2, {}]], {"a" => {b: [nil]}}, Date.new(2026, 1, 2),
              Time.at(0).utc, point.new(1, 2), own.new, [own.new, {k: own.new}], 1..2, Object, 2**70,
              "x".encode("UTF-16LE")]
    from = ->(version) { Gem::Version.new(JSON::VERSION) >= Gem::Version.new(version) }
    described = lambda do |error|
      # json 3.0 says one level less than it met; 3.1 mended that.
      told = JSON::JSONError === error && JSON::VERSION.to_i >= 3
      told &&= !(JSON::NestingError === error && JSON::VERSION.start_with?("3.0."))
      [error.class, *(told ? [error.message, error.cause.class] : error.message[0, 11])]
    end
    show = lambda do |name, &call|
      result = call.call
    rescue Exception => e
      result = described.(e)
    ensure
      puts "#{name}: #{result.inspect}"
    end
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
    show.("limit and option") { JSON.dump([[1]], nil, 1, {max_nesting: 5}) } if from.("2.10")
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
    show.("no options") { [JSON.generate([1], false), JSON.generate([1], {})] }
    show.("wrong options") { begin; JSON.generate([1], 5); rescue TypeError; "TypeError"; end }
    deep = 150.times.inject(1) { |inner, _| [inner] }
    show.("deep dump") { JSON.dump(deep) }
    twice = {"a" => 1, a: 2}
    show.("duplicates") { JSON.dump(twice) }
    show.("duplicates by to_json") { twice.to_json }
    show.("duplicates by a coder") { JSON::Coder.new.dump(twice) } if defined?(JSON::Coder)
    if from.("2.10")
      show.("dump options") { [JSON.dump([1], {array_nl: "\n"}), JSON.dump([1], nil, nil, {array_nl: "\n"})] }
      show.("dump options, an io") { JSON.dump([1], StringIO.new, {script_safe: true}).string }
      show.("unknown dump option") { JSON.dump([1], nil, nil, {foo: 1}) }
    end
    block = ->(object, _is_key) { String === object ? object.scrub("?") : object }
    from_31 = from.("3.1")
    show.("bytes by to_json") { "a\xFF".to_json(strict: true, as_json: block) } if from_31
    subclasses = [Class.new(Array)[1], Class.new(String).new("x"), Class.new(Hash)["a", 1]]
    subclasses.each_with_index do |value, i|
      given = ->(_object, _is_key) { value }
      show.("bytes by to_json, a subclass #{i}") { "a\xFF".to_json(strict: true, as_json: given) } if from_31
    end
    show.("bytes of keys") { JSON.generate({"a\xFF" => 1}, strict: true, rfc8785: true, as_json: block) } if from_31
    show.("frozen coder") { JSON::Coder.new { |object| object.to_s }.freeze.dump([Object]) } if from.("2.15")
    show.("shareable coder") { Ractor.make_shareable(JSON::Coder.new).dump([1]) } if from.("2.15")
    show.("no text") { o = Object.new; def o.to_s = 5; o.to_json[0, 10] } if from.("2.21")
    rescuing = Object.new
    def rescuing.to_json(state) = state.generate([Float::NAN]) rescue JSON::GeneratorError && "\"rescued\""
    show.("rescued") { JSON.generate([rescuing]) }
    $VERBOSE = nil
    in_ractor = lambda do
      ractor = Ractor.new { [1].to_json + JSON.generate({"a" => [nil]}) }
      ractor.respond_to?(:value) ? ractor.value : ractor.take
    end
    show.("in a Ractor", &in_ractor) unless ARGV.include?("rails")
    if JSON.respond_to?(:dump_default_options=) || JSON.respond_to?(:dump_default_options)
      JSON.dump_default_options = {max_nesting: 2, space: " ", script_safe: true} rescue nil
      show.("set options") { [JSON.dump({"a" => "/"}), (JSON.dump([[[1]]]) rescue $!.class)] }
    end
  RUBY

  # What a to_json method generates: its errors in the document around it.
  PLACES = <<~'RUBY'
    require "katsu/compat/json"
    nan = Class.new { def to_json(state = nil, *) = state.generate({x: Float::NAN}) }
    bytes = Class.new { def to_json(state = nil, *) = JSON.generate({x: ["\xff"]}, state) }
    deep = Class.new { def to_json(state = nil, *) = state.generate([[1]]) }
    by_katsu = Class.new { define_method(:to_json) { |state = nil, *| Katsu.generate({y: nan.new}, state) } }
    rescuing = Class.new do
      define_method(:to_json) { |state = nil, *| state.generate([nan.new]) rescue "\"#{$!.class}\"" }
    end
    show = lambda do |&call|
      puts call.call
    rescue JSON::JSONError, Katsu::Error => e
      puts "#{e.class} #{e.inspect[/\((.*)\)/, 1]} #{e.cause.inspect}"
    end
    show.() { JSON.generate({a: [nan.new]}) }
    show.() { JSON.generate({a: [bytes.new]}) }
    show.() { JSON.generate({a: [deep.new]}, max_nesting: 3) }
    show.() { JSON.generate([by_katsu.new]) }
    show.() { JSON.generate(nan.new) }
    show.() { JSON.generate([rescuing.new]) }
    show.() { Katsu.generate({a: [nan.new]}) }
    show.() { Katsu.generate(nan.new) }
    show.() { Katsu.generate([Float::NAN], Katsu::State.new) }
    show.() { Katsu.generate(nan.new, Katsu::State.new) }
    show.() { Katsu.pretty_generate([bytes.new], Katsu::State.new) }
    show.() { Katsu::State.new.generate([Float::NAN]) }
  RUBY

  def test_errors_within_a_to_json
    assert_equal [
      "JSON::GeneratorError in a[0].x nil", "JSON::GeneratorError in a[0].x[0], at byte 0 nil",
      "JSON::NestingError under a[0][0] nil", "JSON::GeneratorError in [0].y.x nil", "JSON::GeneratorError in x nil",
      '["JSON::GeneratorError"]', "Katsu::GeneratorError in a[0].x nil", "Katsu::GeneratorError in x nil",
      "Katsu::GeneratorError in [0] nil", "Katsu::GeneratorError in x nil",
      "Katsu::GeneratorError in [0].x[0], at byte 0 nil", "JSON::GeneratorError in [0] nil"
    ], output(script: PLACES).map(&:chomp)
  end

  def output(*arguments, script: SCRIPT)
    text, status = Open3.capture2e(RbConfig.ruby, "-I", LIB, "-e", script, "--", *arguments)
    assert_predicate status, :success?, text
    text.lines
  end

  def assert_same_lines(expected, actual)
    assert_equal expected.size, actual.size
    expected.zip(actual) { |line, other| assert_equal line, other }
  end

  # Errors are compared by class, those of json by message and cause.
  def test_the_same_with_and_without
    assert_same_lines output, output("katsu")
  end

  def test_the_same_with_and_without_under_active_support
    skip "--json-gem leaves Rails out" unless Gem.loaded_specs.key?("activesupport")

    assert_same_lines output("rails"), output("rails", "katsu")
  end
end
