# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "json"

# The Hashes of a document: what they hold is what the JSON says, in the same order, and each is the caller's own.
class HashesTest < TestCase
  SIZES = [0, 1, 7, 8, 9, 31, 32, 33, 64, 65].freeze

  # Attributes a0, a1, ..., of which the object says which are left out.
  def serializer(size, conditional: false)
    Class.new(Katsu::Serializer) do
      size.times do |i|
        options = conditional ? {if: ->(object) { object[:has].include?(i) }} : {}
        attribute(:"a#{i}", **options) { |object| "#{object[:name]} #{i}" }
      end
    end
  end

  def built(serializer, objects)
    hashes = Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_a
    text = Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_json
    assert_equal JSON.parse(text), hashes
    assert_equal JSON.parse(text).map(&:keys), hashes.map(&:keys)
    hashes
  end

  def test_every_size
    SIZES.each do |size|
      hashes = built(serializer(size), Array.new(5) { |i| {name: "n#{i}"} })
      assert_equal Array.new(5) { |i| Array.new(size) { |j| ["a#{j}", "n#{i} #{j}"] } }, hashes.map(&:to_a)
    end
  end

  # As many keys as in the object before, and others.
  def test_keys_that_differ
    SIZES.reject(&:zero?).each do |size|
      kept = Array.new(6) { |i| (0...size).to_a - [[0, 0, size - 1, size / 2, 0, -1][i]] }
      objects = kept.each_with_index.map { |has, i| {name: "n#{i}", has: has} }
      hashes = built(serializer(size, conditional: true), objects)
      assert_equal kept.map { |has| has.map { |i| "a#{i}" } }, hashes.map(&:keys)
    end
  end

  def test_each_is_the_callers_own
    [3, 8, 9, 40].each do |size|
      hashes = built(serializer(size), Array.new(3) { |i| {name: "n#{i}"} })
      others = hashes.drop(1).map(&:to_a)
      hashes[0]["new"] = 1
      hashes[0].delete("a1")
      hashes[0]["a0"] = nil
      assert_equal others, hashes.drop(1).map(&:to_a)
      hashes.each { |hash| refute hash.frozen? || hash.compare_by_identity? || hash.default_proc }
      assert_equal "n2 1", hashes[2]["a1".dup]
    end
  end

  # Values that are younger than the Hash they stand in, and the collector between them.
  def test_values_are_kept
    [8, 9].each do |size|
      rows = Array.new(300) { |i| {name: "n#{i}" * 20} }
      hashes = Katsu::ArraySerializer.new(rows, each_serializer: serializer(size)).to_a
      GC.start
      assert_equal rows.map { |row| "#{row[:name]} #{size - 1}" }, (hashes.map { |hash| hash["a#{size - 1}"] })
      hashes.each { |hash| hash["a0"] = "other".dup }
      GC.start(full_mark: false)
      assert_equal ["other"], hashes.map { |hash| hash["a0"] }.uniq
    end
  end

  def test_records_and_rows
    Post.create!(id: 1, title: "Ada", data: {"a" => [1]})
    Post.create!(id: 2, title: "Bén", views: 3)
    columns = Post.column_names
    all = Class.new(Katsu::Serializer) { attributes(*columns) }
    expected = Post.order(:id).map { |post| columns.map { |name| [name, post.as_json[name]] } }
    assert_equal expected, built(all, Post.order(:id).to_a).map(&:to_a)
    assert_equal expected, all.many(Post.order(:id)).to_a.map(&:to_a)
  ensure
    Post.delete_all
  end

  # A collection in each object: Hashes within Hashes.
  def test_nested_hashes
    element = serializer(9)
    outer = Class.new(Katsu::Serializer) do
      attributes :id
      has_many :inner, serializer: element
    end
    objects = Array.new(3) { |i| {id: i, inner: Array.new(i) { |j| {name: "#{i}/#{j}"} }} }
    assert_equal ["2/0 8", "2/1 8"], (built(outer, objects)[2]["inner"].map { |hash| hash["a8"] })
  end
end
