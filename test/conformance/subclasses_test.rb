# frozen_string_literal: true

require "support/test_case"

# Values of subclasses of String, Array and Hash whose own methods say other things: what they have is written.
class SubclassesTest < TestCase
  class List < Array
    def size = 0
    def length = 0
    def empty? = true
    def [](*) = raise("[]")
    def each(*) = raise("each")
  end

  class Table < Hash
    def size = 0
    def empty? = true
    def [](*) = raise("[]")
    def each(*) = raise("each")
    def each_pair(*) = raise("each_pair")
    def each_key(*) = raise("each_key")
    def keys = raise("keys")
    def compare_by_identity? = raise("compare_by_identity?")
    def as_json(*) = self # ActiveSupport's would call each
  end

  class Text < String
    def b = raise("b")
    def ascii_only? = true
    def encoding = raise("encoding")
    def valid_encoding? = raise("valid_encoding?")
    def match?(*) = raise("match?")
    def gsub(*) = raise("gsub")
    def dump = raise("dump")
    def bytesize = 0
  end

  class Own
    def initialize(value) = @value = value
    def as_json(*) = @value
  end

  def written(value)
    watched { Katsu::Writer.new(as_json: true).push_value(value).to_s }
  end

  def test_arrays
    list = List.new([1, List.new([2]), List.new])
    assert_equal "[[1,[2],[]]]", generate([list])
    assert_equal "[1,[2],[]]", generate(list)
    assert_equal "[\n1,\n[\n2\n],\n[]\n]", generate(list, {array_nl: "\n"})
    assert_equal "[[1],[2]]", written([List.new([1]), Own.new(List.new([2]))])
  end

  def test_hashes
    table = Table.new.merge!("b" => Table.new.merge!("c" => 1), "a" => Table.new)
    assert_equal '{"b":{"c":1},"a":{}}', generate(table)
    assert_equal "{\n\"b\":{\n\"c\":1\n},\n\"a\":{}\n}", generate(table, {object_nl: "\n"})
    assert_equal '[{"b":{"c":1},"a":{}}]', written([Own.new(table)])
    assert_equal '[{"1":3,"b":2}]', written([Own.new(Table.new.merge!("1" => 1, "b" => 2, 1 => 3))])
  end

  def test_order_of_hashes
    table = Table.new.merge!("b" => 1, "a" => 2)
    assert_equal ['{"a":2,"b":1}'] * 2, [generate(table, sort_keys: true), generate(table, rfc8785: true)]
    classes = []
    generate(table, sort_keys: ->(hash) { classes << hash.class && hash })
    assert_equal [Table], classes
    assert_equal '{"b":1,"a":2}', generate({}, sort_keys: ->(_hash) { table })
  end

  def test_keys_of_two_types_in_hashes
    error = assert_raises(Katsu::GeneratorError) { generate([Table.new.merge!("a" => 1, a: 2)]) }
    assert_equal "[0]", error.path
  end

  def test_hashes_that_compare_by_identity
    table = Table.new.compare_by_identity
    [+"a", +"a"].each_with_index { |key, index| table[key] = index }
    assert_equal '{"a":0,"a":1}', generate(table)
    assert_equal '{"a":1}', written(table)
  end

  def test_text
    ["é\n", "é\n".encode("UTF-16LE"), "a\"", "</\u2028"].each do |text|
      [{}, {script_safe: true}, {ascii_only: true}].each do |options|
        assert_equal generate([text], options), generate([Text.new(text)], options)
        assert_equal generate({text => 1}, options), generate({Text.new(text) => 1}, options)
      end
      assert_equal written([text]), written([Text.new(text)])
    end
  end

  # Of interned Strings of one encoding no two are equal.
  def test_interned_keys_of_two_encodings
    hash = {}.compare_by_identity
    hash[-"a"] = 1
    hash[-"a".encode("US-ASCII")] = 2
    assert_equal '{"a":2}', written(hash)
    assert_equal '{"a":1,"a":2}', generate(hash)
    hash = {}.compare_by_identity
    %w[US-ASCII ISO-8859-1].each { |name| hash[-"a".encode(name)] = name }
    assert_equal '{"a":"ISO-8859-1"}', written(hash)
  end
end
