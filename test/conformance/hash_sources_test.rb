# frozen_string_literal: true

require "support/test_case"
require "json"

# Which value of a Hash source is written: that of the Symbol key, or else of the String key, whatever else is in it and
# however Ruby keeps it.
class HashSourcesTest < TestCase
  FIELDS = Class.new(Katsu::Serializer) { attributes :id, :name }

  # Equal to the Symbol in Ruby's eyes, as its hash is the same.
  Disguised = Struct.new(:symbol) do
    def hash = symbol.hash
    def eql?(other) = symbol.eql?(other)
  end
  Text = Class.new(String)

  MADE = {
    symbols: -> { {id: 1, name: "a"} },
    strings: -> { {"id" => 1, "name" => "a"} },
    strings_of_their_own: -> { {"id".dup => 1, "na".dup.concat("me") => "a"} },
    symbol_before_string: -> { {id: 1, "id" => 2, name: nil, "name" => "b"} },
    symbol_after_string: -> { {"id" => 2, "name" => "b", id: 1, name: false} },
    only_the_last_a_symbol: -> { {"name" => "b", "id" => 1, name: nil} },
    names_of_symbols: -> { {id: 1, name: "a"}.transform_keys(&:name) },
    non_ascii: -> { {"é" => 0, é: 1, "id" => 1, "name" => "a"} },
    mixed: -> { {"id" => 1, nil => 0, 5 => 6, name: "a"} },
    other_keys: -> { {nil => 0, 1.5 => 0, [] => 0, Object => 0, "id" => 1, "name" => "a"} },
    disguised: -> { {Disguised.new(:id) => 1, "id" => 2, "name" => "a"} },
    disguised_last: -> { {"id" => 2, "name" => "a", Disguised.new(:name) => "b"} },
    class_of_string: -> { {Text.new("id") => 1, "name" => "a"} },
    text_with_methods: -> { {"id" => 1, "name".dup.tap { |key| key.define_singleton_method(:x) { 1 } } => "a"} },
    another_encoding: -> { {"id".encode("US-ASCII") => 1, "name".b => "a"} },
    subclass: -> { Class.new(Hash)[id: 1, "name" => "a"] },
    keys_as_values: -> { {"name" => "a", "id" => -"name"} },
    names_of_symbols_as_values: -> { {"name" => "a", "id" => :name.name} },
    with_nil: -> { {"id" => nil, name: nil} }
  }.freeze
  CHANGED = {
    whole: ->(hash) { hash },
    first_deleted: ->(hash) { {x: 0, **hash.transform_keys { |key| key }}.tap { |made| made.delete(:x) } },
    symbol_deleted: ->(hash) { {x: :y, **hash.transform_keys { |key| key }}.tap { |made| made.delete(:x) } },
    text_deleted: ->(hash) { {x: "y", **hash.transform_keys { |key| key }}.tap { |made| made.delete(:x) } },
    last_deleted: ->(hash) { hash.merge(x: 0).tap { |made| made.delete(:x) } },
    gaps: lambda do |hash|
      hash.each_with_index.with_object({}) do |((key, value), i), made|
        made["gap #{i}"] = 0
        made[key] = value
      end.delete_if { |key, _| key.to_s.start_with?("gap") }
    end,
    shrunk: ->(hash) { hash.merge((0..9).to_h { |i| [i, i] }).delete_if { |key, _| Integer === key && key < 10 } },
    large: ->(hash) { hash.merge((10..30).to_h { |i| ["k#{i}", i] }) },
    emptied_before: ->(hash) { {"name" => 5, id: 4}.clear.merge!(hash) },
    frozen: ->(hash) { hash.dup.freeze }
  }.freeze

  def fetched(hash, name) = hash.fetch(name) { hash.fetch(name.name) }

  def test_the_symbol_key_or_else_the_string_key
    MADE.each do |made, make|
      CHANGED.each do |changed, change|
        hash = change.call(make.call)
        expected = {"id" => fetched(hash, :id), "name" => fetched(hash, :name)}
        assert_equal [expected] * 2, JSON.parse(FIELDS.many([hash, hash]).to_json), "#{made}, #{changed}"
        assert_equal [expected] * 2, FIELDS.many([hash, hash]).to_a, "#{made}, #{changed}"
      end
    end
  end

  # The ruby backend's code is made for the first Hash: the others differ from it in one way each.
  def test_what_the_first_hash_lets_expect
    [{"id" => 1, "name" => "a", "age" => 2}, {"id" => 1, "name" => "a", "age" => 2, "other" => 3}].each do |first|
      serializer = Class.new(Katsu::Serializer) { attributes :id, :name, :age }
      others = unlike(first)
      expected = [first, *others].map { |hash| %i[id name age].to_h { |name| [name.name, fetched(hash, name)] } }
      assert_equal expected, JSON.parse(serializer.many([first, *others]).to_json)
      assert_equal expected, serializer.many([first, *others]).to_a
    end
  end

  def unlike(first)
    each_key = first.keys.flat_map do |key|
      [first.merge(key => nil), first.except(key).merge(key.to_sym => 8), first.merge(key.to_sym => nil)]
    end
    fewer = first.except("other")
    [*each_key, *{id: nil, name: "b", age: 5}.map { |key, value| fewer.merge(key => value) },
     {"other" => 4, **first}, Hash.new(7).merge!(first), Hash.new(7).merge!(fewer, {id: nil})]
  end

  def test_a_default_in_place_of_a_key_of_the_first_hash
    [Hash.new(7), Hash.new { 7 }].each do |hash|
      hash.merge!("id" => 1, "more" => 2)
      first = {"id" => 1, "name" => 6}
      assert_equal '[{"id":1,"name":6},{"id":1,"name":7}]', FIELDS.many([first, hash]).to_json
      assert_equal %w[id more], hash.keys
    end
    unlike = FIELDS.many([{"id" => 1, "name" => 2}, {"id" => 1, "x" => 2}])
    assert_raises(Katsu::UnknownAttributeError) { unlike.to_json }
  end

  def test_methods_of_one_hash_are_no_fields
    [{id: 1, name: "a"}, {"id" => 1, "name" => "a"}, Class.new(Hash).new.merge!(id: 1, "name" => "a")].each do |hash|
      def hash.name = "own"
      assert_equal '{"id":1,"name":"a"}', FIELDS.one(hash).to_json
      assert_equal '[{"id":1,"name":"a"},{"id":1,"name":"a"}]', FIELDS.many([hash, hash.to_h.dup]).to_json
      assert_equal({"id" => 1, "name" => "a"}, FIELDS.new.serialize(hash))
    end
  end

  def test_keys_by_identity
    hash = {}.compare_by_identity.merge!(id: 1)
    hash["name".dup] = "a"
    assert_raises(Katsu::UnknownAttributeError) { FIELDS.one(hash).to_json }
    assert_equal '{"id":1,"name":"b"}', FIELDS.one(hash.merge(name: "b")).to_json
  end

  def test_a_missing_key_is_an_error_between_others
    emptied = {id: 3, name: 4}.clear.merge!(id: 2)
    [{id: 1, nam: 2}, {"id" => 1}, {Disguised.new(:nam) => 1, id: 2}, {}, emptied].each do |hash|
      assert_raises(Katsu::UnknownAttributeError) { FIELDS.many([{id: 1, name: 2}, hash]).to_json }
    end
  end

  def test_a_default
    hashes = [Hash.new { |_, key| "default of #{key}" }, Hash.new("default")].map { |hash| hash.merge!("id" => 1) }
    expected = '[{"id":1,"name":"default of name"},{"id":1,"name":"default"}]'
    assert_equal expected, FIELDS.many(hashes).to_json
  end

  # A condition's Ruby code changes the Hash that is being written.
  def test_changed_while_it_is_written
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      attribute :name, if: ->(hash) { hash.delete("id") && hash.store(:name, "new") }
    end
    hashes = Array.new(3) { |i| {"id" => i, "name" => "old"} }
    assert_equal '[{"id":0,"name":"new"},{"id":1,"name":"new"},{"id":2,"name":"new"}]', serializer.many(hashes).to_json
  end

  # No Hash, though its members lie where a Hash has its pairs.
  Answering = Struct.new(*:a..:j) do
    def method_missing(name, *) = name == :author ? {id: 1, name: "answered"} : super
    def respond_to_missing?(name, *) = name == :author || super
  end

  def test_objects_that_answer_for_an_association
    serializer = Class.new(Katsu::Serializer)
    serializer.has_one :author, serializer: FIELDS
    objects = Array.new(2) { Answering.new(0, 0, :author, {id: 2, name: "member"}, :author, {id: 3, name: "member"}) }
    expected = [{"author" => {"id" => 1, "name" => "answered"}}] * 2
    assert_equal expected, JSON.parse(serializer.many(objects).to_json)
    assert_equal expected, serializer.many(objects).to_a
  end

  # A subclass that finds keys in another way, as Hashie's do.
  class Shouting < Hash
    def fetch(name, *default, &block) = super(name.to_s.upcase, *default, &block)
  end

  def test_hashes_that_find_keys_in_another_way
    inner = Class.new(Katsu::Serializer) { attributes :id }
    outer = Class.new(Katsu::Serializer) do
      attributes :id
      has_one :one, serializer: inner
      has_many :many, serializer: inner
    end
    hash = Shouting["ID", 1, "ONE", Shouting["ID", 2], "MANY", [Shouting["ID", 3], {id: 4}]]
    text = '{"id":1,"one":{"id":2},"many":[{"id":3},{"id":4}]}'
    assert_equal text, watched { outer.new.serialize_to_json(hash) }
    assert_equal JSON.parse(text), watched { outer.new.serialize(hash) }
  end

  # As any other object without the method that reads its fields.
  def test_hashes_without_fetch
    hash = Class.new(Hash) { undef_method :fetch }[id: 1, name: "a"]
    [-> { FIELDS.one(hash).to_json }, -> { FIELDS.one(hash).to_h }].each do |write|
      assert_equal :fetch, assert_raises(NoMethodError, &write).name
    end
  end

  # Rails' own finds String keys, unless a subclass converts them in another way.
  def test_hashes_with_indifferent_access
    require "active_support/core_ext/hash/indifferent_access"
    other = Class.new(ActiveSupport::HashWithIndifferentAccess) do
      def convert_key(key) = key.to_s == "a" ? "b" : key.to_s
    end
    hash = other.new
    {"a" => 1, "b" => 2}.each { |key, value| hash.send(:regular_writer, key, value) }
    serializer = Class.new(Katsu::Serializer) { attributes :a }
    assert_equal '{"a":2}', serializer.new.serialize_to_json(hash)
    assert_equal '{"a":1}', serializer.new.serialize_to_json({a: 1}.with_indifferent_access)
  end
end
