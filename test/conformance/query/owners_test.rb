# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

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

  # An owner without a default scope.
  class Home < ActiveRecord::Base
    self.table_name = "owner_houses"
    has_many :doors, class_name: "QueryOwnersTest::Door", foreign_key: :house_id, inverse_of: :home
    has_many :others, class_name: "QueryOwnersTest::Room", foreign_key: :house_id
    has_many :namesakes, class_name: "QueryOwnersTest::Door", primary_key: :name, foreign_key: :name,
                         inverse_of: :namesake
  end

  class Door < ActiveRecord::Base
    self.table_name = "owner_rooms"
    self.inheritance_column = nil
    belongs_to :home, class_name: "QueryOwnersTest::Home", foreign_key: :house_id, optional: true
    belongs_to :namesake, class_name: "QueryOwnersTest::Home", primary_key: :name, foreign_key: :name
  end

  # A thing has what it is of as its owner, if that has one thing.
  class Thing < ActiveRecord::Base
    self.table_name = "owner_rooms"
    self.inheritance_column = nil
    belongs_to :home, polymorphic: true, foreign_type: :type, foreign_key: :house_id, inverse_of: :thing
    belongs_to :place, polymorphic: true, foreign_type: :type, foreign_key: :house_id, inverse_of: :things
  end

  class Place < ActiveRecord::Base
    self.table_name = "owner_houses"
    has_one :thing, -> { order(:id) }, class_name: "QueryOwnersTest::Thing", foreign_key: :house_id
    has_many :things, -> { order(:id) }, class_name: "QueryOwnersTest::Thing", foreign_key: :house_id
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

  # The owner of house.rooms is the object in memory, whatever a query would find.
  OWNERS = {
    as_stored: ->(homes) { homes.first },
    masked: ->(homes) { homes.select(:id, "'***' AS name").first },
    with_a_method_of_its_own: ->(homes) { homes.first.tap { |home| def home.name = "***" } },
    stale: ->(homes) { homes.first.tap { homes.update_all(name: "later") } },
    unsaved: ->(homes) { homes.first.tap { |home| home.name = "unsaved" } }
  }.freeze

  OWNER_READS = {
    written: ->(*) { has_one(:home) { attributes :name } },
    needed: ->(*) { attribute(:home, needs: {home: :name}) { |door| door.home.name } },
    nested: ->(*) { nested(:inside) { has_one(:home) { attributes :name } } }
  }.freeze

  PARTS = [-> { itself }, -> { where(name: "room") }, -> { order(:id) }, -> { unscope(where: :house_id) }].freeze

  def doors(find, part)
    home = Home.where(id: @houses[1].id)
    home.update_all(name: "house 1")
    find.call(home).doors.instance_exec(&part)
  end

  def test_the_owner_of_the_association_that_is_written
    serializers = OWNER_READS.transform_values { |body| Class.new(Katsu::Serializer, &body) }
    OWNERS.to_a.product(serializers.to_a, PARTS) do |(how, find), (name, serializer), part|
      expected = serializer.many(doors(find, part).to_a).to_json
      assert_equal expected, serializer.many(doors(find, part)).to_json, [how, name].inspect
      assert_equal expected, serializer.many(doors(find, part)).write_to(StringIO.new).string
      assert_equal JSON.parse(expected)[0], serializer.one(doors(find, part)).to_h
    end
  end

  # ActiveRecord 7.2 gives the owner to all records of the association, but not to those of a batch.
  def test_an_owner_that_is_found_by_another_key
    Home.where(id: @houses[1].id).update_all(name: "1")
    Room.create!(name: "1", house_id: @houses[2].id)
    namesakes = -> { Home.find(@houses[1].id).tap { |home| def home.name = "***" }.namesakes }
    serializer = Class.new(Katsu::Serializer) { has_one(:namesake) { attributes :name } }
    expected = serializer.many(namesakes.call.to_a).to_json
    assert_equal '[{"namesake":{"name":"***"}}]', expected
    assert_equal expected, serializer.many(namesakes.call).to_json
    assert_equal expected, serializer.many(namesakes.call).write_to(StringIO.new).string
  end

  def test_an_owner_that_lacks_a_column
    serializer = Class.new(Katsu::Serializer, &OWNER_READS[:written])
    doors = Home.where(id: @houses[1].id).select(:id).first.doors
    assert_raises(Katsu::UnknownAttributeError) { serializer.many(doors).to_json }
  end

  def test_an_owner_beside_rows
    written = Class.new(Katsu::Serializer, &OWNER_READS[:written])
    relation = Home.find(@houses[1].id).doors
    explained = written.many(relation).explain
    assert_includes explained.to_s, "because home: ActiveRecord gives the records their owner as it is in memory"
    assert_equal [:rows, 1], [explained.to_h[:way], explained.to_h[:queries].size]
    assert_equal 1, queries { assert_equal(0, records_made { written.many(relation).to_json }) }.size
  end

  # What is read below the owner; and an owner that has its rooms themselves written, which are loaded once.
  def test_below_an_owner
    Room.create!(name: "other", house_id: @houses[1].id)
    names = ->(serializer, relation) { serializer.many(relation).explain.to_h[:queries].map { |query| query[:of] } }
    {others: 2, doors: 1}.each do |below, count|
      serializer = Class.new(Katsu::Serializer) { has_one(:home) { has_many(below) { attributes :name } } }
      doors = -> { Home.find(@houses[1].id).doors }
      expected = serializer.many(doors.call.to_a).to_json
      relation = doors.call
      assert_equal ["QueryOwnersTest::Door", "home.#{below}"], names.call(serializer, relation)
      assert_equal count, queries { assert_equal expected, serializer.many(relation).to_json }.size
    end
  end

  THINGS = {
    written: ->(*) { has_one(:home) { has_one(:thing) { attributes :name } } },
    needed: ->(*) { attribute(:name, needs: {home: {thing: :name}}) { |thing| thing.home.thing.name } },
    below: ->(*) { has_one(:home) { attribute(:name) { |place| place.thing.name } } }
  }.freeze

  # Of which the owner's query would find the first.
  def test_polymorphic_owners
    ids = %w[ball bone].map { |name| Thing.create!(name: name, type: Place.name, house_id: @houses[1].id).id }
    THINGS.each_value do |body|
      serializer = Class.new(Katsu::Serializer, &body)
      [Thing.where(id: ids[1]), Thing.where(id: ids).order(id: :desc), Thing.where(id: ids).order(:id)].each do |things|
        expected = serializer.many(things.to_a).to_json
        assert_equal expected, Katsu::ArraySerializer.new(things.to_a, each_serializer: serializer).to_json
        assert_equal expected, serializer.many(things.spawn).to_json
      end
    end
    assert_includes Class.new(Katsu::Serializer, &THINGS[:needed]).many(Thing.where(id: ids[1])).to_json, "bone"
  end

  def test_polymorphic_owners_that_have_many
    2.times { Thing.create!(name: "ball", type: Place.name, house_id: @houses[1].id) }
    serializer = Class.new(Katsu::Serializer) { has_one(:place) { has_many(:things) { attributes :name } } }
    things = Thing.where(type: Place.name).order(:id)
    expected = serializer.many(things.to_a).to_json
    assert_equal(0, records_made { assert_equal expected, serializer.many(things.spawn).to_json })
  end
end
