# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "tempfile"

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
    def part.name = "own"
    refute versioned?(PartsSerializer.one(@item))
  end

  def test_arrays_of_what_is_no_record
    [[[@item]], [Item.order(:id)], [[]]].each do |given|
      %i[to_json etag cache_key_with_version].each do |way|
        assert_raises(Katsu::NumberError) { NameSerializer.many(given).public_send(way) }
      end
    end
    refute versioned?(NameSerializer.many([nil, @item]))
  end

  # As by a preloader with a scope, which may be another one for each viewer.
  def test_associations_that_were_loaded_in_part
    2.times { |number| @item.parts.create!(name: "part #{number}") }
    versions = [[], [0], [0, 1], [0, 1, 2], nil].map do |indexes|
      item = Item.find(@item.id)
      parts = item.parts.order(:id).to_a
      item.association(:parts).target = parts.values_at(*indexes) if indexes
      [PartsSerializer.one(item), PartsSerializer.many([item])]
        .each { |document| assert versioned?(document) }.map(&:cache_key_with_version)
    end
    assert_equal versions.flatten, versions.flatten.uniq
  end

  class NestedSerializer < Katsu::Serializer
    nested(:family) { has_many :parts, serializer: NameSerializer }
  end

  class NeedsSerializer < Katsu::Serializer
    attribute(:family, needs: [:name, {parent: {parts: :name}}]) { |item| item.parent&.parts&.map(&:name) }
  end

  def test_objects_that_were_changed_below_nested_and_needs
    [NestedSerializer, NeedsSerializer].each do |serializer|
      item = @item.parts.reload.first
      item.parts.load
      item.parent.parts.load
      assert versioned?(serializer.one(item))
      part = (serializer == NestedSerializer ? item : item.parent).parts.build(name: "built")
      refute versioned?(serializer.one(item)), serializer
      part.save!
      assert versioned?(serializer.one(item))
    end
  end

  class ChildSerializer < Katsu::Serializer
    has_one :parent, serializer: "QueryVersionTest::ParentSerializer", depth: 2
  end

  class ParentSerializer < Katsu::Serializer
    has_many :parts, serializer: ChildSerializer, depth: 2
  end

  def test_objects_that_lead_back
    3.times { @item.parts.create!(name: "part") }
    item = Item.includes(parts: {parent: :parts}).find(@item.id)
    item.parts.each { |part| part.parent.parts.each { |one| one.association(:parent).target = item } }
    assert versioned?(ParentSerializer.one(item))
    item.parts.last.name = "changed"
    refute versioned?(ParentSerializer.one(item))
  end

  class Listed < Item
    belongs_to :parent, class_name: "QueryVersionTest::Listed", optional: true
    def to_a = [id, name]
  end

  def test_records_that_have_a_to_a
    part = Listed.find_by!(parent_id: @item.id)
    part.parent.name
    assert versioned?(PartsSerializer.one(part))
    part.parent.name = "changed"
    refute versioned?(PartsSerializer.one(part))
  end

  # Values that are no columns change without a change of any version.
  def test_other_values_than_those_of_the_table
    count = "(SELECT COUNT(*) FROM version_items AS others WHERE others.parent_id = version_items.id) AS count"
    relation = Item.select("version_items.*, #{count}")
    refute versioned?(NameSerializer.many(relation))
    refute versioned?(NameSerializer.many(relation.to_a))
    refute versioned?(NameSerializer.many(Item.group(:id)))
    refute versioned?(NameSerializer.many(Item.from("(SELECT * FROM version_items) AS version_items")))
    refute versioned?(NameSerializer.many(Item.joins(:parent).select("version_items.*, parents_version_items.name")))
    record = Item.find(@item.id)
    assert versioned?(NameSerializer.many([record]))
    record.define_singleton_method(:name) { "own" }
    refute versioned?(NameSerializer.many([record]))
  end

  # What a relation has found out it keeps; a document may be a constant.
  def test_a_document_that_is_kept
    document = NameSerializer.many(Item.order(:id))
    version = document.cache_key_with_version
    Item.create!(name: "new")
    refute_equal version, document.cache_key_with_version
    assert versioned?(document)
  end

  def test_settings_that_change_the_bytes
    document = NameSerializer.many(Item.order(:id))
    version = document.cache_key_with_version
    encoding = ActiveSupport::JSON::Encoding
    encoding.time_precision = 0
    refute_equal version, document.cache_key_with_version
  ensure
    encoding.time_precision = 3
  end

  def test_methods_of_models_and_types
    Tempfile.create(["version_item", ".rb"]) do |file|
      versions = ["name.upcase", "name.downcase"].map do |body|
        File.write(file.path, "class QueryVersionTest::Item; def loud = #{body}; end")
        Item.remove_method(:loud) if Item.method_defined?(:loud)
        load file.path
        Katsu::Plan::ModelDigest.forget
        loud = Class.new(Katsu::Serializer) do
          def self.to_s = "Loud"
          attributes :loud
        end
        parents = Class.new(Katsu::Serializer) do
          def self.to_s = "Parents"
          has_one :parent, serializer: loud
        end
        nested = Class.new(Katsu::Serializer) do
          def self.to_s = "Nested"
          nested(:card) { attributes :loud }
        end
        [loud, parents, nested].map { |serializer| serializer.many(Item.order(:id)).cache_key_with_version }
      end
      versions.transpose.each { |before, after| refute_equal before, after }
    end
  ensure
    Item.remove_method(:loud) if Item.method_defined?(:loud)
  end

  def test_methods_of_models_that_are_keys
    serializer = Class.new(Katsu::Serializer) { has_many :parts, serializer: NameSerializer, by: :loud }
    Tempfile.create(["version_item", ".rb"]) do |file|
      digests = %w[upcase downcase].map do |body|
        File.write(file.path, "class QueryVersionTest::Item; def loud = name.#{body}; end")
        Item.remove_method(:loud) if Item.method_defined?(:loud)
        load file.path
        Katsu::Plan::ModelDigest.forget
        Katsu::Plan::ModelDigest.of(serializer.plan, Item)
      end
      assert_equal digests.uniq, digests
    end
  ensure
    Item.remove_method(:loud) if Item.method_defined?(:loud)
  end

  def test_pairs_and_hashes_as_context
    contexts = [{a: 1}, [[:a, 1]], [:a, 1]]
    versions = contexts.map { |context| NameSerializer.many(Item.all, context: context).cache_key_with_version }
    assert_equal versions.uniq, versions
  end

  # An ArraySerializer and a Response have no version: what they are asked for is made of the JSON.
  def test_documents_without_a_version
    make = lambda do |name|
      array = Katsu::ArraySerializer.new([{name: name}], each_serializer: NameSerializer)
      [array, Katsu::Response.new({items: array})].map(&:cache_key_with_version)
    end
    assert_equal make.call("a"), make.call("a")
    assert_equal 8, [nil, "", 1, "1"].flat_map(&make).uniq.size
  end

  module Loud
    def name = super.upcase
  end

  # What makes other bytes of equal records.
  def test_records_that_are_extended
    refute versioned?(NameSerializer.one(Item.find(@item.id).extend(Loud)))
    refute versioned?(NameSerializer.many(Item.all.load.each { |item| item.extend(Loud) }))
  end

  def test_types_of_columns
    version = -> { NameSerializer.many(Item.order(:id)).cache_key_with_version }
    before = version.call
    plain = Item.attribute_types["name"]
    versions = [ActiveRecord::Type::String.new(limit: 3), ActiveRecord::Type::Decimal.new(scale: 1),
                ActiveRecord::Type::Decimal.new(scale: 2)].map do |type|
      Item.attribute :name, type
      version.call
    end
    assert_equal 4, [before, *versions].uniq.size
  ensure
    Item.attribute :name, plain
  end

  class Holder < ActiveRecord::Base
    self.table_name = "version_items"
    belongs_to :parent, polymorphic: true, foreign_type: :name, optional: true
  end

  # Which models it leads to is not known.
  def test_polymorphic_associations
    serializer = Class.new(Katsu::Serializer) { has_one :parent, serializer: NameSerializer }
    Item.update_all(name: nil, parent_id: nil)
    refute versioned?(serializer.many(Holder.all))
  end

  def test_methods_of_subclasses
    Tempfile.create(["version_item", ".rb"]) do |file|
      serializer = Class.new(Katsu::Serializer) { attributes :shown }
      Item.class_eval { def shown = name }
      versions = %w[upcase downcase].map do |body|
        File.write(file.path, "class QueryVersionTest::SubItem < QueryVersionTest::Item; def shown = name.#{body}; end")
        load file.path
        Katsu::Plan::ModelDigest.forget
        serializer.many(Item.order(:id)).cache_key_with_version.tap { SubItem.remove_method(:shown) }
      end
      assert_equal versions.uniq, versions
    end
  ensure
    Item.remove_method(:shown)
  end
end
