# frozen_string_literal: true

require "support/test_case"
require "bigdecimal"
require "date"
require "set"
require "time"

# Katsu.generate against JSON.generate: the same bytes.
class GenerateTest < TestCase
  Point = Struct.new(:x, :y)

  class Loud < String
    def to_json(*) = "\"LOUD\""
  end

  class ListOfOwn < Array; end
  class HashOfOwn < Hash; end

  class WithToS
    def to_s = "by to_s"
  end

  class WithToH
    def to_h = {a: 1}
    def to_json(*args) = to_h.to_json(*args)
  end

  VALUES = {
    "nil" => nil, "true" => true, "false" => false, "zero" => 0, "negative" => -17,
    "fixnum limits" => [2**62 - 1, -(2**62)],
    "bignum" => [2**62, 2**64, -(2**80)], "digits" => (0..19).flat_map { |n| [10**n - 1, 10**n, -(10**n)] },
    "empty" => [[], {}, "", [[]], [{}], {"" => ""}], "nested" => {"a" => [1, {"b" => [nil, true, {"c" => "d"}]}]},
    "symbols" => {key: :value, "other" => [:a, :"with space", :"ü"]},
    "keys" => {nil => 1, 2 => 3, 4.5 => 6, true => 7, Object => 8},
    "floats" => [0.0, -0.0, 1.0, 0.1, 100.0, 1e14, 1e15, 123_456_789_012_345.6, 1e16, 1e20, 1e-5, 1.5e-9, 1e-10, 5e-324,
                 1.7976931348623157e308],
    "text" => ["plain", "quote\"", "back\\slash", "slash/", "tab\t", "nul\0", "\e\x7f", "\u2028\u2029", "ü€漢😀",
               "\x1f" * 40],
    "long text" => ["a" * 15, "a" * 16, "a" * 17, "a" * 63, "a" * 64, "a" * 129, "#{"a" * 100}\"#{"b" * 100}",
                    "ü" * 500, "\n" * 300, "#{"x" * 31}\\" * 20],
    "struct" => Point.new(1, 2), "set" => Set[1, 2], "range" => (1..3), "class" => String, "time" => Time.at(0).utc,
    "date" => Date.new(2026, 1, 2), "rational" => 1/3r, "complex" => 1+2i, "bigdecimal" => BigDecimal("1.5"),
    "subclasses" => [Loud.new("x"), ListOfOwn[1, 2], HashOfOwn[{a: 1}]], "to_s" => WithToS.new,
    "to_h" => {k: [WithToH.new]},
    "exception" => StandardError.new("boom"),
    "fragment" => defined?(JSON::Fragment) ? [JSON::Fragment.new("[1, 2]")] : []
  }.freeze

  VALUES.each do |name, value|
    define_method(:"test_#{name.tr(" ", "_")}") do
      exponents = JSON.generate(1e21) == "1e+21"
      skip "json #{JSON::VERSION} prints exponents in another form" if name == "floats" && !exponents

      assert_equal JSON.generate(value), generate(value)
      assert_equal JSON.pretty_generate(value), watched { Katsu.pretty_generate(value) }
    end
  end

  OPTIONS = {
    "script_safe" => {script_safe: true}, "ascii_only" => {ascii_only: true},
    "both" => {script_safe: true, ascii_only: true},
    "sort_keys" => {sort_keys: true}, "sort_block" => {sort_keys: ->(hash) { hash.to_a.reverse.to_h }},
    "indent" => {indent: "\t", array_nl: "\n"}, "space" => {space: " ", space_before: "  "},
    "object_nl" => {object_nl: "\n", indent: " "},
    "indent of many bytes" => {indent: "-> ", array_nl: "\r\n", object_nl: "\n\n"},
    "wide indent" => {indent: "\u3000", array_nl: "\n", object_nl: "\n", space: "\u00a0"},
    "long indent" => {indent: "\t" * 40, array_nl: "\n", object_nl: "\n"},
    "pretty ascii" => {indent: " ", object_nl: "\n", ascii_only: true},
    "pretty script_safe" => {space: " ", array_nl: "\n", script_safe: true}, "canonical" => {rfc8785: true},
    "depth" => {depth: 3, indent: "  ", array_nl: "\n", object_nl: "\n"}, "none" => {},
    "buffer" => {buffer_initial_length: 100_000}
  }.freeze
  DOCUMENT = {"b" => ["</script>", "ü\u2028😀/", "\u{10000}\u{3ffff}\u{40000}\u{10ffff}", "x" * 40 + "é",
                      {"z" => 1, "a" => [2, {}], "m" => []}],
              "a" => [1.5, 1e14, -3, nil], "" => "\u007f\0"}.freeze

  # What the json gem at hand has not, though it may take it without a word.
  MISSING = {sort_keys: !JSON::State.method_defined?(:sort_keys),
             rfc8785: Gem::Version.new(JSON::VERSION) < Gem::Version.new("3.1")}.select { |_, missing| missing }.keys

  OPTIONS.each do |name, options|
    define_method(:"test_option_#{name}") do
      skip "json #{JSON::VERSION} has no #{name}" if options.keys.any? { |key| MISSING.include?(key) }

      assert_equal JSON.generate(DOCUMENT, options), generate(DOCUMENT, options)
    end
  end

  def test_every_byte_and_escape_position
    (0..127).each do |code|
      [0, 7, 15, 16, 31, 40].each do |position|
        text = "a" * position + code.chr + "b" * (position % 5)
        [{}, {script_safe: true}, {ascii_only: true}].each do |options|
          assert_equal JSON.generate(text, options), Katsu.generate(text, options)
        end
      end
    end
  end

  # Among those of three bytes only two are escaped in scripts.
  def test_characters_of_three_bytes_in_scripts
    all = [*0x2000..0x2fff, 0x800, 0xffff].map { |code| [code].pack("U") }
    [all, all.map { |text| "a#{text}" }, [all.join], [all.reverse.join("-")]].each do |texts|
      assert_equal JSON.generate(texts, script_safe: true), generate(texts, script_safe: true)
    end
  end

  def test_lengths_with_and_without_escapes
    (0..140).each do |length|
      text = "é" + "x" * length
      assert_equal JSON.generate([text, text + "\"", "\n" + text]), generate([text, text + "\"", "\n" + text])
    end
  end

  def test_result_is_utf8_and_knows_its_code_range
    assert_equal Encoding::UTF_8, generate(["ü"]).encoding
    assert_predicate generate(["ü"]), :valid_encoding?
    refute_predicate generate(["ü"]), :ascii_only?
    assert_predicate generate(["u", {a: "b"}]), :ascii_only?
    assert_predicate generate("x" * 100_000), :ascii_only?
    assert_equal "ü" * 9000, JSON.parse(generate("ü" * 9000))
    refute_predicate generate([1]), :frozen?
  end

  def test_encodings
    ["ü".encode("ISO-8859-1"), "ü€".encode("UTF-16LE"), "ü".encode("UTF-32BE"), "€".encode("Windows-1252"), "abc".b,
     "abc".encode("US-ASCII")].each do |text|
      assert_equal JSON.generate([text]), generate([text])
      assert_equal JSON.generate({text => 1}), generate({text => 1})
    end
  end

  # More than the native backend keeps, of every length around what it keeps, twice: as they are met and as they are
  # known.
  def test_symbols_as_keys
    texts = Array.new(40) { |length| "k" * length } + Array.new(3000) { |number| "name_#{number}" } +
      ["a\"b", "tab\t", "\u00fc", "a/b", "x" * 19 + "\\"]
    symbols = eval("[#{texts.map { |text| ":#{text.dump}" }.join(", ")}]", binding, __FILE__,
                   __LINE__) # in code, so that they stay
    hashes = symbols.each_slice(50).map { |keys| keys.to_h { |key| [key, 1] } } + symbols.map { |key| {key => "v"} } +
      Array.new(50) { |number| {"made #{number}".to_sym => nil} } + [{"s" => 1, name_1: 2}, {name_1: 2, "s" => 1}]
    2.times { assert_equal JSON.generate(hashes), generate(hashes) }
    assert_equal JSON.generate(hashes, script_safe: true), generate(hashes, script_safe: true)
    assert_equal JSON.pretty_generate(hashes), Katsu.pretty_generate(hashes)
  end

  def test_keys_of_own_classes
    key = Class.new { def to_s = "own" }.new
    assert_equal %({"own":1}), generate({key => 1})
    assert_equal JSON.generate({Loud.new("x") => 1}), generate({Loud.new("x") => 1})
  end

  def test_large_documents
    document = Array.new(3000) { |i| {"id" => i, "name" => "name #{i}", "tags" => ["ü"] * (i % 4), "score" => i / 7.0} }
    assert_equal JSON.parse(JSON.generate(document)), JSON.parse(generate(document))
  end

  # What an array will take is foretold by its first elements.
  def test_arrays_whose_elements_are_not_alike
    small = Array.new(500) { |i| [i, "x"] }
    large = ["y" * 50_000, {"z" => ["\n" * 9000] * 20}]
    [small + large, large + small, small + large + small, {"a" => small, "b" => large * 20, "c" => [small] * 20},
     [[small, large]] * 20, (1..50_000).to_a + large].each do |document|
      assert_equal JSON.generate(document), generate(document)
      assert_equal JSON.pretty_generate(document), Katsu.pretty_generate(document)
    end
  end

  # Beyond two megabytes memory is opened in steps; what Strings take is measured, escapes are not.
  def test_arrays_of_megabytes
    [Array.new(400) { |i| "漢字#{i}" * (i * 5) }, ["\"" * 10_000] * 300, ["x" * 3000] * 1100,
     [*["x" * 9000] * 300, 1, {"a" => "y" * 3_000_000}], Array.new(300) { |i| ["z" * (i * 90)] }].each do |document|
      assert_equal JSON.generate(document), generate(document)
      assert_equal JSON.pretty_generate(document), Katsu.pretty_generate(document)
    end
  end

  def test_hash_with_default_proc_and_by_identity
    hash = Hash.new { |_, key| raise key }
    hash["a"] = 1
    assert_equal %({"a":1}), generate(hash)
    identity = {}.compare_by_identity
    identity[+"a"] = 1
    identity[+"a"] = 2
    assert_equal JSON.generate(identity), generate(identity)
  end

  def test_duplicate_keys_are_refused_unless_allowed
    assert_raises(Katsu::GeneratorError) { generate({"a" => 1, a: 2}) }
    assert_equal %({"a":1,"a":2}), generate({"a" => 1, a: 2}, allow_duplicate_key: true)
    places = {{"a" => 1, a: 2} => "", [{"a" => 1, a: 2}] => "[0]", {"x" => [1, {a: 1, "b" => 2, b: 3}]} => "x[1]",
              {"a" => {b: {"c" => 1}, "d" => [{"c" => 1, c: Float::NAN}]}} => "a.d[0]"}
    places.each do |value, place|
      assert_equal(place, assert_raises(Katsu::GeneratorError) { generate(value) }.path)
    end
    mixed = {"a" => 1, b: [Float::NAN]}
    assert_equal("x.b[0]", assert_raises(Katsu::GeneratorError) { generate({x: mixed}) }.path)
    assert_equal %({"a":1,"b":2}), generate({"a" => 1, b: 2})
  end

  def test_unknown_options_are_named
    error = assert_raises(ArgumentError) { generate(1, indnt: " ") }
    assert_match(/:indnt/, error.message)
    assert_raises(TypeError) { generate([1], indent: 3) }
    assert_raises(ArgumentError) { generate([1], rfc8785: true, indent: " ") }
    assert_raises(ArgumentError) { generate([1], depth: -1) }
    assert_raises(TypeError) { generate([1], sort_keys: 1) }
  end

  def test_options_as_a_hash_as_keywords_and_as_a_state
    assert_equal "[\n1]", Katsu.generate([1], array_nl: "\n").chomp("\n]") + "]"
    assert_equal Katsu.generate([1], {array_nl: "\n"}), Katsu.generate([1], Katsu::State.new(array_nl: "\n"))
    assert_equal JSON.generate([1], JSON::State.new(space: " ")), Katsu.generate([1], JSON::State.new(space: " "))
    own = Class.new(Katsu::State) { def generate(value, *) = "own #{value}" }
    assert_equal "own [1]", Katsu.generate([1], own.new)
  end

  def test_dump
    assert_equal JSON.dump([nil, Float::NAN]), Katsu.dump([nil, Float::NAN])
    io = StringIO.new
    assert_same io, watched { Katsu.dump({"a" => "ü" * 50_000}, io) }
    assert_equal JSON.generate({"a" => "ü" * 50_000}), io.string.force_encoding("UTF-8")
    assert_raises(Katsu::NestingError) { Katsu.dump([[[1]]], 2) }
    assert_raises(ArgumentError) { Katsu.dump(1, Object.new) }
    assert_equal '{"a":1,"indent":2}', Katsu.dump(a: 1, indent: 2)
    error = assert_raises(ArgumentError) { Katsu.dump }
    assert_equal "wrong number of arguments (given 0, expected 1..4)", error.message
  end

  # None of them is left out.
  def test_dump_with_two_hashes
    hashes = [{array_nl: "\n"}, {allow_nan: true}]
    assert_raises(TypeError) { Katsu.dump([1], *hashes) }
    assert_raises(TypeError) { Katsu.dump([1], nil, *hashes) }
    assert_raises(ArgumentError) { Katsu.dump([1], hashes[0], nil, hashes[1]) }
    assert_equal "[\n1\n]", Katsu.dump([1], hashes[0], allow_nan: true)
    assert_equal "[\n1\n]", Katsu.dump([1], nil, hashes[0], allow_nan: true)
  end

  def test_dump_with_a_limit_and_an_option
    [{max_nesting: 5}, {max_nesting: nil}].each do |options|
      assert_equal "[[1]]", Katsu.dump([[1]], nil, 1, options)
      assert_equal "[[1]]", Katsu.dump([[1]], 1, **options)
      assert_equal "[[1]]", Katsu.dump([[1]], 1, nil, options)
    end
    assert_raises(Katsu::NestingError) { Katsu.dump([[1]], 5, {max_nesting: 1}) }
    assert_raises(Katsu::NestingError) { Katsu.dump([[1]], 1, {allow_nan: true}) }
  end

  def test_allocates_the_result_only
    skip "objects are counted in the native backend without GC modes" unless native? && normal_run?

    states = memory_of(Katsu::State)
    [1, "text", [1, "string", {a: 1, b: 2}, [3, 4, 5]], [[1, 2, 3]] * 10,
     {"k" => :symbol, "f" => 1.25}].each do |document|
      assert_equal 1, allocations { Katsu.generate(document) }, document.inspect
    end
    assert_operator memory_of(Katsu::State), :<=, states
  end
end
