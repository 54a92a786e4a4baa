# frozen_string_literal: true

require "support/test_case"
require "support/database"

# What ActiveRecord's models can declare: values are those of record.as_json, associations those of the model.
class ModelsTest < TestCase
  class Base < ActiveRecord::Base
    self.abstract_class = true
    establish_connection(adapter: "sqlite3", database: ":memory:")
    connection.create_table(:things) do |t|
      t.integer :state, default: 0
      t.string :mood
      t.text :settings
      t.text :options
      t.text :secret
      t.string :email
      t.string :tags
      t.string :type
      t.string :temperature
      t.references :subject, polymorphic: true
      t.timestamps
    end
    connection.create_table(:orders, primary_key: %i[shop_id id]) do |t|
      t.integer :shop_id
      t.integer :id
      t.string :title
    end
    connection.create_table(:lines) do |t|
      t.integer :shop_id
      t.integer :order_id
      t.string :name
    end
    connection.create_table(:groups) { |t| t.string :name }
    connection.create_table(:members) { |t| t.string :name }
    connection.create_table(:groups_members, id: false) do |t|
      t.integer :group_id
      t.integer :member_id
    end
    connection.create_table(:memberships) do |t|
      t.integer :group_id
      t.integer :member_id
    end
    connection.create_table(:entries) do |t|
      t.string :entryable_type
      t.integer :entryable_id
    end
    connection.create_table(:messages) { |t| t.string :text }
  end

  class Celsius < ActiveRecord::Type::Value
    def cast_value(value) = value.is_a?(Hash) ? value : {"celsius" => value.to_f}
    def deserialize(value) = value && cast_value(value)
    def serialize(value) = value && value["celsius"].to_s
  end

  class Upcase
    def self.dump(value) = value.is_a?(Hash) ? value["loaded"].upcase : value&.upcase
    def self.load(value) = value && {"loaded" => value.downcase}
  end

  class Thing < Base
    if ActiveRecord::VERSION::MAJOR >= 7
      enum :state, {draft: 0, published: 1}
      enum :mood, {happy: "h", sad: "s"}, prefix: true
    end
    serialize :settings, coder: JSON
    serialize :options, coder: YAML, type: Hash
    serialize :tags, coder: Upcase
    store_accessor :settings, :color
    encrypts :secret, key: "k" * 32, deterministic: true
    normalizes :email, with: ->(email) { email.strip.downcase }
    attribute :temperature, Celsius.new
    attribute :stars, :integer, default: -> { 3 }
    attribute :price, :decimal
    alias_attribute :mail, :email
    belongs_to :subject, polymorphic: true, optional: true
    def shout = email.to_s.upcase
  end

  # Types that make something of NULL.
  class NilThing < Base
    self.table_name = "things"
    self.inheritance_column = nil
    serialize :settings, coder: JSON, type: Array
    serialize :options, coder: YAML, type: Hash
    serialize :tags, coder: (Class.new do
      def self.dump(value) = value
      def self.load(value) = value || "default"
    end)
    store :secret, accessors: [:one], coder: JSON
    attribute :email, (Class.new(ActiveRecord::Type::String) { def deserialize(value) = value || "none" }).new
    attribute :temperature, (Class.new(ActiveRecord::Type::Value) { def deserialize(value) = value ? [value] : [] }).new
    enum :mood, {unset: nil, happy: "h"}
  end

  class SubThing < Thing; end

  class Order < Base
    has_many :lines, foreign_key: %i[shop_id order_id]
  end

  class Line < Base
    belongs_to :order, foreign_key: %i[shop_id order_id]
  end

  class Group < Base
    has_many :memberships
    has_many :members, through: :memberships
    has_and_belongs_to_many :guests, class_name: "ModelsTest::Member", join_table: "groups_members"
    has_one :first_membership, class_name: "ModelsTest::Membership"
    has_one :leader, through: :first_membership, source: :member
    has_many :lost, through: :memberships
    has_one :missing, through: :nothing
  end

  class Membership < Base
    belongs_to :group
    belongs_to :member
  end

  class Member < Base; end

  class Entry < Base
    delegated_type :entryable, types: %w[ModelsTest::Message], optional: true
  end

  class Message < Base; end

  ActiveRecord::Encryption.configure(primary_key: "p" * 32, deterministic_key: "d" * 32, key_derivation_salt: "s" * 32)

  COLUMNS = (Thing.column_names + %w[stars price]).map(&:to_sym).freeze

  class ThingSerializer < Katsu::Serializer
    attributes(*COLUMNS)
  end

  class NameSerializer < Katsu::Serializer
    attributes :id, :name
  end

  def teardown
    [Thing, Order, Line, Group, Member, Membership, Entry, Message].each(&:delete_all)
    Base.connection.execute("DELETE FROM groups_members")
  end

  def assert_as_json(*records)
    expected = JSON.parse(ActiveSupport::JSON.encode(records.map { |record| record.as_json(only: COLUMNS) }))
    assert_equal expected, JSON.parse(watched {
      Katsu::ArraySerializer.new(records, each_serializer: ThingSerializer).to_json
    })
    assert_equal expected, JSON.parse(JSON.generate(watched {
      Katsu::ArraySerializer.new(records, each_serializer: ThingSerializer).to_a
    }))
  end

  def thing(**values)
    Thing.create!({state: :published, mood: :sad, settings: {"a" => [1]}, options: {"b" => 2}, secret: "hush",
                   email: " A@B.C ", tags: "t", temperature: {"celsius" => 36.6}, price: "1.50"}.merge(values))
  end

  class RawThing < Base
    self.table_name = "things"
    self.inheritance_column = nil
    def _read_attribute(name, &block) = name == "tags" ? "raw" : super
  end

  class OldGroup < Base
    self.table_name = "groups"
    has_many :memberships, foreign_key: :group_id, class_name: "ModelsTest::Membership",
                           deprecated: true if ActiveRecord.gem_version >= Gem::Version.new("8.1")
  end

  # The model's way to read is followed.
  def test_ways_around_the_row
    serializer = Class.new(Katsu::Serializer) { attributes :tags, :email }
    thing = RawThing.find(RawThing.create!(tags: "t", email: "e").id)
    assert_equal %({"tags":"raw","email":"e"}), watched { serializer.new.serialize_to_json(thing) }
  end

  def test_the_use_of_deprecated_associations_is_reported
    skip "associations are deprecated from Rails 8.1 on" if ActiveRecord.gem_version < Gem::Version.new("8.1")

    inner = Class.new(Katsu::Serializer) { attributes :id }
    serializer = Class.new(Katsu::Serializer) { has_many :memberships, serializer: inner }
    group = OldGroup.new(name: "g").tap { |record| record.association(:memberships).target = [] }
    before = ActiveRecord::Associations::Deprecation.mode
    ActiveRecord::Associations::Deprecation.mode = :raise
    assert_raises(ActiveRecord::DeprecatedAssociationError) { serializer.new.serialize_to_json(group) }
  ensure
    ActiveRecord::Associations::Deprecation.mode = before if before
  end

  def test_what_types_make_of_null
    names = %i[settings options tags secret email temperature mood state]
    serializer = Class.new(Katsu::Serializer) { attributes(*names) }
    NilThing.connection.execute("INSERT INTO things (state, created_at, updated_at) " \
                                "VALUES (NULL, '2026-01-02 03:04:05', '2026-01-02 03:04:05')")
    id = NilThing.maximum(:id)
    [-> { NilThing.find(id) }, -> { NilThing.new }, -> { NilThing.find(id).tap(&:attributes) }].each do |made|
      expected = made.call.as_json(only: names)
      assert_equal [[], {}, "default", {}, "none", [], "unset"],
                   expected.values_at(*%w[settings options tags secret email temperature mood]) if made.call.persisted?
      assert_equal expected, JSON.parse(watched { serializer.new.serialize_to_json(made.call) })
      assert_equal expected, watched { serializer.new.serialize(made.call) }
    end
  end

  def test_enum_serialize_store_encrypts_normalizes_custom_types_defaults
    stored = thing
    others = [
      thing(state: nil, mood: nil, settings: nil, options: {}, secret: nil, email: nil, tags: nil,
            temperature: nil), thing(color: "red")]
    loaded = Thing.order(:id).to_a
    assert_as_json(*loaded)
    assert_as_json(stored, *others)
    assert_as_json(*loaded.each do |record|
      record.settings
      record.state = :draft
      record.color = "blue"
    end)
    assert_as_json(Thing.new, Thing.new(state: :published, email: "  X "), SubThing.new)
    sub = SubThing.find(SubThing.create!(state: :draft).id)
    assert_as_json(sub, stored, sub)
    raw = Thing.find(stored.id)
    Base.connection.execute("UPDATE things SET state = 7, mood = 'zz', settings = '[1]', temperature = '12' " \
                            "WHERE id = #{raw.id}")
    assert_as_json(Thing.find(raw.id))
  end

  def test_alias_attributes_and_methods
    serializer = Class.new(Katsu::Serializer) do
      attributes :mail, :shout, :color
      aliases state: :phase
    end
    assert_equal [{"mail" => "a@b.c", "shout" => "A@B.C", "color" => nil, "phase" => "published"}],
                 JSON.parse(Katsu::ArraySerializer.new([Thing.find(thing.id)], each_serializer: serializer).to_json)
  end

  def test_composite_primary_keys
    Order.create!(id: [1, 5], title: "o")
    Line.create!(shop_id: 1, order_id: 5, name: "l")
    line = Class.new(Katsu::Serializer) { attributes :name, :order_id }
    serializer = Class.new(Katsu::Serializer) do
      attributes :shop_id, :title, :id
      has_many :lines, serializer: line
    end
    [Order.all.to_a, Order.includes(:lines).to_a].each do |orders|
      document = JSON.parse(watched { Katsu::ArraySerializer.new(orders, each_serializer: serializer).to_json })
      assert_equal [{"shop_id" => 1, "title" => "o", "id" => [1, 5], "lines" => [{"name" => "l", "order_id" => 5}]}],
                   document
      assert_equal document, Katsu::ArraySerializer.new(orders, each_serializer: serializer).to_a
    end
  end

  # What was loaded is of the key that the record had then.
  def test_a_part_of_a_composite_key_that_changes
    5.upto(6) { |number| Order.create!(id: [1, number], title: "order #{number}") }
    line = Line.create!(shop_id: 1, order_id: 5, name: "l")
    order = Class.new(Katsu::Serializer) { attributes :title }
    serializer = Class.new(Katsu::Serializer) { has_one :order, serializer: order }
    {order_id: 6, name: "m", shop_id: 2}.each do |name, value|
      found = Line.includes(:order).find(line.id)
      found.name # read before, as far as ActiveRecord keeps what was read
      found[name] = value
      now = Line.find(line.id).tap { |one| one[name] = value }.order
      expected = {"order" => now && {"title" => now.title}}
      assert_equal expected, JSON.parse(watched { serializer.new.serialize_to_json(found) }), name
      assert_equal expected, serializer.new.serialize(found), name
    end
  end

  def test_through_and_has_and_belongs_to_many
    one, two = %w[one two].map { |name| Member.create!(name: name) }
    group = Group.create!(name: "g", members: [one, two], guests: [two])
    serializer = Class.new(Katsu::Serializer) do
      attributes :name
      has_many :members, serializer: NameSerializer
      has_many :guests, serializer: NameSerializer
      has_one :leader, serializer: NameSerializer
    end
    expected = {"name" => "g", "leader" => {"id" => one.id, "name" => "one"},
                "members" => [{"id" => one.id, "name" => "one"}, {"id" => two.id, "name" => "two"}],
                "guests" => [{"id" => two.id, "name" => "two"}]}
    [Group.find(group.id), Group.includes(:members, :guests, :leader).find(group.id)].each do |record|
      assert_equal expected, JSON.parse(watched { serializer.new.serialize_to_json(record) })
      assert_equal expected, watched { serializer.new.serialize(record) }
    end
  end

  # Until they are read: ActiveRecord's readers raise.
  def test_through_what_does_not_exist
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      has_many(:lost, if: -> { context == :lost }) { attributes :id }
      has_one(:missing, if: -> { context == :missing }) { attributes :id }
    end
    group = Group.create!
    assert_equal({"id" => group.id}, JSON.parse(serializer.new.serialize_to_json(group)))
    assert_equal [{"id" => group.id}], serializer.many(Group.where(id: group)).to_a
    assert_raises(ActiveRecord::ActiveRecordError) { serializer.many(Group.all).explain }
    %i[lost missing].each do |name|
      expected = assert_raises(ActiveRecord::ActiveRecordError) { group.public_send(name) }
      error = assert_raises(expected.class) { serializer.new(context: name).serialize_to_json(group) }
      assert_equal expected.message, error.message
    end
  end

  def test_polymorphic_and_delegated_types
    member = Member.create!(name: "m")
    message = Message.create!(text: "hi")
    serializer = Class.new(Katsu::Serializer) do
      has_one :subject, serializer: {Member => NameSerializer, Message => Class.new(Katsu::Serializer) do
        attributes :text
      end}
    end
    records = [thing(subject: member), thing(subject: message), thing]
    [Thing.order(:id).to_a, Thing.includes(:subject).order(:id).to_a, records].each do |list|
      assert_equal [{"subject" => {"id" => member.id, "name" => "m"}}, {"subject" => {"text" => "hi"}},
                    {"subject" => nil}],
                   JSON.parse(Katsu::ArraySerializer.new(list, each_serializer: serializer).to_json)
    end
    Entry.create!(entryable: message)
    entry = Class.new(Katsu::Serializer) do
      attributes :entryable_type
      has_one :entryable, serializer: {Message => Class.new(Katsu::Serializer) do
        attributes :text
      end}
    end
    assert_equal({"entryable_type" => "ModelsTest::Message", "entryable" => {"text" => "hi"}},
                 entry.new.serialize(Entry.first))
  end

  def test_strict_loading
    Group.create!(name: "g", members: [Member.create!(name: "m")])
    serializer = Class.new(Katsu::Serializer) { has_many :members, serializer: NameSerializer }
    assert_raises(ActiveRecord::StrictLoadingViolationError) do
      serializer.new.serialize_to_json(Group.strict_loading.first)
    end
    assert_equal 1, serializer.new.serialize(Group.strict_loading.includes(:members).first)["members"].size
  end

  # A reader that a concern or the model itself defines wins, whatever the column's type.
  def test_readers_overridden_in_modules
    overriding = Module.new { def email = "module" }
    model = Class.new(Thing) do
      include overriding
      def self.name = "Overridden"
      self.table_name = "things"
      self.inheritance_column = nil
      def state
        "own #{super}"
      end
    end
    record = model.find(thing(type: nil).id)
    serializer = Class.new(Katsu::Serializer) { attributes :email, :state }
    expected = model.public_method_defined?(:email) ? record.email : nil
    assert_equal({"email" => expected, "state" => "own published"},
                 JSON.parse(serializer.new.serialize_to_json(record)))
  end

  class ReservedThing < Base
    self.table_name = "things"
    self.inheritance_column = nil

    protected

    def tags = "protected #{super}"

    private

    def email = "private #{super}"
  end

  # as_json calls them, too.
  def test_readers_that_are_not_public
    serializer = Class.new(Katsu::Serializer) { attributes :mood, :email, :tags }
    id = thing(email: "e", mood: :sad).id
    expected = {"mood" => "s", "email" => "private e", "tags" => ReservedThing.find(id).as_json["tags"]}
    assert_equal expected, ReservedThing.find(id).as_json(only: %i[mood email tags])
    [ReservedThing.find(id), ReservedThing.find(id).tap(&:attributes)].each do |record|
      assert_equal expected, watched { serializer.new.serialize(record) }
      assert_equal expected, JSON.parse(watched { serializer.new.serialize_to_json(record) })
    end
    document = serializer.many(ReservedThing.where(id: id))
    assert_equal [expected], document.to_a
    assert_match(/ReservedThing overrides the reader of the column/, document.explain.to_s)
    without = ReservedThing.select(:id, :mood).last
    assert_raises(ActiveModel::MissingAttributeError) { serializer.new.serialize(without) }
  end

  # format is a private method of all objects.
  def test_private_methods_of_all_objects_are_no_readers
    serializer = Class.new(Katsu::Serializer) { attributes :format }
    thing
    assert_equal %({"format":"f"}), serializer.new.serialize_to_json(ReservedThing.select("'f' AS format").last)
  end

  class Note < ActiveRecord::Base
    self.table_name = "posts"
    def body = super.to_s.upcase
    def first_line = body
  end

  class Touchy < ActiveRecord::Base
    self.table_name = "posts"
    def body = (self.title = "changed #{id}") && super
  end

  # A column that is written after such a reader has the value that the reader gave it.
  def test_a_reader_of_the_model_that_changes_another_column
    ids = Array.new(3) { Touchy.create!(title: "t", body: "b", views: 1).id }
    serializer = Class.new(Katsu::Serializer) { attributes :views, :body, :title }
    expected = ids.map { |id| {"views" => 1, "body" => "b", "title" => "changed #{id}"} }
    found = -> { Touchy.where(id: ids).order(:id).to_a }
    assert_equal JSON.generate(expected), watched { serializer.many(found.call).to_json }
    assert_equal expected, watched { serializer.many(found.call).to_a }
    assert_equal expected.first, watched { serializer.new.serialize(found.call.first) }
  end

  # What the Hash held before it was emptied may still stand in its memory.
  def test_a_row_that_was_another_before
    emptied = -> { {"id" => 5, "title" => "old"}.clear.merge!("id" => 2) }
    serializer = Class.new(Katsu::Serializer) { attributes :id, :title }
    %i[to_json to_a].each do |call|
      rows = [{"id" => 1, "title" => "t"}, {"id" => 1, "title" => "t"}, emptied.call]
      records = rows.map { |row| Note.instantiate(row) }
      error = assert_raises(Katsu::UnknownAttributeError) { watched { serializer.many(records).public_send(call) } }
      assert_match(/declares title, but ModelsTest::Note has not loaded that column/, error.message)
    end
  end

  # A method of the model may lack any column, and says which itself.
  def test_columns_that_select_left_out_of_records_with_methods_of_their_own
    Note.create!(title: "t", body: "b")
    states = [:itself.to_proc, ->(note) { note.extend(Module.new) }, ->(note) { note.tap { def note.views = super } }]
    missing = ActiveModel::MissingAttributeError
    expected = {title: Katsu::UnknownAttributeError, body: missing, first_line: missing}
    expected.to_a.product(states, %i[serialize serialize_to_json], [[], [:id]]) do |(name, error), state, call, more|
      serializer = Class.new(Katsu::Serializer) { attributes(*more, name) }
      note = state.call(Note.select(:id).last)
      assert_raises(error, "#{name}, #{call}") { watched { serializer.new.public_send(call, note) } }
    end
  end

  class SecretSerializer < Katsu::Serializer
    cache store: ActiveSupport::Cache::MemoryStore.new
    attributes :id, :secret
  end

  # What is kept and what is tagged is of one context of ActiveRecord's encryption.
  def test_encryption_contexts_in_keys_and_tags
    Thing.create!(secret: "hush", updated_at: Time.now)
    documents = -> { SecretSerializer.many(Thing.order(:id).to_a) }
    contexts = [->(&block) { block.call }, ActiveRecord::Encryption.method(:without_encryption),
                ActiveRecord::Encryption.method(:protecting_encrypted_data)]
    answers = contexts.map do |context|
      context.call { [documents.call.to_json, Thing.order(:id).map { |thing| thing.as_json(only: %i[id secret]) }] }
    end
    answers.each { |text, expected| assert_equal expected, JSON.parse(text) }
    refute_equal answers[0], answers[1]
    tags = contexts.first(2).map { |context| context.call { SecretSerializer.many(Thing.all).cache_key_with_version } }
    refute_equal(*tags)
  end
end
