# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

# A relation as a Hash by key is read as rows if the key is a column. The reference is the loaded relation.
class KeyedRowsTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table :keyed_items do |t|
      t.string :type
      t.string :name
      t.integer :state
      t.json :data
      t.datetime :made_at
      t.decimal :price, precision: 8, scale: 2
    end
    create_table(:keyed_parts) { |t| t.belongs_to :item }
  end

  class Part < ActiveRecord::Base
    self.table_name = "keyed_parts"
    belongs_to :item, class_name: "KeyedRowsTest::Item", optional: true
  end

  class Item < ActiveRecord::Base
    self.table_name = "keyed_items"
    has_many :parts, class_name: "KeyedRowsTest::Part", foreign_key: :item_id
    enum :state, {draft: 0, live: 1}
    alias_attribute :title, :name
    def shout = "#{name}!"
  end

  class Special < Item; end

  class PartSerializer < Katsu::Serializer
    attributes :id
  end

  class ItemSerializer < Katsu::Serializer
    attributes :name, :data, :price
    has_many :parts, serializer: PartSerializer
    def loud = object.name.upcase
  end

  def setup
    [Part, Item].each(&:delete_all)
    items = %w[x y x ü].each_with_index.map do |name, index|
      {type: ("KeyedRowsTest::Special" if index == 1), name: name, state: index % 2, data: {"n" => [index, "a"]},
       made_at: Time.utc(2026, 1, 2) + index, price: index + 0.5}
    end
    items.each { |item| Item.create!(item).parts.create! }
  end

  # The document in each form, which is that of the records.
  def check(serializer, by, relation = Item.order(:id), **options)
    loaded = serializer.many(relation.dup.load, by: by, **options)
    document = serializer.many(relation, by: by, **options)
    assert_equal loaded.to_json, watched { document.to_json }
    assert_equal loaded.to_h, watched { document.to_h }
    assert_equal loaded.to_json, document.write_to(StringIO.new).string
    document
  end

  COLUMNS = %i[id name state data made_at price title type].freeze

  def test_columns
    COLUMNS.each do |by|
      document = nil
      assert_equal 0, records_made { document = check_rows(ItemSerializer, by) }, by
      assert_equal :rows, document.explain.to_h[:way]
    end
  end

  # Without the reference, which makes records.
  def check_rows(serializer, by)
    document = serializer.many(Item.order(:id), by: by)
    [document.to_json, document.to_h, document.write_to(StringIO.new)]
    document
  end

  def test_the_bytes_of_records
    COLUMNS.each do |by|
      check(ItemSerializer, by)
      check(ItemSerializer, by, Special.order(:id))
      check(ItemSerializer, by, Item.where(name: "x").order(id: :desc), only: [:price])
      check(ItemSerializer, by, Item.none)
      check(ItemSerializer, by, Item.order(:id), transform_keys: :camel, except: [:data])
    end
  end

  def test_a_column_that_is_not_written_is_read
    document = check(ItemSerializer, :made_at, only: [:price])
    sql = document.explain.to_h[:queries].first[:sql]
    assert_includes sql, "made_at"
    refute_includes sql, "data"
    assert_equal 1, queries { document.to_json }.size
  end

  def test_what_is_no_column
    {loud: ItemSerializer, shout: ItemSerializer, ->(item) { item.id } => ItemSerializer}.each do |by, serializer|
      document = check(serializer, by)
      assert_equal :records, document.explain.to_h[:way]
      assert_includes document.explain.to_s, "because by: is read from a record"
    end
    assert_raises(Katsu::UnknownAttributeError) { ItemSerializer.many(Item.all, by: :nothing).to_json }
    assert_raises(ArgumentError) { ItemSerializer.many(Item.all, by: :parts).to_json }
  end

  # An attribute of the serializer comes before a column of its name.
  def test_attributes_of_the_serializer
    block = Class.new(Katsu::Serializer) { attribute(:name) { |item| "block of #{item.id}" } }
    assert_equal "block of", check(block, :name).to_h.keys.first[0, 8]
    rule = Class.new(Katsu::Serializer) { attribute :name, default: "none" }
    Item.create!(name: nil)
    assert_includes check(rule, :name).to_h.keys, "none"
    condition = Class.new(Katsu::Serializer) do
      attributes :id
      attribute :name, if: -> { false }
    end
    assert_includes check(condition, :name).to_h.keys, "ü"
  end

  def test_fields_with_needs
    serializer = Class.new(Katsu::Serializer) { attribute(:loud, needs: [:name]) { |item| item.name.upcase } }
    assert_equal 0, records_made { serializer.many(Item.order(:id), by: :state).to_json }
    assert_equal({"draft" => {"loud" => "X"}, "live" => {"loud" => "Ü"}}, check(serializer, :state).to_h)
  end

  # The reader of a subclass counts for the rows that are of it.
  def test_subclasses_with_a_reader_of_their_own
    base = Class.new(ActiveRecord::Base) { self.table_name = "keyed_items" }
    self.class.const_set(:Base, base)
    base.define_singleton_method(:sti_name) { "Base" }
    loud = Class.new(base) { def name = "loud #{super}" }
    self.class.const_set(:Loud, loud)
    Item.update_all(type: "KeyedRowsTest::Loud")
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    assert_equal ["loud x", "loud y", "loud ü"], check(serializer, :name, base.order(:id)).to_h.keys
  ensure
    %i[Base Loud].each { |name| self.class.send(:remove_const, name) if self.class.const_defined?(name, false) }
  end

  # However many there are: those are looked at that a row names.
  def test_subclasses_that_no_row_names
    base = Class.new(ActiveRecord::Base) do
      self.table_name = "keyed_items"
      define_singleton_method(:name) { "KeyedRowsTest::Many" }
    end
    subclasses = Array.new(100) { Class.new(base) }
    Item.update_all(type: nil)
    document = PartSerializer.many(base.order(:id), by: :id)
    document.to_json
    asked = 0
    trace = TracePoint.new(:call) do |point|
      asked += 1 if point.method_id == :column && point.self.equal?(Katsu::Source::RecordSource)
    end
    trace.enable { document.to_json }
    assert_includes 1..5, asked
    assert_equal 100, subclasses.size
  end

  class WholeSerializer < Katsu::Serializer
    attributes :name
    has_many :parts, serializer: PartSerializer, by: :id
  end

  # Of an association with by: records are made, and of nothing around it.
  def test_associations
    assert_equal 4, records_made { WholeSerializer.many(Item.order(:id)).to_json }
    outer = Class.new(Katsu::Serializer) { has_one :item, serializer: WholeSerializer }
    assert_equal 4, records_made { outer.many(Part.order(:id)).to_json }
    [[WholeSerializer, Item], [outer, Part]].each do |serializer, model|
      documents = [model.order(:id), model.order(:id).load].map { |source| serializer.many(source) }
      assert_equal documents[1].to_json, watched { documents[0].to_json }
      assert_equal documents[1].to_a, watched { documents[0].to_a }
      assert_equal documents[1].write_to(StringIO.new, format: :ndjson).string,
                   documents[0].write_to(StringIO.new, format: :ndjson).string
    end
    assert_includes WholeSerializer.many(Item.all).explain.to_s, "from rows, records are made of parts"
  end

  # Of one association, once by key and once as an Array, the same records are written.
  def test_an_association_with_and_without_keys
    serializer = Class.new(Katsu::Serializer) do
      attributes :name
      has_many :parts, serializer: PartSerializer, by: :id
      has_many :parts, serializer: PartSerializer, name: :list
    end
    documents = [Item.order(:id), Item.order(:id).load].map { |source| serializer.many(source) }
    assert_equal documents[1].to_json, documents[0].to_json
    assert_equal documents[1].to_a, documents[0].to_a
    assert_equal 4, records_made { documents[0].to_json }
    ways = documents[0].explain.to_h[:fields].to_h { |field| [field[:path], field[:way]] }
    assert_equal [:model], ways.values_at("parts.id", "list.id").uniq
  end

  class Sibling < ActiveRecord::Base
    self.table_name = "keyed_parts"
    key = {primary_key: :item_id, foreign_key: :item_id}
    has_many :siblings, class_name: "KeyedRowsTest::Sibling", **key
    belongs_to :item, class_name: "KeyedRowsTest::Item", optional: true
    has_many :others, through: :item, source: :parts
  end

  def test_an_association_of_which_no_row_has_a_key
    parts = Class.new(Katsu::Serializer) do
      has_many :siblings, serializer: PartSerializer, by: :id
      has_many :others, serializer: PartSerializer, by: ->(part) { part.id }
      has_many :siblings, serializer: PartSerializer, name: :list
      has_many :siblings, serializer: {Sibling.name => PartSerializer}, name: :mixed
      has_one :item, serializer: {Item.name => PartSerializer}
    end
    Sibling.create!
    [Sibling.where(item_id: nil), Sibling.where(id: 0), Sibling.order(:id)].each do |relation|
      loaded = Katsu::ArraySerializer.new(relation.preload(:siblings, :others, :item).to_a, each_serializer: parts)
      assert_equal loaded.to_json, parts.many(relation).to_json
      assert_equal loaded.to_a, parts.many(relation).to_a
      first = loaded.to_a.first
      assert_equal first.to_json, parts.one(relation).to_json
    end
    empty = {"siblings" => {}, "others" => {}, "list" => [], "mixed" => [], "item" => nil}
    assert_equal empty, parts.one(Sibling.where(item_id: nil)).to_h
  end

  # A key that raises names the association and the object that has it.
  def test_errors_of_keys_in_associations
    serializer = Class.new(Katsu::Serializer) do
      attributes :name
      has_many :parts, serializer: PartSerializer, by: ->(_) { raise ArgumentError, "no key" }
    end
    %i[to_json to_a].each do |way|
      errors = [Item.order(:id), Item.order(:id).load].map do |source|
        assert_raises(ArgumentError) { serializer.many(source).public_send(way) }
      end
      places = errors.map { |error| [error.message, error.field_path, error.field_class.to_s, error.field_id] }
      assert_equal [["no key", "[0].parts", Item.name, Item.first.id]], places.uniq
    end
  end

  # A method field of the last of equal keys is called, and no other.
  def test_equal_keys
    called = []
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      attribute(:seen, needs: [:id]) { |item| called << item.id }
    end
    first, _, third, last = Item.order(:id).ids
    hash = serializer.many(Item.order(:id), by: :name).to_h
    assert_equal [["x", third], ["y", first + 1], ["ü", last]], hash.map { |key, item| [key, item["id"]] }
    assert_equal [third, first + 1, last], called.uniq
  end

  def test_errors_name_the_key
    serializer = Class.new(Katsu::Serializer) do
      attributes :name
      attribute(:bad, needs: [:name]) { |item| item.name == "ü" ? "\xff" : 1 }
    end
    errors = [Item.order(:id), Item.order(:id).load].map do |source|
      assert_raises(Katsu::GeneratorError) { serializer.many(source, by: :id).to_json }.inspect
    end
    assert_equal errors.last, errors.first
    assert_includes errors.first, "[\"#{Item.last.id}\"].bad"
  end

  # A hundred times as many, in several pieces, some keys far from each other.
  def test_many_rows
    Item.insert_all!(Array.new(2500) { |index| {name: "n#{index % 2400}"} })
    document = check(ItemSerializer, :name, only: %i[name price])
    assert_equal 2403, document.to_h.size
    assert_equal 1, queries { document.to_json }.size
    assert_operator document.each.to_a.size, :>, 1
  end

  # However many rows there are, the way to their children is made once.
  def test_many_rows_with_children
    Item.insert_all!(Array.new(2500) { |index| {name: "n#{index}"} })
    made = 0
    edge = Katsu::Query.send(:remove_const, :Edge)
    Katsu::Query.const_set(:Edge, Class.new(edge) { define_method(:key) { (made += 1) && super() } })
    2.times do |form|
      made = 0
      document = ItemSerializer.many(Item.order(:id), by: :id, only: %i[name parts])
      form.zero? ? document.to_json : document.to_h
      assert_equal native? ? 1 : 0, made
    end
  ensure
    Katsu::Query.send(:remove_const, :Edge)
    Katsu::Query.const_set(:Edge, edge)
  end
end
