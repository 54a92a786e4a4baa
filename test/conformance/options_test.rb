# frozen_string_literal: true

require "support/test_case"

# The generator's options, one by one and at their edges, against the json gem.
class OptionsTest < TestCase
  VALUE = {"b" => [1, [], {}, {"é" => "</ü\u2028"}], a: [2.5, nil, [[3]]], "c" => {"d" => {}}}.freeze

  class ToHash
    def initialize(hash) = @hash = hash
    def to_hash = @hash
    def to_h = raise("not asked")
  end

  class ToH
    def initialize(hash) = @hash = hash
    def to_h = @hash
  end

  def assert_as_json(value, options)
    expected = outcome { JSON.generate(value, options) }
    assert_equal expected, outcome { generate(value, options) }, options.inspect
    assert_equal expected, outcome {
      watched {
        Katsu::State.new(options).generate(value)
      }
    }, options.inspect if expected.is_a?(String)
  end

  def outcome
    yield
  rescue StandardError => e
    e.class.name.delete_prefix("JSON::").delete_prefix("Katsu::")
  end

  LAYOUT = %i[indent space space_before object_nl array_nl].freeze

  def test_layout
    texts = ["", nil, false, " ", "\t", "  ", " \t", "\t ", "ü", "\u2003", "x" * 40, " " * 70]
    LAYOUT.each { |name| texts.each { |text| assert_as_json(VALUE, name => text) } }
    texts.each { |text| assert_as_json(VALUE, LAYOUT.to_h { |name| [name, text] }) }
    texts.each { |text| assert_as_json(VALUE, indent: text, object_nl: "\n", array_nl: "\n") }
    LAYOUT.each do |name|
      [5, :a, [], true].each do |wrong|
        assert_raises(TypeError) do
          generate(VALUE, name => wrong)
        end
      end
    end
  end

  # A byte that is no text stays one, and the document is not taken for ASCII.
  def test_an_indentation_that_is_no_text
    assert_as_json(VALUE, indent: "\xff", array_nl: "\n")
    text = generate([1], indent: "\xff", array_nl: "\n")
    assert_equal "[\n\xff1\n]", text
    refute_predicate text, :ascii_only?
    %i[space space_before object_nl].each do |name|
      assert_as_json({"a" => 1}, name => "\xff", array_nl: "\n")
      refute_predicate generate({"a" => 1}, name => "\xff", array_nl: "\n"), :ascii_only?, name
    end
  end

  def test_layout_of_deep_documents
    [1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 99].each do |depth|
      value = depth.times.inject(1) { |inner, index| index.even? ? [inner] : {"k" => inner} }
      ["\t", "  ", "ab", "ü"].each { |indent| assert_as_json(value, indent: indent, array_nl: "\n", object_nl: "\n") }
      assert_as_json(value, indent: " ")
    end
  end

  def test_flags
    flags = %i[ascii_only script_safe strict allow_nan allow_duplicate_key]
    flags.each { |name| [true, false, nil, 1, "no"].each { |value| assert_as_json(VALUE, name => value) } }
    flags.combination(2) { |one, other| assert_as_json(VALUE, one => true, other => true) }
    assert_equal generate(VALUE, script_safe: true), generate(VALUE, escape_slash: true)
    assert_equal generate(VALUE), generate(VALUE, script_safe: true, escape_slash: false)
    assert_equal generate(VALUE, script_safe: true), generate(VALUE, escape_slash: false, script_safe: true)
    assert_as_json([Float::NAN], allow_nan: false)
    assert_as_json([Float::NAN], allow_nan: true)
    assert_as_json([:a, Object], strict: false)
    [[:a], [Object], {1 => 2}, [1r]].each { |value| assert_as_json(value, strict: true) }
  end

  def test_nesting_and_depth
    [0, nil, false, 1, 2, 3, 4, 100].each do |limit|
      [[1], [[1]], [[[1]]], {"a" => {"b" => [1]}}].each do |value|
        assert_as_json(value, max_nesting: limit)
      end
    end
    [0, nil, false, 1, 5, 99].each { |depth| assert_as_json([[1]], depth: depth) }
    [0, nil, false, 1, 3].each do |depth|
      assert_as_json([[1], {"a" => {}}], depth: depth, indent: " ", array_nl: "\n", object_nl: "\n", max_nesting: 4)
    end
    assert_equal "[[1]]", generate([[1]], depth: (2**31) - 1, max_nesting: 0)
    assert_match(/depth must be >= 0 \(got -1\)/, assert_raises(ArgumentError) { generate(1, depth: -1) }.message)
    assert_match(/depth is too large \(got #{2**31}\)/, assert_raises(ArgumentError) do
      generate(1, depth: 2**31)
    end.message)
    assert_raises(TypeError) { generate(1, max_nesting: "5") }
  end

  def test_the_first_size_of_the_buffer
    [1, 0, -5, 5000, 2**20].each { |size| assert_as_json(VALUE, buffer_initial_length: size) }
    [2**40, 2**62, 2**70].each { |large| assert_equal generate(VALUE), generate(VALUE, buffer_initial_length: large) }
    ["5", 1.5, nil].each { |wrong| assert_raises(TypeError) { generate(VALUE, buffer_initial_length: wrong) } }
  end

  def test_where_options_come_from
    [{}, ToHash.new({}), ToH.new({}), nil].each { |empty| assert_equal "[1]", generate([1], empty) }
    [{array_nl: "\n"}, Class.new(Hash)[array_nl: "\n"], ToHash.new({array_nl: "\n"}), ToH.new({array_nl: "\n"}),
     Katsu::State.new(array_nl: "\n")].each do |options|
      assert_equal "[\n1\n]", generate([1], options)
    end
    [5, "x", ToHash.new(5), ToH.new(nil), ToH.new([]), Object.new].each do |wrong|
      assert_raises(TypeError) do
        generate([1], wrong)
      end
    end
    assert_match(/can't convert Integer into Hash/, assert_raises(TypeError) { generate([1], 5) }.message)
    error = assert_raises(TypeError) { Katsu.pretty_generate([1], 5) }
    assert_match(/can't convert Integer into Hash/, error.message)
    assert_equal "[1]", Katsu.pretty_generate([1], JSON::State.new)
    assert_raises(Katsu::GeneratorError) { Katsu.pretty_generate([Float::NAN], JSON::State.new) }
  end

  def test_integers_that_are_too_large
    %i[max_nesting depth].product([2**70, 2**63, -2**70]) do |name, value|
      assert_raises(RangeError) { generate([1], {name => value}) }
    end
    assert_equal "[1]", generate([1], {max_nesting: 2**62})
  end

  def test_no_options
    [nil, false].each do |none|
      assert_equal ["[1]", "[\n  1\n]"], [Katsu.generate([1], none), Katsu.pretty_generate([1], none)]
    end
  end

  def test_unknown_options
    error = assert_raises(ArgumentError) { generate(1, nonsense: 1, "indent" => " ", space: "", other: 2) }
    assert_match(/nonsense/, error.message)
    assert_match(/other/, error.message)
    assert_match(/"indent"/, error.message)
    [nil, true, [], "text"].each { |value| assert_raises(ArgumentError) { generate(value, nonsense: 1) } }
  end

  def test_how_many_arguments_a_set_of_options_takes
    assert_raises(ArgumentError) { Katsu::Generator::Options.new({}, {}) }
    options = Katsu::Generator::Options.new
    %i[generate generate_core].each do |name|
      [[], [1, nil, nil]].each { |given| assert_raises(ArgumentError) { options.public_send(name, *given) } }
      assert_equal "1", options.public_send(name, 1)
    end
  end

  def test_what_canonical_json_excludes
    {indent: " ", space: " ", space_before: " ", object_nl: " ", array_nl: " ", ascii_only: true, script_safe: true,
     allow_nan: true}.each do |name, value|
      assert_match(/\A#{name} cannot be used with rfc8785/, assert_raises(ArgumentError) do
        generate({}, rfc8785: true, name => value)
      end.message)
      off = value == true ? false : ""
      assert_equal "{\"a\":1,\"b\":2}", generate({b: 2, a: 1}, rfc8785: true, name => off)
    end
    assert_equal "{\"b\":2,\"a\":1}", generate({b: 2, a: 1}, rfc8785: false)
  end

  # As for values, only in strict mode.
  def test_as_json_of_keys_in_canonical_json
    options = {rfc8785: true, as_json: ->(object, *) { "<#{object}>" }}
    assert_equal "{\"<1>\":2}", generate({1 => 2}, options.merge(strict: true))
    assert_equal "{\"1\":2}", generate({1 => 2}, options)
  end

  # A proc with one parameter would take an Array apart if it were its only argument.
  def test_what_as_json_is_given
    pair = Class.new { def to_ary = [1, 2] }.new
    [proc { |object,| object.equal?(pair).to_s }, ->(object) { object.equal?(pair).to_s },
     ->(object, key) { (object.equal?(pair) && key == false).to_s }, proc { |*both| (both == [pair, false]).to_s },
     ->(*both) { (both == [pair, false]).to_s }, ->(object, key = 1) { (object.equal?(pair) && key == false).to_s }]
      .each { |given| assert_equal '["true"]', generate([pair], strict: true, as_json: given) }
    assert_equal '{"true":1}', generate({pair => 1}, strict: true, as_json: ->(_, key) { key.to_s })
  end

  def test_as_json_is_called_for_what_is_no_json
    shout = Class.new { def to_proc = ->(object, *) { "<#{object.class}>" } }.new
    [->(object, *) { "<#{object.class}>" }, shout].each do |given|
      assert_equal "[\"<Object>\",1]", generate([Object.new, 1], as_json: given, strict: true)
    end
    deep = generate([Float::NAN] * 200, as_json: ->(*) { "nan" }, strict: true)
    assert_equal "[#{(['"nan"'] * 200).join(",")}]", deep, "each at the same depth"
    assert_raises(Katsu::NestingError) do
      generate([Float::NAN] * 20 + [99.times.reduce([]) { |inner, _| [inner] }], as_json: ->(*) { 1 }, strict: true)
    end
    [nil, false].each { |none| assert_equal "[1]", generate([1], as_json: none) }
    no_proc = Class.new { def to_proc = 5 }.new
    [5, "x", Object.new, no_proc].each { |wrong| assert_raises(TypeError) { generate([1], as_json: wrong) } }
  end

  # The first and the last character of each length and each first byte that a decoder tells apart.
  def test_characters_as_ascii
    characters = [0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xefff, 0xf000, 0xffff, 0x10000, 0x3ffff,
                  0x40000, 0xfffff, 0x100000, 0x10ffff].map { |code| [code].pack("U") }
    [*characters, characters.join, characters.reverse.join("a")].each do |text|
      assert_equal JSON.generate(text, ascii_only: true), generate(text, ascii_only: true)
    end
  end

  def test_sorted_keys
    hashes = [{}, {"b" => 1, "a" => 2}, {b: 1, a: 2}, {"b" => 1, a: 2}, {2 => 1, 10 => 2},
              {"ä" => 1, "z" => 2, "" => 3}, {"b" => {"d" => 1, "c" => [{"f" => 1, "e" => 2}]}, "a" => 1},
              (1..60).to_h do |index|
                ["k#{(index * 37) % 61}", index]
              end, {"b".encode("UTF-16LE") => 1, "a" => 2}, {Class.new(String).new("b") => 1, "a" => 2}]
    backwards = Class.new(String) { def <=>(other) = other.to_str.<=>(to_str) }
    hashes << {backwards.new("a") => 1, backwards.new("b") => 2}
    hashes.each do |hash|
      assert_equal outcome { JSON.generate(hash, sort_keys: true) }, outcome {
        generate(hash, sort_keys: true)
      }, hash.inspect
      assert_equal generate(hash), generate(hash, sort_keys: false)
    end
    identity = {}.compare_by_identity
    %w[b a b].each_with_index { |key, index| identity[key.dup] = index }
    assert_equal "{\"a\":1,\"b\":2}", generate(identity, sort_keys: true, allow_duplicate_key: true)
    twice = {}.compare_by_identity
    twice["b".dup], twice["a"], twice["b".dup] = 2, 1, 0
    assert_equal "{\"a\":1,\"b\":2}", generate(twice, sort_keys: true), "as sort.to_h: by values, too"
    assert_equal "{\"a\":2,\"b\":1}", generate({b: 1, a: 2}, sort_keys: ->(hash) { hash.sort.to_h })
    [1, "x", :a, Object.new].each do |wrong|
      assert_match(/must be a boolean or a Proc/, assert_raises(TypeError) do
        generate({a: 1}, sort_keys: wrong)
      end.message)
    end
    assert_raises(TypeError) { generate({a: 1}, sort_keys: ->(hash) { hash.to_a }) }
  end

  # Canonical JSON has an order of its own: by UTF-16.
  def test_sorted_keys_in_canonical_json
    hash = {"\u{ffff}" => 1, "\u{10000}" => 2, "a" => 3}
    assert_equal %({"a":3,"\u{10000}":2,"\u{ffff}":1}), generate(hash, rfc8785: true, sort_keys: true)
    assert_equal %({"a":3,"\u{ffff}":1,"\u{10000}":2}), generate(hash, sort_keys: true)
  end

  # A strict generator asks as_json for the keys that are no Strings, those it sorts too.
  def test_sorted_keys_that_as_json_is_asked_for
    key = Object.new
    as_json = ->(object, is_key = false) { is_key ? "k#{object.class}" : 1 }
    assert_equal outcome { JSON.generate({"z" => 1, key => 2}, strict: true, as_json: as_json, sort_keys: true) },
                 outcome { generate({"z" => 1, key => 2}, strict: true, as_json: as_json, sort_keys: true) }
    [5, nil, [1]].each do |wrong|
      error = assert_raises(Katsu::GeneratorError) { generate({key => 2}, strict: true, as_json: ->(*) { wrong }) }
      assert_match(/not allowed as object key in JSON/, error.message)
    end
  end

  # A Symbol is its text, which as_json is given if it is not UTF-8.
  def test_as_json_of_symbols_that_are_not_utf8
    latin = "\xe9".dup.force_encoding("ISO-8859-1").to_sym
    replaced = ->(object, _key) { object.is_a?(String) ? "S" : object }
    {[latin] => '["S"]', {latin => 1} => '{"S":1}', [:a] => '["a"]', {a: 1} => '{"a":1}'}.each do |value, text|
      assert_equal text, generate(value, strict: true, as_json: replaced)
    end
    assert_equal '["é"]', generate([latin], strict: true, as_json: ->(object, _key) { object })
    error = assert_raises(Katsu::GeneratorError) { generate([Object.new], strict: true, as_json: ->(*) { latin }) }
    assert_equal "source sequence is illegal/malformed utf-8", error.message
  end
end
