# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "active_support/core_ext/kernel/reporting"

# Models of every kind: what cannot be read as rows is read as records, and the bytes are the same.
class QueryModelsTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table :query_owners, primary_key: %i[shop number] do |t|
      t.integer :shop
      t.integer :number
      t.string :name
    end
    create_table :query_things do |t|
      t.integer :shop
      t.integer :owner_number
      t.string :name
      t.string :secret
      t.text :options
      t.text :list
      t.string :holder_type
      t.integer :holder_id
      t.integer :parent_id
      t.virtual :loud, type: :string, as: "upper(name)", stored: true
    end
    create_table(:query_tags) { |t| t.string :name }
    create_table(:query_tags_things, id: false) { |t| t.references :thing, :tag }
  end

  class Owner < ActiveRecord::Base
    self.table_name = "query_owners"
    has_many :things, foreign_key: %i[shop owner_number], class_name: "QueryModelsTest::Thing"
  end

  class Tag < ActiveRecord::Base
    self.table_name = "query_tags"
  end

  class Abstract < ActiveRecord::Base
    self.abstract_class = true
    encryption = ActiveRecord::Encryption
    encryption.configure(primary_key: "p" * 32, deterministic_key: "d" * 32, key_derivation_salt: "s" * 32)
  end

  class Thing < Abstract
    self.table_name = "query_things"
    belongs_to :owner, foreign_key: %i[shop owner_number], class_name: "QueryModelsTest::Owner", optional: true
    belongs_to :holder, polymorphic: true, optional: true
    belongs_to :parent, class_name: "QueryModelsTest::Thing", optional: true
    has_many :parts, -> { order(name: :desc) }, class_name: "QueryModelsTest::Thing", foreign_key: :parent_id
    has_many :grand_parts, through: :parts, source: :parts
    has_many :held, as: :holder, class_name: "QueryModelsTest::Thing"
    has_one :last_part, -> { order(id: :desc) }, class_name: "QueryModelsTest::Thing", foreign_key: :parent_id
    children = {class_name: "QueryModelsTest::Thing", foreign_key: :parent_id}
    has_many :named_parts, -> { where.not(name: "part 1") }, **children
    has_many :own_parts, ->(thing) { where("name != ?", thing.name) }, **children
    has_and_belongs_to_many :tags, class_name: "QueryModelsTest::Tag", join_table: "query_tags_things",
                                   foreign_key: :thing_id
    encrypts :secret
    store :options, accessors: [:color], coder: JSON
    serialize :list, type: Array, coder: JSON
  end

  # Overrides readers of a column and of an association, and has children with default scopes of every kind.
  class Masked < Abstract
    self.table_name = "query_things"
    belongs_to :parent, class_name: "QueryModelsTest::Masked", optional: true
    belongs_to :hidden, class_name: "QueryModelsTest::Masked", foreign_key: :parent_id, optional: true
    {
      selecting: -> { select("query_things.*, 1 AS extra") }, ordered: -> { order(id: :desc) },
      joined: -> { eager_load(:tags).where("query_tags.id IS NULL OR query_tags.id > 0") },
      first_only: -> { order(:id).limit(1) }, named: -> { where.not(name: "part 1") }
    }.each do |name, scope|
      child = const_set(name.to_s.camelize, Class.new(Abstract))
      child.class_eval do
        self.table_name = "query_things"
        default_scope(&scope)
        has_and_belongs_to_many :tags, class_name: "QueryModelsTest::Tag", join_table: "query_tags_things",
                                       foreign_key: :thing_id
      end
      has_many name, class_name: child.name, foreign_key: :parent_id
    end
    has_many :all_named, -> { unscope(where: :name) }, class_name: Named.name, foreign_key: :parent_id
    has_many :parts, class_name: name, foreign_key: :parent_id
    has_many :all_named_of_parts, -> { order(:id) }, through: :parts, source: :all_named
    def name = super&.upcase
    def hidden = nil
  end

  class NameSerializer < Katsu::Serializer
    attributes :id, :name
  end

  def setup
    Owner.create!([{shop: 1, number: 1, name: "one"}, {shop: 1, number: 2, name: "two"}])
    things = Array.new(3) do |i|
      Thing.create!(shop: 1, owner_number: i, name: "thing #{i}", secret: "secret #{i}", color: "red", list: [i, "x"],
                    holder: i.zero? ? nil : Thing.first)
    end
    parts = Array.new(3) { |i| Thing.create!(name: "part #{i}", parent: things[i % 2]) }
    Thing.create!(name: "grand part", parent: parts[0])
    things[0].tags.create!([{name: "a"}, {name: "b"}])
  end

  def teardown
    [Thing, Owner, Tag].each(&:delete_all)
    Thing.connection.execute("DELETE FROM query_tags_things")
  end

  def serializer(&body) = Class.new(Katsu::Serializer, &body)

  # way: :rows or :records.
  def assert_same(way, serializer, relation = Thing.order(:id), model: Thing)
    expected = Katsu::ArraySerializer.new(relation.to_a, each_serializer: serializer).to_json
    relation = relation.spawn
    document = serializer.many(relation)
    assert_equal way, document.explain.to_h[:way], document.explain.to_s
    assert_equal expected, watched { document.to_json }
    whole = relation.where_clause.empty? && !relation.values.key?(:with)
    assert_equal model.count, JSON.parse(expected).size if whole
  end

  def test_columns_of_every_kind
    fields = %i[name secret options list loud]
    fields.each { |field| assert_same(:rows, serializer { attributes :id, field }) }
    assert_same(:records, serializer { attributes :color })
  end

  def test_associations_of_every_kind
    %i[parts named_parts held grand_parts tags].each do |name|
      assert_same(:rows, serializer { has_many name, serializer: NameSerializer })
    end
    %i[parent last_part owner holder].each do |name|
      assert_same(:rows, serializer { has_one(name, serializer: NameSerializer, only: [:name]) })
    end
    assert_same(:records, serializer { has_many :own_parts, serializer: NameSerializer })
  end

  def test_polymorphic_serializers
    map = {"QueryModelsTest::Thing" => NameSerializer}
    assert_same(:rows, serializer { has_one :holder, serializer: map })
    assert_same(:rows, serializer { has_many :parts, serializer: map })
  end

  def test_composite_primary_keys
    assert_same(:rows, serializer { attributes :shop, :number, :name }, Owner.order(:shop, :number), model: Owner)
    things = serializer { has_many :things, serializer: NameSerializer }
    assert_same(:rows, things, Owner.order(:shop, :number), model: Owner)
    owner = Owner.first
    %w[one other].each { |name| owner.things.create!(name: name, parent: Thing.create!(name: "above #{name}")) }
    below = serializer { has_many(:things) { has_one :parent, serializer: NameSerializer } }
    assert_same(:rows, below, Owner.order(:shop, :number), model: Owner)
    text = serializer { attributes :name }.many(Owner.all).write_to(StringIO.new, format: :ndjson).string
    assert_equal 2, text.lines.size
    [%i[id], %i[shop number], %i[id shop number]].each do |needs|
      keys = serializer { attribute(:key, needs: needs) { |owner| owner.id.join("-") } }
      assert_same(:rows, keys, Owner.order(:shop, :number), model: Owner)
    end
  end

  # The native backend compares keys of up to eight columns.
  def test_keys_of_many_columns
    {8 => :rows, 9 => :records}.each do |count, way|
      owner, thing = with_keys(Array.new(count) { |index| "k#{index}" })
      assert_same(way, serializer { has_many :things, serializer: NameSerializer }, owner.order(:name), model: owner)
      assert_same(way, serializer { has_one :owner, serializer: NameSerializer }, thing.order(:id), model: thing)
    end
    owner, = with_keys(Array.new(9) { |index| "k#{index}" })
    explained = serializer { has_many :things, serializer: NameSerializer }.many(owner.all).explain.to_s
    assert_includes explained, "the association's key has more than 8 columns"
  end

  # The models of two owners and of their things, which differ in the last column of the key only.
  def with_keys(keys)
    owners, things = ["query_wide_owners#{keys.size}", "query_wide_things#{keys.size}"]
    ActiveRecord::Schema.define do
      create_table(owners, primary_key: keys, force: true) { |t| keys.each { |key| t.integer key } && t.string(:name) }
      create_table(things, force: true) { |t| keys.each { |key| t.integer key } && t.string(:name) }
    end
    owner, thing = [owners, things].map { |table| Class.new(ActiveRecord::Base) { self.table_name = table } }
    owner.has_many(:things, foreign_key: keys, anonymous_class: thing, inverse_of: false)
    thing.belongs_to(:owner, foreign_key: keys, anonymous_class: owner, inverse_of: false)
    2.times do |number|
      key = keys.to_h { |name| [name, 1] }.merge(keys.last => number)
      owner.insert!({**key, "name" => "owner #{number}"})
      2.times { |index| thing.insert!({**key, "name" => "thing #{number} #{index}"}) }
    end
    [owner, thing]
  end

  def test_queries_of_every_kind
    named = Thing.where(name: "thing 1")
    union = "(SELECT * FROM query_things WHERE id = 1 UNION SELECT * FROM query_things WHERE id = 2) query_things"
    with = Thing.with(named: named).joins("JOIN named ON named.id = query_things.id").order(:id)
    assert_same(:rows, NameSerializer, with)
    assert_same(:rows, NameSerializer, named.or(Thing.where(name: "part 0")).order(:id))
    assert_same(:rows, NameSerializer, Thing.where(id: named).order(:id))
    assert_same(:rows, NameSerializer, Thing.where(id: 1..3).in_order_of(:id, [2, 1, 3]))
    renamed = Thing.with(query_things: Arel.sql("SELECT 'a' AS name UNION SELECT 'b'")).order(:name)
    expected = renamed.map { |thing| {"id" => nil, "name" => thing.name} }
    assert_equal expected, JSON.parse(NameSerializer.many(renamed).to_json)
    assert_same(:records, NameSerializer, Thing.from(union).where("1 = 1").order(:id))
    assert_same(:records, NameSerializer, Thing.where("1 = 1").group(:name).having("COUNT(*) > 0").order(:id))
    assert_same(:rows, NameSerializer, Thing.joins(:parent).where(parent: {name: "thing 0"}).order(:id))
  end

  def test_needs_keep_to_readers_that_the_model_overrides
    relation = Masked.order(:id)
    direct = serializer { attribute(:shown, needs: [:name]) { |thing| thing.name } }
    below = serializer { attribute(:shown, needs: {parent: :name}) { |thing| thing.parent&.name } }
    hidden = serializer { attribute(:shown, needs: {hidden: :id}) { |thing| thing.hidden&.id } }
    [direct, hidden].each { |each| assert_same(:records, each, relation, model: Masked) }
    assert_same(:rows, below, relation, model: Masked)
    assert_same(:rows, serializer { attribute(:shown, needs: [:shop]) { |thing| thing.shop } }, relation, model: Masked)
  end

  def test_associations_to_models_with_a_default_scope
    ways = {selecting: :records, ordered: :rows, joined: :records, first_only: :records, named: :rows,
            all_named: :rows, all_named_of_parts: :rows}
    ways.each do |name, way|
      assert_same(way, serializer { has_many name, serializer: NameSerializer }, Masked.order(:id), model: Masked)
    end
  end

  # Each thing comes twice, and a batch might end between the two.
  def test_joins_are_not_read_in_batches
    joined = Thing.joins("JOIN query_owners ON 1 = 1")
    expected = joined.map { |thing| %({"id":#{thing.id},"name":"#{thing.name}"}\n) }
    made = queries { assert_equal expected.sort, lines(NameSerializer.many(joined.spawn)).sort }
    assert_equal 1, made.size
  end

  def lines(document) = document.write_to(StringIO.new, format: :ndjson).string.lines

  def test_scopes_around_the_document
    Thing.where(name: "thing 1").scoping do
      assert_equal ["thing 1"], NameSerializer.many(Thing.order(:id)).to_a.map { |thing| thing["name"] }
    end
    parts = serializer { has_many :parts, serializer: NameSerializer }
    Thing.where.not(name: "part 0").scoping(all_queries: true) do
      relation = Thing.unscoped.order(:id)
      expected = Katsu::ArraySerializer.new(relation.to_a, each_serializer: parts).to_json
      refute_includes expected, %("name":"part 0")
      assert_includes expected, %("name":"part 2")
      assert_equal expected, parts.many(relation.spawn).to_json
      assert_equal expected, parts.many(relation.to_a).to_json
      assert_equal expected, parts.many(relation.spawn.load).to_json
    end
  end

  class Box < Abstract
    self.table_name = "query_things"
    has_many :inner, class_name: "QueryModelsTest::Box", foreign_key: :parent_id
  end

  class LittleBox < Box; end

  # As where a file is loaded again, or a plugin declares it once more.
  def test_associations_that_are_declared_again
    boxes = serializer { attributes(:id) }
    boxes.class_eval { has_many :inner, serializer: boxes, depth: 2 }
    top = Box.create!(name: "top")
    2.times { |index| Box.create!(name: "box #{index}", parent_id: top.id) }
    name = {class_name: Box.name, foreign_key: :parent_id}
    [Box, LittleBox].each do |model|
      relation = model.where(id: top.id)
      assert_equal 2, boxes.many(relation).to_a[0]["inner"].size
      silence_warnings { model.has_many :inner, -> { where(name: "box 1") }, **name }
      assert_equal 1, boxes.many(relation.spawn).to_a[0]["inner"].size
      assert_equal boxes.many(relation.to_a).to_json, boxes.many(relation.spawn).to_json
      silence_warnings { Box.has_many :inner, **name }
    end
  end

  class AliasedThing < Abstract
    self.table_name = "query_things"
    alias_attribute :mother_id, :parent_id
    alias_attribute :keeper_id, :holder_id
    alias_attribute :keeper_type, :holder_type
    alias_attribute :label, :name
    name = {class_name: "QueryModelsTest::AliasedThing"}
    belongs_to :mother, optional: true, **name
    belongs_to :keeper, polymorphic: true, optional: true
    belongs_to :namesake, primary_key: :label, foreign_key: :secret, optional: true, **name
    has_many :children, foreign_key: :mother_id, **name
    has_many :namesakes, primary_key: :label, foreign_key: :secret, **name
    has_many :grand_children, through: :children, source: :children
  end

  # ActiveRecord's preloader finds no value of an alias; what records give, rows give.
  def test_keys_that_are_aliases
    mother = AliasedThing.create!(name: "mother")
    AliasedThing.create!(name: "child", parent_id: mother.id, secret: "mother", holder_id: mother.id,
                         holder_type: AliasedThing.name)
    AliasedThing.create!(name: "other")
    {mother: false, keeper: false, namesake: false, children: true, namesakes: true,
     grand_children: true}.each do |name, many|
      one = serializer { many ? has_many(name, serializer: NameSerializer) : has_one(name, serializer: NameSerializer) }
      assert_equal one.many(AliasedThing.order(:id).to_a).to_json, one.many(AliasedThing.order(:id)).to_json, name
      assert_equal one.many(AliasedThing.order(:id).to_a).to_json,
                   Katsu::ArraySerializer.new(AliasedThing.preload(name).order(:id).to_a, each_serializer: one).to_json
      assert_match(/no column/, one.many(AliasedThing.all).explain.to_h[:reasons][0][:why]) unless many
    end
  end

  class Texted < ActiveRecord::Base
    self.table_name = "query_things"
    name = {class_name: "QueryModelsTest::Texted"}
    belongs_to :named, primary_key: :options, foreign_key: :name, optional: true, **name
    has_many :listed, primary_key: :name, foreign_key: :options, **name
  end

  # ActiveRecord's preloader takes a key that is nil for "" if it compares a string with a text.
  def test_a_key_that_is_nil_finds_no_empty_text
    ids = [[nil, ""], ["key", nil], ["", "key"], [nil, nil]].map do |name, options|
      Texted.create!(name: name, options: options, secret: "#{name.inspect} #{options.inspect}").id
    end
    [[:named, false], [:listed, true]].each do |name, many|
      inner = serializer { attributes :secret }
      one = serializer { many ? has_many(name, serializer: inner) : has_one(name, serializer: inner) }
      [ids, ids.values_at(0, 3)].each do |some|
        records = Texted.where(id: some).order(:id)
        read = records.to_a.map { |record| {name.name => found(record, name, many)} }
        assert_equal read, one.many(records).to_a, name
        assert_equal read, one.many(records.to_a).to_a, name
      end
    end
  end

  def found(record, name, many)
    return [] if many && record.name.nil? # the reader would ask for NULL

    objects = Array(record.public_send(name)).map { |object| {"secret" => object.secret} }
    many ? objects : objects.first
  end
end
