# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

# What nested declares is read from the row that stands around it: all that may stand in it, wherever it stands, with
# every condition, by each way out. The bytes are those of records.
class QueryNestedRowsTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:nested_items) do |t|
      t.string :name, :type
      t.json :data
      t.decimal :price, precision: 8, scale: 2
      t.datetime :made_at
      t.integer :parent_id, :subject_id
      t.string :subject_type
    end
  end

  class Item < ActiveRecord::Base
    self.table_name = "nested_items"
    belongs_to :parent, class_name: "QueryNestedRowsTest::Item", optional: true
    belongs_to :subject, polymorphic: true, optional: true
    has_many :children, -> { order(:id) }, class_name: "QueryNestedRowsTest::Item", foreign_key: :parent_id
  end

  class Special < Item
  end

  # What stands in the nested object.
  INSIDE = {
    columns: -> { attributes :name, :price, :made_at },
    json: -> { attributes :data, :id },
    one: -> { has_one(:parent) { attributes :name, :data } },
    many: -> { has_many(:children) { attributes :id, :data } },
    polymorphic: -> { has_one(:subject, serializer: {"QueryNestedRowsTest::Item" => DataSerializer}) },
    itself: -> { has_one :parent, serializer: DeepSerializer, depth: 2 },
    method: -> { attribute(:size, needs: %i[name id]) { |item| item.name.to_s.size } },
    association_in_method: -> { attribute(:ids, needs: {children: :id}) { |item| item.children.map(&:id) } },
    rules: -> { attributes :name, :data, omit_nil: true },
    conversion: -> { attribute(:name, needs: :name, type: :string, format: ->(name) { name.upcase }) },
    condition: -> { attribute(:name, if: -> { object.data }, needs: :data) }
  }.freeze

  # Where it stands.
  AROUND = {
    alone: ->(body, options) { nested(:inner, **options, &body) },
    beside: ->(body, options) {
      attributes :id, :data
      nested(:inner, **options, &body)
      has_one(:parent) { attributes :id }
    },
    in_another: ->(body, options) { nested(:outer) { nested(:inner, **options, &body) } },
    twice: ->(body, options) {
      nested(:first, **options, &body)
      nested(:second, &body)
    },
    in_children: ->(body, options) { has_many(:children) { nested(:inner, **options, &body) } },
    in_a_parent: ->(body, options) { nested(:up) { has_one(:parent) { nested(:inner, **options, &body) } } },
    in_a_polymorphic_one: ->(body, options) {
      inner = Class.new(Katsu::Serializer) { nested(:inner, **options, &body) }
      has_one(:subject, serializer: {"QueryNestedRowsTest::Item" => inner})
    }
  }.freeze

  CONDITIONS = {
    none: {},
    of_a_column: {if: ->(item) { item.id.odd? }, needs: :id},
    of_an_association: {unless: ->(item) { item.parent }, needs: {parent: :id}},
    of_the_scope: {if: -> { scope }, needs: []}
  }.freeze

  class DataSerializer < Katsu::Serializer
    attributes :name
    nested(:more) { attributes :data }
  end

  class DeepSerializer < Katsu::Serializer
    nested(:it) { attributes :id, :data }
    has_one :parent, serializer: DeepSerializer, depth: 2
  end

  def setup
    Item.delete_all
    ids = []
    6.times do |i|
      ids << Item.insert({name: i.zero? ? nil : "n #{i} ä", price: "#{i}.50", made_at: Time.utc(2026, 1, i + 1),
                          data: [{"a" => [i, 1.50]}, nil, [i]][i % 3], parent_id: ids[i / 2], subject_id: ids[i / 3],
                          subject_type: ("QueryNestedRowsTest::Item" if ids[i / 3]),
                          type: ("QueryNestedRowsTest::Special" if i == 4)}, returning: :id).first["id"]
    end
  end

  def serializer_of(around, inside, options)
    body = INSIDE.fetch(inside)
    Class.new(Katsu::Serializer) { class_exec(body, options, &AROUND.fetch(around)) }
  end

  AROUND.each_key do |around|
    INSIDE.each_key do |inside|
      define_method(:"test_#{inside}_#{around}") do
        CONDITIONS.each do |name, options|
          assert_read_alike(serializer_of(around, inside, options), "#{around}, #{inside}, #{name}")
        end
      end
    end
  end

  def assert_read_alike(serializer, message)
    [{}, {scope: 1}].each do |options|
      records = serializer.many(Item.order(:id).to_a, **options)
      rows = serializer.many(Item.order(:id), **options)
      assert_equal :rows, rows.explain.to_h[:way], "#{message}: #{rows.explain}"
      expected = records.to_json
      assert_equal expected, watched { rows.to_json }, message
      assert_equal JSON.parse(expected), watched { rows.to_a }, message
      lines = JSON.parse(expected)
      written = serializer.many(Item.all, **options).write_to(StringIO.new, format: :ndjson).string
      assert_equal lines, written.lines.map { |line| JSON.parse(line) }, message
      assert_equal expected, serializer.many(Item.all, **options).write_to(StringIO.new).string, message
      assert_equal JSON.parse(expected).first, serializer.one(Item.order(:id), **options).to_h, message
    end
  end

  # The object is one, so that what is found out of it in one place is known in another.
  def test_one_object
    seen = []
    serializer = Class.new(Katsu::Serializer) do
      attribute(:a, needs: :name) { |item| seen << item && nil }
      nested(:inner, if: ->(item) { seen << item }, needs: :name) do
        nested(:deep) { attribute(:b, needs: :name) { |item| seen << item && nil } }
      end
    end
    serializer.many(Item.order(:id).limit(1)).to_json
    assert_equal [3, 1], [seen.size, seen.map(&:object_id).uniq.size]
    assert_kind_of Katsu::Query::Row, seen[0]
  end

  # One association of the model in several places: each path counts for itself.
  class TwiceSerializer < Katsu::Serializer
    attributes :id
    has_one :parent, name: :first, serializer: TwiceSerializer, depth: 1
    has_one :parent, name: :second, serializer: TwiceSerializer, depth: 2
    nested(:third) { has_one :parent, serializer: TwiceSerializer, depth: 1 }
  end

  class ChosenSerializer < Katsu::Serializer
    nested(:first) { has_one :parent, serializer: TwiceSerializer, depth: 1, only: %i[id first] }
    nested(:second) { has_one :parent, serializer: TwiceSerializer, depth: 1, except: [:first] }
    has_one :parent, serializer: TwiceSerializer, depth: 1
  end

  def test_depths_of_one_association
    last = nil
    7.times { last = Item.create!(parent: last) }
    [TwiceSerializer, ChosenSerializer].each { |serializer| assert_read_alike(serializer, serializer.name) }
  end

  def test_paths_of_errors
    serializer = Class.new(Katsu::Serializer) do
      has_many(:children) do
        nested(:inner) { nested(:deep) { attribute(:b, needs: :id) { |item| item.id && raise("no") } } }
      end
    end
    assert_path(/\A\[\d\]\.children\[0\]\.inner\.deep\.b\z/, serializer)
  end

  # Of what stands behind objects and collections that were written.
  def test_paths_of_later_errors
    serializer = Class.new(Katsu::Serializer) do
      has_many(:children) do
        nested(:inner) { nested(:deep) { attributes :id } }
        nested(:second) { attribute(:b, needs: :id) { |item| item.id && raise("no") } }
      end
    end
    assert_path(/\A\[\d\]\.children\[0\]\.second\.b\z/, serializer)
    serializer = Class.new(Katsu::Serializer) do
      has_many(:children) { attributes :id }
      nested(:second) { attribute(:b, needs: :id) { |item| item.children.any? && raise("no") } }
    end
    assert_path(/\A\[\d\]\.second\.b\z/, serializer)
  end

  # A path that did not end would take all memory.
  def test_paths_of_errors_behind_rows_of_an_association
    serializer = Class.new(Katsu::Serializer) do
      has_many(:children) { attributes :id }
      has_one(:parent) { attribute(:b, needs: :id) { |item| item.id && raise("no") } }
    end
    with_memory_for_more { assert_path(/\A\[\d\]\.parent\.b\z/, serializer) }
  end

  # Only 512 MB more than there is now, where the system tells how much that is.
  def with_memory_for_more
    return yield unless File.exist?("/proc/self/status")

    limits = Process.getrlimit(:AS)
    now = File.read("/proc/self/status")[/VmSize:\s*(\d+)/, 1].to_i << 10
    Process.setrlimit(:AS, [now + (512 << 20), limits[0]].min, limits[1])
    yield
  ensure
    Process.setrlimit(:AS, *limits) if limits
  end

  def assert_path(expected, serializer)
    paths = %i[to_json to_a].product([Item.order(:id), Item.order(:id).to_a]).map do |write, source|
      assert_raises(RuntimeError) { serializer.many(source).public_send(write) }.field_path
    end
    assert_match expected, paths[0]
    assert_equal 1, paths.uniq.size, paths
  end

  def test_explain
    serializer = Class.new(Katsu::Serializer) do
      nested(:inner, if: ->(item) { item.id }) { attributes :id }
    end
    field = serializer.many(Item.all).explain.to_h[:fields].first
    assert_equal ["inner", "say by needs: which columns and associations it reads"], field.values_at(:path, :faster)
    fields = serializer_of(:in_another, :many, {}).many(Item.all).explain.to_h[:fields]
    assert_equal %w[outer outer.inner outer.inner.children outer.inner.children.id outer.inner.children.data],
                 fields.map { |found| found[:path] }
  end

  def test_a_condition_that_reads_more
    serializer = Class.new(Katsu::Serializer) do
      nested(:inner, if: ->(item) { item.price }, needs: :id) { attributes :id }
    end
    assert_match(/price of .*Item is not loaded/,
                 assert_raises(Katsu::NeedsError) { serializer.many(Item.all).to_json }.message)
    wrong = Class.new(Katsu::Serializer) { nested(:inner, if: -> { 1 }, needs: :nmae) { attributes :id } }
    error = assert_raises(ArgumentError) { wrong.many(Item.all).to_json }
    assert_match(/needs: of :inner names :nmae.*name/m, error.message)
  end
end
