# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

# Where what is right alone meets: parts of a query and batches, databases and query caches, owners and their
# associations, scopes that change, names of columns. Each document is that of the records.
class QueryCrossingsTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:crossing_owners) { |t| t.string :name, :code }
    create_table(:crossing_items) do |t|
      t.string :title, :raw, :primary_key, :refuse, :owner_code
      t.json :data
      t.integer :owner_id
      t.timestamps null: true
    end
  end

  class Item < ActiveRecord::Base
    self.table_name = "crossing_items"
    belongs_to :owner, class_name: "QueryCrossingsTest::Owner", optional: true
    siblings = {class_name: "QueryCrossingsTest::Item", primary_key: :owner_id, foreign_key: :owner_id}
    has_many :siblings, **siblings
    has_one :last_sibling, **siblings
  end

  class Changing < ActiveRecord::Base
    self.table_name = "crossing_items"
    default_scope { Thread.current[:crossing_limit] ? limit(1) : all }
  end

  class Owner < ActiveRecord::Base
    self.table_name = "crossing_owners"
    items = {class_name: "QueryCrossingsTest::Item", foreign_key: :owner_id}
    has_many :items, **items
    has_many :strict_items, **items, strict_loading: true
    has_many :some, -> { Thread.current[:crossing_limit] ? limit(1) : all }, **items
    has_many :either, -> { where(title: "t0").or(where(title: "t1")).order(:id) }, **items
    has_one :first_item, -> { Thread.current[:crossing_limit] ? order(id: :desc).limit(1) : order(:id) }, **items
    has_many :siblings, -> { Thread.current[:crossing_limit] ? order(title: :desc).limit(1) : order(:id) },
             through: :items
    has_one :an_item, **items
    has_one :sibling, -> { Thread.current[:crossing_limit] ? order(title: :desc).limit(1) : order(:id) },
            through: :an_item, source: :last_sibling
    has_many :changing, class_name: "QueryCrossingsTest::Changing", foreign_key: :owner_id
    has_many :coded, class_name: "QueryCrossingsTest::Item", primary_key: :code, foreign_key: :owner_code
  end

  class Misled < Owner
    self.inheritance_column = nil
    has_one :again, through: :items, source: :owner
  end

  class TitleSerializer < Katsu::Serializer
    attributes :title
  end

  def teardown
    [Item, Owner].each(&:delete_all)
    Thread.current[:crossing_limit] = nil
  end

  def owners(count = 2, items: 2)
    Array.new(count) do |i|
      Owner.create!(name: "o#{i}").tap { |owner| items.times { |j| owner.items.create!(title: "t#{j}") } }
    end
  end

  def of_records(serializer, records)
    Katsu::ArraySerializer.new(records.to_a, each_serializer: serializer).to_json
  end

  # As many as a batch and one more. Without its key a batch has no end; under another name it has a wrong one.
  def test_batches_of_selected_columns
    Item.insert_all!(Array.new(1001) { |i| {title: "t#{i}"} })
    [Item.select(:title), Item.select(:id, :title), Item.select("title"), Item.select("title, id % 7 AS id"),
     Item.select(:title, "1 AS more"), Item.select(Item.arel_table[:title])].each do |relation|
      expected = JSON.parse(of_records(TitleSerializer, Item.order(:id)))
      assert_equal expected, JSON.parse(TitleSerializer.many(relation).write_to(StringIO.new).string), relation.to_sql
      lines = TitleSerializer.many(relation).write_to(StringIO.new, format: :ndjson).string.lines
      assert_equal expected, lines.map { |line| JSON.parse(line) }, relation.to_sql
      assert_equal expected, JSON.parse(TitleSerializer.many(relation).each.to_a.join), relation.to_sql
    end
  end

  # What a column of JSON or a fragment has between its tokens is copied, but a line is an object.
  def test_lines_of_json_that_has_line_breaks
    data = "{\n  \"a\":\r\n [1,\r2],\n\"b\": \"c\\nd\"\n}"
    owner = Owner.create!(name: "o")
    2.times { Item.insert({title: "t", owner_id: owner.id}) }
    Item.connection.execute("UPDATE crossing_items SET data = #{Item.connection.quote(data)}")
    item = Class.new(Katsu::Serializer) { attributes :title, :data }
    nested = Class.new(Katsu::Serializer) { nested(:in) { attributes :data } }
    fragment = Class.new(Katsu::Serializer) { attribute(:text) { Katsu::Fragment.new("[1,\r\n2]") } }
    owner = Class.new(Katsu::Serializer) { has_many :items, serializer: item }
    records = ->(serializer) { serializer.many(Item.order(:id).to_a) }
    documents = [item, nested, fragment].flat_map do |serializer|
      [serializer.many(Item.order(:id)), serializer.many(Item.all), records.call(serializer),
       serializer.many(Katsu::Stream.new(Item.all)), serializer.one(Item.order(:id))]
    end
    [*documents, owner.many(Owner.all), owner.many(Owner.order(:id)), owner.one(Owner.first)].each do |document|
      written = document.write_to(StringIO.new, format: :ndjson).string
      assert_equal JSON.parse(document.to_json), written.lines.map { |line| JSON.parse(line) }.then { |lines|
        document.single? ? lines.fetch(0) : lines
      }, document.inspect
      refute_includes written, "\r"
    end
  end

  class Elsewhere < ActiveRecord::Base
    self.abstract_class = true
  end

  class Note < Elsewhere
    self.table_name = "crossing_notes"
  end

  class Writer < Owner
    self.inheritance_column = nil
    has_many :notes, class_name: "QueryCrossingsTest::Note", foreign_key: :owner_id
  end

  # What is given back after a batch must be in no query cache.
  def test_batches_of_two_databases_and_their_query_caches
    Elsewhere.establish_connection(adapter: "sqlite3", database: ":memory:")
    Elsewhere.connection.create_table(:crossing_notes) { |t| t.string(:title) && t.integer(:owner_id) }
    owners.each { |owner| Note.create!(title: "of #{owner.name}", owner_id: owner.id) }
    serializer = Class.new(Katsu::Serializer) do
      attributes :name
      has_many :notes, serializer: TitleSerializer
    end
    expected = of_records(serializer, Writer.order(:id))
    Writer.cache do
      Note.cache do
        2.times do
          assert_equal expected, serializer.many(Writer.all).write_to(StringIO.new).string
          assert_equal expected, serializer.many(Writer.order(:id)).to_json
        end
      end
    end
  ensure
    Elsewhere.remove_connection
  end

  # Only the owner says what is built, or that nothing belongs to a key that is nil.
  def test_associations_of_an_owner
    [Owner.new, *owners(1), Owner.create!(name: "o")].each do |owner|
      owner.items.build(title: "built")
      assert_equal of_records(TitleSerializer, owner.items), TitleSerializer.many(owner.items).to_json
      first = TitleSerializer.new.serialize_to_json(owner.items.take)
      assert_equal first, TitleSerializer.one(owner.items).to_json
      assert_equal JSON.parse(first), TitleSerializer.one(owner.items).to_h
      assert_equal :records, TitleSerializer.one(owner.items).explain.to_h[:way]
    end
  end

  # What is not in the database as it is no batch would find.
  def test_streams_of_an_association_with_objects_that_are_not_saved
    make = [-> { Owner.new.tap { |owner| owner.items.build(title: "built") } },
            -> { owners(1)[0].tap { |owner| owner.items.build(title: "built") } },
            -> { owners(1)[0].tap { |owner| owner.items.target[0].title = "changed" } }]
    make.each do |owner|
      expected = of_records(TitleSerializer, owner.call.items)
      assert_match(/built|changed/, expected)
      assert_equal expected, of_records(TitleSerializer, Katsu::Stream.new(owner.call.items))
      stream = Katsu::Stream.new(owner.call.items)
      assert_equal expected, TitleSerializer.many(stream).write_to(StringIO.new).string
    end
  end

  def test_owners_whose_key_is_nil
    Item.create!(title: "of nobody")
    owner = Owner.create!(name: "o")
    assert_equal of_records(TitleSerializer, owner.coded), TitleSerializer.many(owner.coded).to_json
    assert_equal "[]", TitleSerializer.many(owner.coded).write_to(StringIO.new).string
    assert_equal "null", TitleSerializer.one(owner.coded).to_json
    with_code = Owner.create!(name: "c", code: "x")
    Item.create!(title: "of c", owner_code: "x")
    assert_equal '[{"title":"of c"}]', TitleSerializer.many(with_code.reload.coded).to_json
    assert_equal 0, records_made { TitleSerializer.many(Owner.find(with_code.id).coded).to_json } - 1
  end

  def test_owners_that_are_loaded_strictly
    strict = owners(1)[0].reload.tap(&:strict_loading!)
    [strict.items, Owner.find(strict.id).strict_items].each do |items|
      assert_raises(ActiveRecord::StrictLoadingViolationError) { items.to_a }
      assert_raises(ActiveRecord::StrictLoadingViolationError) { TitleSerializer.many(items).to_json }
      assert_raises(ActiveRecord::StrictLoadingViolationError) { TitleSerializer.many(items).write_to(StringIO.new) }
    end
  end

  # The reader raises, too.
  def test_associations_that_activerecord_refuses
    owners(1)
    serializer = Class.new(Katsu::Serializer) { has_one(:again) { attributes :name } }
    error = ActiveRecord::HasOneThroughCantAssociateThroughCollection
    assert_raises(error) { Misled.first.again }
    assert_raises(error) { serializer.many(Misled.all).to_json }
  end

  # A limit that a scope has now and had not when it was looked at first.
  def test_scopes_that_get_a_limit
    owners(3)
    serializers = {changing: :has_many, some: :has_many, first_item: :has_one, siblings: :has_many,
                   sibling: :has_one}.map do |name, kind|
      Class.new(Katsu::Serializer) { public_send(kind, name, serializer: TitleSerializer) }
    end
    %i[changing siblings].each do |name|
      serializers << Class.new(Katsu::Serializer) do
        attribute(:titles, needs: {name => :title}) { |owner| owner.public_send(name).map(&:title) }
      end
    end
    serializers.each { |serializer| serializer.many(Owner.all).to_json }
    [true, nil, true].each do |limit|
      Thread.current[:crossing_limit] = limit
      serializers.each do |serializer|
        expected = of_records(serializer, Owner.order(:id))
        assert_equal expected, serializer.many(Owner.order(:id)).to_json
        assert_equal JSON.parse(expected), serializer.many(Owner.order(:id)).to_a
        assert_equal expected, serializer.many(Owner.order(:id).to_a).to_json
      end
    end
  end

  def test_scopes_with_or_are_read_as_rows
    owners(2)
    serializer = Class.new(Katsu::Serializer) { has_many :either, serializer: TitleSerializer }
    expected = of_records(serializer, Owner.order(:id))
    assert_equal(0, records_made { assert_equal expected, serializer.many(Owner.order(:id)).to_json })
  end

  # Columns that are called as the library's own methods of a row would be.
  def test_names_of_columns
    owner = owners(1)[0]
    owner.items.each { |item| item.update!(raw: "r", primary_key: "same", refuse: "no", data: {"a" => 1}) }
    inner = Class.new(Katsu::Serializer) { attributes :data, :raw, :primary_key, :refuse }
    outer = Class.new(Katsu::Serializer) do
      attribute(:all, needs: {items: %i[data raw primary_key refuse title]}) do |one|
        [one.items.map { |item| inner.new.serialize(item) }, one.items.uniq.size, one.items.map(&:raw)]
      end
    end
    assert_equal of_records(inner, Item.order(:id)), inner.many(Item.order(:id)).to_json
    assert_equal JSON.parse(of_records(inner, Item.order(:id))), inner.many(Item.order(:id)).to_a
    assert_equal of_records(outer, Owner.all), outer.many(Owner.all).to_json
  end

  # Where the depth ends the association is not loaded.
  def test_a_needed_association_where_the_depth_ends
    tree = Class.new(Katsu::Serializer)
    tree.has_many :pupils, serializer: tree, depth: 1
    tree.attribute(:size, needs: :name) { |author| author.pupils.size }
    teacher = Author.create!(name: "a")
    Author.create!(name: "b", mentor: teacher)
    error = assert_raises(Katsu::NeedsError) { tree.many(Author.where(id: teacher.id)).to_json }
    assert_includes error.message, "pupils of Author is not loaded"
  ensure
    Author.delete_all
  end

  class Chosen < ActiveRecord::Base
    self.table_name = "crossing_items"
    self.inheritance_column = "raw"
    def self.discriminate_class_for_record(record) = record["title"] == "t1" ? Loud : super
  end

  class Loud < Chosen
    def title = super.upcase
  end

  def test_classes_that_the_model_chooses
    owners(1)
    assert_equal '[{"title":"t0"},{"title":"T1"}]', TitleSerializer.many(Chosen.order(:id)).to_json
    assert_equal of_records(TitleSerializer, Chosen.order(:id)), TitleSerializer.many(Chosen.order(:id)).to_json
  end

  # As readers of rows, and in what they are asked by.
  def test_columns_with_names_of_keywords
    words = %w[begin end in next self nil true then not alias if]
    ActiveRecord::Schema.define { create_table(:crossing_words) { |t| words.each { |word| t.integer word } } }
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "crossing_words"
      def self.name = "Word"
    end
    [1, 0].each { |number| model.insert!(words.to_h { |word| [word, number] }) }
    plain = Class.new(Katsu::Serializer) { attributes(*words.map(&:to_sym)) }
    asking = Class.new(Katsu::Serializer) do
      attribute(:x, needs: words.map(&:to_sym)) { |row| words.map { |word| row.public_send(:"#{word}?") } }
    end
    [plain, asking].each do |serializer|
      expected = of_records(serializer, model.all)
      assert_equal expected, watched { serializer.many(model.all).to_json }
    end
  end

  # What is no word has to be quoted wherever it stands.
  def test_names_of_keys
    ActiveRecord::Schema.define do
      create_table(:crossing_keys, primary_key: "the id") { |t| t.string :title }
    end
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "crossing_keys"
      def self.name = "Key"
    end
    model.insert_all!(Array.new(1001) { |i| {title: "t#{i}"} })
    code = Class.new(Katsu::Serializer) { attribute(:title) { |key| key["title"] } }
    [TitleSerializer, code].each do |serializer|
      expected = serializer.many(model.order(:title).to_a.sort_by(&:id)).to_json
      assert_equal expected, serializer.many(model.all).write_to(StringIO.new).string
      assert_equal expected, serializer.many(model.all).each.to_a.join
    end
  end

  class SelectedSerializer < Katsu::Serializer
    attributes :id, :title
  end

  # A scope is called while it is found out what is read.
  def test_scopes_that_ask_for_columns
    owner = Class.new(Owner) do
      def self.name = "QueryCrossingsTest::Owner"
      has_many :chosen, -> { select(*SelectedSerializer.columns(Item), :owner_id) },
               class_name: "QueryCrossingsTest::Item", foreign_key: :owner_id
    end
    owners
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      has_many :chosen, serializer: SelectedSerializer
    end
    assert_equal of_records(serializer, owner.includes(:chosen)), serializer.many(owner.all).to_json
  end

  class Parent < ActiveRecord::Base
    self.table_name = "crossing_owners"
    default_scope { where.not(name: "hidden") }
    has_many :children, class_name: "QueryCrossingsTest::Child", foreign_key: :owner_id, inverse_of: :parent
    has_one :first_child, -> { order(:id) },
            class_name: "QueryCrossingsTest::Child", foreign_key: :owner_id, inverse_of: :parent
  end

  class Child < ActiveRecord::Base
    self.table_name = "crossing_items"
    belongs_to :parent, class_name: "QueryCrossingsTest::Parent", foreign_key: :owner_id, inverse_of: :first_child
  end

  INVERSES = {
    written: ->(*) { has_one(:parent) { attributes :name } },
    needed: ->(*) { attribute(:x, needs: {parent: :name}) { |child| child.parent&.name } },
    called: ->(*) { attribute(:x) { |child| child.parent&.name } },
    below: lambda { |*|
      has_one(:parent) do
        attributes :name
        has_one(:first_child) { attributes :title }
      end
    }
  }.freeze

  # The objects of an association know their owner, which is not read again: not past its default scope, and by no
  # query.
  def test_inverse_associations
    %w[seen hidden].each do |name|
      parent = Parent.unscoped.create!(name: name)
      2.times { |i| Child.create!(title: "t#{i}", owner_id: parent.id) }
    end
    INVERSES.each do |how, body|
      %i[children first_child].each do |name|
        kind = name == :children ? :has_many : :has_one
        serializer = Class.new(Katsu::Serializer) do
          attributes :name
          public_send(kind, name) { class_exec(&body) }
        end
        made = [Parent.unscoped.order(:id), Parent.unscoped.order(:id).to_a].map do |parents|
          texts = [serializer.many(parents).to_json, serializer.many(parents).write_to(StringIO.new).string]
          assert_equal [texts[0]], texts.uniq
          [texts[0], queries { serializer.many(parents.is_a?(Array) ? parents : parents.spawn).to_json }.size]
        end
        assert_equal made[1][0], made[0][0], [how, name].inspect
        assert_equal how == :below && name == :children ? 3 : 2, made[0][1], [how, name].inspect
      end
      child = Class.new(Katsu::Serializer) { class_exec(&body) }
      assert_equal of_records(child, Child.order(id: :desc).includes(parent: :first_child)),
                   child.many(Child.order(id: :desc)).to_json, how.inspect
    end
  end

  def test_explain_counts_no_query_for_an_owner
    child = Class.new(Katsu::Serializer, &INVERSES[:written])
    serializer = Class.new(Katsu::Serializer) { has_many :children, serializer: child }
    Child.create!(owner_id: Parent.create!(name: "seen").id)
    explained = serializer.many(Parent.all).explain.to_h
    assert_equal [2, false], [explained[:queries].size, explained[:more_queries]]
    assert_equal 2, queries { serializer.many(Parent.all).to_json }.size
  end

  # Which serializer writes them is not known before they are there.
  def test_inverse_associations_of_several_serializers
    parent = Parent.unscoped.create!(name: "hidden")
    2.times { |i| Child.create!(title: "t#{i}", owner_id: parent.id) }
    child = Class.new(Katsu::Serializer, &INVERSES[:called])
    serializer = Class.new(Katsu::Serializer) { has_many :children, serializer: {Child => child} }
    made = queries do
      assert_equal '[{"children":[{"x":"hidden"},{"x":"hidden"}]}]', serializer.many(Parent.unscoped).to_json
    end
    assert_equal 2, made.size, made.join("\n")
    reasons = serializer.many(Parent.unscoped).explain.to_h[:reasons]
    assert_includes reasons.inspect, "its objects have the record itself as their parent, loaded with it"
  end

  # Each of these associations leads to all others. Each Selection is looked at once.
  def test_inverses_of_many_associations
    names = Array.new(7) { |i| "Crossing#{i}" }
    models = names.map do |name|
      Class.new(ActiveRecord::Base) do
        self.table_name = "crossing_items"
        define_singleton_method(:name) { name }
      end
    end
    serializers = models.map { Class.new(Katsu::Serializer) { attributes :id } }
    models.each_with_index do |model, i|
      names.each_with_index do |name, j|
        next if j <= i

        self.class.const_set(name, models[j]) unless self.class.const_defined?(name)
        model.has_many :"many#{j}", class_name: "QueryCrossingsTest::#{name}", foreign_key: :owner_id,
                                    inverse_of: :"one#{i}"
        models[j].belongs_to :"one#{i}", class_name: "Crossing#{i}", foreign_key: :owner_id, optional: true
        serializers[i].has_many :"many#{j}", serializer: serializers[j]
      end
    end
    looked = 0
    counting = TracePoint.new(:call) { |point| looked += 1 if point.method_id == :look }
    counting.enable { assert_equal "[]", serializers[0].many(models[0].where(id: -1)).to_json }
    assert_operator looked, :<, 60
  end

  # The owner of author.posts, which is in memory.
  def test_owners_of_the_association_that_is_written
    seen, hidden = %w[seen hidden].map { |name| Parent.unscoped.create!(name: name) }
    [seen, hidden].each { |parent| Child.create!(title: "t", owner_id: parent.id) }
    serializer = Class.new(Katsu::Serializer, &INVERSES[:written])
    assert_equal '[{"parent":{"name":"hidden"}}]', serializer.many(hidden.children).to_json
    seen.name = "unsaved"
    [seen.children, seen.children.order(:id), seen.children.where(title: "t")].each do |children|
      assert_equal '[{"parent":{"name":"unsaved"}}]', serializer.many(children).to_json
    end
  end
end
