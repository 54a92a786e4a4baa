# frozen_string_literal: true

require "support/test_case"
require "support/database"

# A document has a version of its own only if every change of its bytes changes the version; otherwise it is the etag.
class QueryVersionTest < TestCase
  ActiveRecord::Schema.define do
    create_table :version_items do |t|
      t.string :name
      t.references :parent
      t.datetime :updated_at, precision: 6
    end
  end

  class Item < ActiveRecord::Base
    self.table_name = "version_items"
    belongs_to :parent, class_name: "QueryVersionTest::Item", optional: true
    has_many :parts, class_name: "QueryVersionTest::Item", foreign_key: :parent_id
  end

  class NameSerializer < Katsu::Serializer
    attributes :name
  end

  class PartsSerializer < Katsu::Serializer
    attributes :name
    has_many :parts, serializer: NameSerializer
    has_one :parent, serializer: NameSerializer
  end

  def setup
    Item.delete_all
    @item = Item.create!(name: "one", parts: [Item.new(name: "part")])
  end

  def versioned?(document)
    version = document.cache_key_with_version
    assert_equal version, document.cache_key_with_version
    !version.start_with?("katsu/\"")
  end

  def test_records
    assert versioned?(NameSerializer.one(@item))
    assert versioned?(NameSerializer.many([@item]))
    refute versioned?(NameSerializer.one(Item.new(name: "new")))
    @item.name = "changed"
    refute versioned?(NameSerializer.one(@item))
    refute versioned?(NameSerializer.many([@item]))
  end

  def test_records_without_a_time
    Item.update_all(updated_at: nil)
    refute versioned?(NameSerializer.one(Item.first))
    refute versioned?(NameSerializer.many(Item.all.to_a))
    refute versioned?(NameSerializer.many(Item.all))
    refute versioned?(NameSerializer.one(Item.select(:id, :name).first))
    assert versioned?(NameSerializer.many(Item.none))
  end

  def test_relations_that_are_loaded
    relation = Item.order(:id).load
    assert versioned?(NameSerializer.many(relation))
    relation.first.name = "changed"
    refute versioned?(NameSerializer.many(relation))
  end

  def test_objects_that_were_built_in_associations
    assert versioned?(PartsSerializer.one(@item))
    assert versioned?(NameSerializer.many(@item.parts))
    part = @item.parts.build(name: "built")
    refute versioned?(PartsSerializer.one(@item))
    refute versioned?(PartsSerializer.many([@item]))
    refute versioned?(NameSerializer.many(@item.parts))
    assert versioned?(NameSerializer.one(@item))
    refute versioned?(PartsSerializer.one(Item.find(@item.id).tap { |item| item.parts.load.first.name = "changed" }))
    part.save!
    assert versioned?(PartsSerializer.one(@item))
  end
end
