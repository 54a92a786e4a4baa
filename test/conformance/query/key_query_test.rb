# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# The query for an association's rows, of which what does not change is kept.
class KeyQueryTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:keyed_owners) { |t| t.string :code }
    create_table(:keyed_things) do |t|
      t.string :name
      t.string :type
      t.string :code
      t.boolean :hidden
      t.integer :owner_id, limit: 4
    end
    create_table(:moved_things) { |t| t.references :owner }
    add_column :moved_things, :name, :string
  end

  class Owner < ActiveRecord::Base
    self.table_name = "keyed_owners"
    has_many :things, class_name: "KeyQueryTest::Thing"
    has_many :coded, class_name: "KeyQueryTest::Thing", foreign_key: :code, primary_key: :code
    has_many :specials, class_name: "KeyQueryTest::Special"
  end

  class Thing < ActiveRecord::Base
    self.table_name = "keyed_things"
    belongs_to :owner, class_name: "KeyQueryTest::Owner"
  end

  class Special < Thing; end

  class ThingSerializer < Katsu::Serializer
    attributes :name
  end

  class OwnerSerializer < Katsu::Serializer
    attributes :id
    has_many :things, serializer: ThingSerializer
    has_many :coded, serializer: ThingSerializer
  end

  class SpecialsSerializer < Katsu::Serializer
    attributes :id
    has_many :specials, serializer: ThingSerializer
  end

  class OwnedSerializer < Katsu::Serializer
    attributes :name
    has_one :owner, serializer: Class.new(Katsu::Serializer) { attributes :id, :code }
  end

  def setup
    [Owner, Thing].each(&:delete_all)
    Owner.insert_all!((1..9).map { |id| {id: id, code: "c'#{id}"} })
    Thing.insert_all!((1..20).map do |i|
      {name: "thing #{i}", owner_id: (i % 7) + 1, code: "c'#{i % 4}", hidden: i.even?,
       type: ("KeyQueryTest::Special" if i > 15)}
    end)
    [Owner, Thing].each(&:columns_hash)
  end

  def assert_as_records(relation, serializer = OwnerSerializer)
    expected = Katsu::ArraySerializer.new(relation.to_a, each_serializer: serializer).to_json
    written = nil
    found = queries { written = serializer.many(relation.spawn).to_json }
    assert_equal expected, written
    assert_equal JSON.parse(expected), watched { serializer.many(relation.spawn).to_a }
    found
  end

  # There is nothing to ask the database for.
  def test_keys_that_are_all_nil
    Owner.insert_all!([{id: 10, code: nil}, {id: 11, code: nil}])
    assert_equal 2, assert_as_records(Owner.where(id: 10..).order(:id)).size
    Thing.insert_all!([{name: "of nobody", owner_id: nil}])
    assert_equal 1, assert_as_records(Thing.where(owner_id: nil), OwnedSerializer).size
  end

  KEYS = [1..9, 2..3, 1..9, 4..4, 5..8, 20..30, [3, 5]].freeze

  def test_other_keys_in_its_place
    kept = KEYS.flat_map { |ids| assert_as_records Owner.where(id: ids).order(:id) }
    built = KEYS.flat_map do |ids|
      Katsu::Query::Selection.forget
      queries { OwnerSerializer.many(Owner.where(id: ids).order(:id)).to_json }
    end
    assert_equal built, kept
    assert_includes kept.last(2)[0], Thing.select(:name, :type, :owner_id).where(owner_id: [7, 9]).to_sql[/\A.* IN/]
  end

  def test_keys_are_not_kept
    assert_as_records Owner.order(:id)
    selection = Katsu::Query::Selection.of(Katsu::Plan.for(OwnerSerializer, nil, nil), Owner)
    below = selection.associations.each_value.map { |association| selection.below(association) }
    assert_equal [%w[owner_id], %w[code]], below.map { |found| found.key_queries.keys }
    below.each { |found| assert_empty found.key_queries.values[0].arel.ast.cores[0].wheres }
  end

  def test_one_object_of_many
    2.times { assert_as_records Thing.order(:id), OwnedSerializer }
    assert_as_records Thing.where(owner_id: 1).order(:id), OwnedSerializer
  end

  # As an error or as ActiveRecord finds them.
  def test_keys_that_the_column_does_not_hold
    Owner.insert_all!([{id: 2**40, code: nil}, {id: 2**41, code: "x"}])
    assert_as_records Owner.order(:id)
    assert_as_records Owner.where(id: [1, 2**40]).order(:id)
    assert_as_records Owner.where(id: [2**40, 2**41]).order(:id)
  end

  def test_scopes_around_it
    assert_as_records Owner.order(:id)
    Thing.where(hidden: false).scoping(all_queries: true) { assert_as_records Owner.order(:id) }
    Thing.where(hidden: true).scoping { assert_as_records Owner.order(:id) }
    Thing.none.scoping { assert_as_records Owner.order(:id) }
    assert_as_records Owner.order(:id)
  end

  def test_a_default_scope_that_comes_and_goes
    before = assert_as_records(Owner.order(:id))
    Thing.send(:default_scope) { where(hidden: false).order(id: :desc) }
    refute_equal before, assert_as_records(Owner.order(:id))
    Thing.default_scopes = []
    assert_equal before, assert_as_records(Owner.order(:id))
  ensure
    Thing.default_scopes = []
  end

  def test_another_table
    assert_as_records Owner.order(:id)
    model = Class.new(ActiveRecord::Base) { def self.name = "KeyQueryTest::Changing" }
    model.inheritance_column = nil
    owner = Class.new(ActiveRecord::Base) { def self.name = "KeyQueryTest::ChangingOwner" }
    owner.table_name = "keyed_owners"
    owner.has_many(:things, anonymous_class: model, foreign_key: :owner_id)
    serializer = Class.new(Katsu::Serializer) { has_many :things, serializer: ThingSerializer }
    %w[keyed_things moved_things].each do |table|
      model.table_name = table
      model.reset_column_information
      model.insert_all!([{owner_id: 1, name: "in #{table}"}, {owner_id: 2, name: "too"}])
      found = assert_as_records(owner.order(:id), serializer)
      assert_match(/FROM "#{table}"/, found.last)
    end
  end

  def test_subclasses
    2.times { assert_as_records Owner.order(:id), SpecialsSerializer }
  end
end
