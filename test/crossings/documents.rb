# frozen_string_literal: true

require "bigdecimal"
require "date"
require "json"
require "set"
require "stringio"

# The table of what meets what in documents: each line is a value, an option, a place or a sink. documents_test.rb makes
# rows of them in which each two meet, and compares each with JSON.generate.
module Documents
  Own = Struct.new(:value) { def to_json(*state) = value.to_json(*state) }
  Named = Struct.new(:name) { def to_s = name }
  Text = Class.new(String)
  List = Class.new(Array)
  Table = Class.new(Hash)

  VALUES = {
    ascii: "plain", escapes: "q\" \\ \n \u0001 </script>", wide: "ü漢😀 \u2028", long: "x" * 3000, long_wide: "é" * 2000,
    latin: "é".encode("ISO-8859-1"), utf16: "ü".encode("UTF-16LE"), binary: "abc".b, broken: "ab\xC3", symbol: :"sym ü",
    small: 7, big: -(2**70), float: 1.5e-7, nan: Float::NAN, nothing: nil, truth: true, decimal: BigDecimal("1.50"),
    date: Date.new(2026, 1, 2), time: Time.at(0).utc, range: 1..3, set: Set[1, "a"], rational: 3/4r, klass: String,
    array: [1, [2.5, nil], "ü"], empty_array: [], hash: {"a" => 1, "b" => {c: [true]}}, empty_hash: {},
    mixed_keys: {1 => "a", nil => 2, x: 3, "y" => {1.5 => nil}},
    object_keys: {Named.new("ü") => 1, Named.new("k") => 2},
    equal_keys: {"a" => 1, a: 2}, equal_objects: {Named.new("k") => 1, Named.new("k") => 2},
    by_identity: {"s" => 1, +"s" => 2}.compare_by_identity, many_pairs: (1..30).to_h { |i| ["k#{i}", i] },
    unsorted: {"b" => 1, "a" => {"d" => 1, "c" => 2}}, deep: (1..20).inject(1) { |inner, _| [inner] },
    own: Own.new({"k" => [1]}), own_text: Own.new("ü"), to_s_only: Named.new("named ü"), text: Text.new("sub ü"),
    list: List[1, "a"], table: Table["k", [1]], fragment: JSON::Fragment.new(%({"raw": "ü"}))
  }.freeze

  OPTIONS = {
    none: {}, pretty: {indent: "  ", space: " ", object_nl: "\n", array_nl: "\n"}, script_safe: {script_safe: true},
    ascii_only: {ascii_only: true}, both_safe: {script_safe: true, ascii_only: true}, nan: {allow_nan: true},
    strict: {strict: true}, shallow: {max_nesting: 5}, endless: {max_nesting: 0},
    begun: {depth: 3, indent: "\t", array_nl: "\n"}, sorted: {sort_keys: true}, equal: {allow_duplicate_key: true},
    replaced: {strict: true, as_json: ->(object, _) { object.class.name }}, reserved: {buffer_initial_length: 5000}
  }.freeze

  # Where the value stands.
  PLACES = {
    root: ->(value) { value },
    element: ->(value) { [1, value, value] },
    member: ->(value) { {"a" => 1, k: value} },
    member_of_mixed: ->(value) { {1 => value, "b" => value, c: 2} },
    key: ->(value) { {value => 1} },
    deep: ->(value) { [{"a" => [{b: value}]}] },
    after_much: ->(value) { ["x" * 2100, value] },
    after_a_chunk: ->(value) { ["é" * 40_000, value, "y" * 70_000, value] },
    below_own: ->(value) { [Own.new([value])] },
    in_a_stream: ->(value) { [Documents.stream([value, [value]])] }
  }.freeze

  GENERATED = ->(value, options) { JSON.generate(value, options) }
  DUMPED = ->(value, options) { JSON.generate(value, {allow_nan: true, **options}) }
  CODED = ->(value, options) { JSON::Coder.new(**options).dump(value) }

  # Each gets a value and options; the reference behind it writes the same with the json gem.
  SINKS = {
    text: [->(value, options) { Katsu.generate(value, options) }, GENERATED],
    state: [->(value, options) { Katsu::State.new(options).generate(value) }, GENERATED],
    dump: [->(value, options) { Katsu.dump(value, **options) }, DUMPED],
    io: [->(value, options) { Documents.written { |io| Katsu.dump(value, io, **options) } }, DUMPED],
    coder: [->(value, options) { Katsu::Coder.new(**options).dump(value) }, CODED],
    coder_io: [->(value, options) { Documents.written { |io| Katsu::Coder.new(**options).dump(value, io) } }, CODED],
    pushed: [->(value, _) { Katsu::Writer.new.push_array.push_value(value).pop.to_s },
             ->(value, _) { JSON.generate([value]) }],
    pushed_io: [->(value, _) { Documents.written { |io| Katsu::Writer.new(io).push_object.push_value(value, :k).pop } },
                ->(value, _) { JSON.generate({"k" => value}) }]
  }.freeze

  FACTORS = {value: VALUES, options: OPTIONS, place: PLACES, sink: SINKS}.transform_values(&:keys).freeze

  class << self
    # What stream makes of elements: set by the test, as the reference writes an Array.
    attr_accessor :streams

    def stream(elements) = streams.call(elements)

    # What an io receives in chunks, each of which ends at a character.
    def written
      chunks = []
      io = Object.new
      io.define_singleton_method(:write) { |text| (chunks << text.dup).last.bytesize }
      yield io
      whole = chunks.all? { |chunk| chunk.force_encoding("UTF-8").valid_encoding? }
      raise "a chunk ends within a character" unless whole

      chunks.join
    end
  end
end
