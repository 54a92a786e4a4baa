# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# Objects that ActiveRecord gives their owner (inverse_of): code that they run finds it without a query, and even if a
# scope hides it. The reference is the loaded relation.
class QueryOwnersTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:owner_houses) do |t|
      t.string :name
      t.boolean :hidden
    end
    create_table(:owner_rooms) do |t|
      t.string :name
      t.string :type
      t.references :house
    end
  end

  class House < ActiveRecord::Base
    self.table_name = "owner_houses"
    default_scope { where(hidden: false) }
    has_many :rooms, class_name: "QueryOwnersTest::Room", inverse_of: :house
    has_many :cells, class_name: "QueryOwnersTest::Cell", inverse_of: :house
  end

  class Room < ActiveRecord::Base
    self.table_name = "owner_rooms"
    belongs_to :house, class_name: "QueryOwnersTest::House", optional: true
  end

  # Without subclasses.
  class Cell < ActiveRecord::Base
    self.table_name = "owner_rooms"
    self.inheritance_column = nil
    belongs_to :house, class_name: "QueryOwnersTest::House", optional: true
  end

  # Its reader of a column asks the owner.
  class Hall < Room
    def name = "#{super} of #{house ? house.name : "nobody"}"
  end

  class RoomSerializer < Katsu::Serializer
    attributes :name
    attribute(:full) { |room| "#{room.house.name}/#{room.name}" }
  end

  def setup
    @houses = Array.new(4) { |i| House.create!(name: "house #{i}", hidden: i.zero?) }
    @houses.each { |house| Room.create!(name: "room", house_id: house.id) }
  end

  def teardown = [House.unscoped, Room].each(&:delete_all)

  def houses = House.unscoped.order(:id)

  def rooms_by(by)
    Class.new(Katsu::Serializer) { has_many :rooms, serializer: RoomSerializer, only: [:name], by: by }
  end

  # The JSON of the houses, and in how many queries.
  def assert_as_records(serializer)
    text = nil
    expected = serializer.many(houses.to_a).to_json
    made = queries { assert_equal(expected, text = serializer.many(houses).to_json) }
    [text, made.size]
  end

  def test_keys_that_ask_the_owner
    [->(room) { room.house.name }, :full].each do |by|
      serializer = rooms_by(by)
      around = Class.new(Katsu::Serializer) { nested(:inside) { has_many :rooms, serializer: RoomSerializer, by: by } }
      text, count = assert_as_records(serializer)
      assert_includes text, '{"rooms":{"house 0'
      assert_equal 2, count
      assert_equal 2, assert_as_records(around).last
      assert_equal :records, serializer.many(houses).explain.to_h[:way]
    end
  end

  def test_keys_that_are_columns
    cells = Class.new(Katsu::Serializer) { has_many :cells, serializer: RoomSerializer, only: [:name], by: :name }
    text, count = assert_as_records(cells)
    assert_includes text, '{"cells":{"room":{"name":"room"}}}'
    assert_equal [2, :rows], [count, cells.many(houses).explain.to_h[:way]]
    @houses.each { |house| Hall.create!(name: "hall", house_id: house.id) }
    text, count = assert_as_records(rooms_by(:name))
    assert_includes text, '{"rooms":{"room":{"name":"room"},"hall of house 0":{"name":"hall of house 0"}}}'
    assert_equal 2, count
  end

  # Rows of a subclass that is read in another way turn out to need records when they are there.
  def test_readers_of_a_subclass
    serializer = Class.new(Katsu::Serializer) { has_many :rooms, serializer: RoomSerializer, only: [:name] }
    assert_equal 2, assert_as_records(serializer).last
    @houses.each { |house| Hall.create!(name: "hall", house_id: house.id) }
    text, count = assert_as_records(serializer)
    assert_includes text, '[{"name":"room"},{"name":"hall of house 0"}]'
    assert_equal 4, count, "rows first, then records"
  end
end
