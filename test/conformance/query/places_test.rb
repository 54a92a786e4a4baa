# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "stringio"

# An error names the object by its index in the document, whichever way that is read and written.
class QueryPlacesTest < TestCase
  ActiveRecord::Schema.define do
    create_table(:place_items) do |t|
      t.string :name
      t.json :data
      t.integer :parent_id
    end
  end

  class Item < ActiveRecord::Base
    self.table_name = "place_items"
    has_many :children, -> { order(:id) }, class_name: "QueryPlacesTest::Item", foreign_key: :parent_id
  end

  FAILING = ->(item) { item.name == "bad" ? raise("bad") : 1 }

  class RowSerializer < Katsu::Serializer
    attribute(:name, needs: :name, &FAILING)
  end

  class RecordSerializer < Katsu::Serializer
    attribute(:name, &FAILING)
  end

  class TextSerializer < Katsu::Serializer
    attribute(:name, needs: :name) { |item| item.name == "bad" ? "\xff" : 1 }
  end

  COUNT = GC_MODE == "normal" ? 2100 : 3

  def setup
    Item.delete_all
    Item.insert_all!(Array.new(COUNT) { |i| {name: i == COUNT - 1 ? "bad" : "good"} })
  end

  def place(error) = error.is_a?(Katsu::GeneratorError) ? error.path : error.field_path

  def assert_place(path, &block)
    assert_equal path, place(assert_raises(RuntimeError, Katsu::GeneratorError, &block))
  end

  def test_collections
    [RowSerializer, RecordSerializer, TextSerializer].each do |serializer|
      [Item.all, Item.order(:id), Item.all.to_a, Item.order(:id).each].each do |source|
        document = serializer.many(source)
        path = "[#{COUNT - 1}].name"
        assert_place(path) { document.to_json }
        assert_place(path) { document.write_to(StringIO.new) }
        assert_place(path) { document.write_to(StringIO.new, format: :ndjson) }
        break unless GC_MODE == "normal"
      end
    end
  end

  def test_one_object
    [RowSerializer, RecordSerializer, TextSerializer].each do |serializer|
      [Item.where(name: "bad"), Item.find_by(name: "bad")].each do |source|
        assert_place("name") { serializer.one(source).to_json }
        assert_place("name") { serializer.one(source).write_to(StringIO.new) }
      end
    end
    assert_place("name") { RowSerializer.one(Item.where(name: "bad")).to_h }
  end

  class DataSerializer < Katsu::Serializer
    attributes :data
  end

  class ParentSerializer < Katsu::Serializer
    has_many :children, serializer: DataSerializer
  end

  # A row tells its id if the document reads it, and here none does.
  def assert_refused(path, document, child)
    id = document.explain.to_h[:way] == :rows ? "" : " with id #{child.id}"
    [-> { document.to_json }, -> { document.to_a }, -> { document.write_to(StringIO.new) }].each do |call|
      error = assert_raises(Katsu::GeneratorError) { watched(&call) }
      assert_equal path, error.path
      assert_match(/DataSerializer: data of \S+Item#{id} is not JSON/, error.message)
    end
  end

  def test_json_columns_that_are_none
    parent = Item.first
    children = Array.new(2) { Item.create!(parent_id: parent.id, data: {}) }
    Item.connection.execute("UPDATE place_items SET data = '{' WHERE id = #{children.last.id}")
    records = Item.where(id: parent.id)
    [records.spawn, records.to_a, records.includes(:children).to_a].each do |source|
      assert_refused("[0].children[1].data", ParentSerializer.many(source), children.last)
    end
    error = assert_raises(Katsu::GeneratorError) { DataSerializer.one(Item.where(id: children.last.id)).to_json }
    assert_equal "data", error.path
  end

  class Holding < ActiveRecord::Base
    self.table_name = "place_items"
    belongs_to :holder, polymorphic: true, foreign_type: :name, foreign_key: :parent_id, optional: true
  end

  class HoldingSerializer < Katsu::Serializer
    has_one :holder, serializer: ParentSerializer
  end

  # Rows below a polymorphic association are row objects.
  def test_json_columns_that_are_none_below_a_polymorphic_association
    parent = Item.first
    children = Array.new(2) { Item.create!(parent_id: parent.id, data: {}) }
    Item.connection.execute("UPDATE place_items SET data = '{' WHERE id = #{children.last.id}")
    holdings = [nil, Item.name].map { |name| Holding.create!(name: name, parent_id: parent.id) }
    relation = Holding.where(id: holdings).order(:id)
    [relation.spawn, relation.to_a].each do |source|
      assert_refused("[1].holder.children[1].data", HoldingSerializer.many(source), children.last)
    end
  end
end
