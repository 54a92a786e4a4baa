# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# Keys that are empty texts or NULL, keys whose types are changed later, and associations with the name of a column.
class QueryKeyTypesTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:key_type_owners) { |t| t.string(:code) && t.boolean(:flag) }
    create_table(:key_type_parts) { |t| t.string(:code, :owner) && t.integer(:owner_id) && t.boolean(:flag) }
  end

  # NULL is a key like another.
  class Standard < ActiveRecord::Type::String
    def deserialize(value) = value.nil? ? "standard" : super
  end

  class Owner < ActiveRecord::Base
    self.table_name = "key_type_owners"
    has_many :parts, -> { order(:id) }, class_name: "QueryKeyTypesTest::Part", primary_key: :code, foreign_key: :code
    has_many :owned, -> { order(:id) }, class_name: "QueryKeyTypesTest::Part", foreign_key: :owner_id
  end

  class Part < ActiveRecord::Base
    self.table_name = "key_type_parts"
    belongs_to :owner, class_name: "QueryKeyTypesTest::Owner", optional: true
    belongs_to :by_code, class_name: "QueryKeyTypesTest::Owner", primary_key: :code, foreign_key: :code, optional: true
    belongs_to :by_flag, class_name: "QueryKeyTypesTest::Owner", primary_key: :flag, foreign_key: :flag, optional: true
  end

  class StandardOwner < Owner
    attribute :code, Standard.new
    has_many :parts, -> { order(:id) }, class_name: "QueryKeyTypesTest::StandardPart", primary_key: :code,
                                        foreign_key: :code
  end

  class StandardPart < Part
    attribute :code, Standard.new
    belongs_to :by_code, class_name: "QueryKeyTypesTest::StandardOwner", primary_key: :code, foreign_key: :code,
                         optional: true
  end

  class OwnerSerializer < Katsu::Serializer
    attributes :id
    has_many(:parts) { attributes :id }
  end

  class PartSerializer < Katsu::Serializer
    attributes :id
    has_one(:by_code) { attributes :id }
  end

  class FlagSerializer < Katsu::Serializer
    attributes :id
    has_one(:by_flag) { attributes :id }
  end

  class OwnedSerializer < Katsu::Serializer
    attributes :id
    has_many(:owned) { attributes :id }
  end

  # As an export may do that hides them.
  def test_primary_keys_that_a_field_changes_in_batches
    Owner.insert_all(Array.new(2100) { |i| {code: "c#{i}"} })
    [-> { nil }, -> { 0 }, -> { 10**6 }].each do |key|
      serializer = Class.new(Katsu::Serializer) { attribute(:code) { |owner| owner.code.tap { owner.id = key.call } } }
      assert_equal :records, serializer.many(Owner.all).explain.to_h[:way]
      text = serializer.many(Owner.where("code LIKE 'c%'")).write_to(StringIO.new, format: :ndjson).string
      assert_equal Array.new(2100) { |i| "c#{i}" }, text.lines.map { |line| JSON.parse(line).fetch("code") }
    end
  end

  # ActiveRecord takes false for no key.
  def test_keys_that_are_booleans
    owners = [true, false].to_h { |flag| [flag, Owner.create!(flag: flag)] }
    parts = [true, false, nil].map { |flag| Part.create!(flag: flag) }
    expected = parts.map { |part| {"id" => part.id, "by_flag" => (owners[part.flag] if part.flag)&.slice("id")} }
    assert_equal parts.map { |part| part.by_flag&.id }, expected.map { |part| part.dig("by_flag", "id") }
    relation = Part.where(id: parts).order(:id)
    assert_equal expected, JSON.parse(FlagSerializer.many(relation).to_json)
    assert_equal expected, JSON.parse(FlagSerializer.many(relation.to_a).to_json)
    assert_includes FlagSerializer.many(relation).explain.to_s, "a key of the association is a boolean"
  end

  def setup
    [nil, "", "standard"].each { |code| Owner.create!(code: code) }
    ["", nil, "standard", ""].each { |code| Part.insert({code: code}) }
  end

  def teardown
    [Part, Owner].each(&:delete_all)
  end

  # As the records have it that the reader of the association finds.
  def check(serializer, relation)
    assert_equal :rows, serializer.many(relation).explain.to_h[:way]
    expected = serializer.many(relation.clone.to_a).to_a
    assert_equal expected, watched { serializer.many(relation).to_a }
    assert_equal expected, JSON.parse(watched { serializer.many(relation).to_json })
    assert_equal 2, queries { serializer.many(relation).to_json }.size
    expected
  end

  # No text of the result has a byte.
  def test_texts_that_are_empty
    [Owner, Part].each { |model| model.where.not(code: "").or(model.where(code: nil)).delete_all }
    assert_equal 2, check(OwnerSerializer, Owner.order(:id)).sum { |owner| owner["parts"].size }
    assert_equal 2, check(PartSerializer, Part.order(:id)).count { |part| part["by_code"] }
  end

  def test_types_that_make_a_value_of_null
    found = check(OwnerSerializer, StandardOwner.order(:id))
    assert_equal [1, 2, 1], found.map { |owner| owner["parts"].size }
    assert_equal 4, check(PartSerializer, StandardPart.order(:id)).count { |part| part["by_code"] }
    assert_equal 3, check(OwnerSerializer, Owner.order(:id)).sum { |owner| owner["parts"].size }
  end

  # Only the model that the association leads to has changed.
  def test_a_key_that_gets_another_type_later
    part = self.class.const_set(:LaterPart, Class.new(Part))
    owner = self.class.const_set(:LaterOwner, Class.new(Owner))
    owner.class_eval do
      has_many :owned, -> { order(:id) }, class_name: "QueryKeyTypesTest::LaterPart", foreign_key: :owner_id
    end
    part.update_all(owner_id: Owner.first.id)
    assert_equal 4, check(OwnedSerializer, owner.order(:id)).sum { |one| one["owned"].size }
    part.attribute :owner_id, :string
    assert_equal OwnedSerializer.many(owner.order(:id).to_a).to_a, OwnedSerializer.many(owner.order(:id)).to_a
  ensure
    %i[LaterPart LaterOwner].each { |name| self.class.send(:remove_const, name) }
  end

  # The reader is that of the association.
  def test_needs_of_an_association_with_the_name_of_a_column
    Part.update_all(owner_id: Owner.first.id, owner: "text")
    serializer = Class.new(Katsu::Serializer) { attribute(:code, needs: {owner: :id}) { |part| part.owner.id } }
    names = Class.new(Katsu::Serializer) { attribute(:any, needs: :owner) { |part| !part.owner.nil? } }
    [serializer, names].each { |one| check(one, Part.order(:id)) }
  end
end
