# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "stringio"

# Sources and columns of every kind: the way that each takes, in the words of explain, and the same bytes.
class QueryKindsTest < TestCase
  encryption = ActiveRecord::Encryption
  encryption.configure(primary_key: "p" * 32, deterministic_key: "d" * 32, key_derivation_salt: "s" * 32)

  ActiveRecord::Schema.define do
    create_table :kind_items do |t|
      t.string :name
      t.integer :amount
      t.integer :state
      t.string :secret
      t.text :list
      t.text :options
      t.string :street
      t.string :city
      t.boolean :hidden, default: false
      t.references :parent
      t.virtual :loud, type: :string, as: "upper(name)", stored: true
      t.virtual :twice, type: :integer, as: "amount * 2", stored: false
    end
    execute "CREATE VIEW kind_views AS SELECT name, amount FROM kind_items WHERE amount > 0"
  end

  Address = Struct.new(:street, :city) do
    def as_json(*) = "#{street}, #{city}"
  end

  class Abstract < ActiveRecord::Base
    self.abstract_class = true
  end

  class Item < Abstract
    self.table_name = "kind_items"
    belongs_to :parent, class_name: "QueryKindsTest::Item", optional: true
    has_many :parts, -> { order(:id) }, class_name: "QueryKindsTest::Item", foreign_key: :parent_id
    enum :state, {draft: 0, live: 1}
    encrypts :secret
    serialize :list, coder: JSON
    store :options, accessors: [:color], coder: JSON
    attribute :stars, :integer, default: 3
    attribute :amount, :integer, default: 7
    composed_of :address, class_name: "QueryKindsTest::Address", mapping: {street: :street, city: :city}
  end

  class Shown < Abstract
    self.table_name = "kind_items"
    default_scope { where(hidden: false).order(:id) }
  end

  class Narrow < Abstract
    self.table_name = "kind_items"
    self.ignored_columns += %w[secret list options]
  end

  class View < Abstract
    self.table_name = "kind_views"
  end

  class NameSerializer < Katsu::Serializer
    attributes :name
  end

  class PartsSerializer < Katsu::Serializer
    attributes :name
    has_many :parts, serializer: NameSerializer
    has_one :parent, serializer: NameSerializer
  end

  class ExtraSerializer < Katsu::Serializer
    attributes :name, :extra
  end

  def setup
    items = Array.new(4) do |i|
      Item.create!(name: "item #{i}", amount: i, state: i % 2, secret: "secret #{i}", list: [i, {"a" => 1}],
                   color: "red", street: "street #{i}", city: "city", hidden: i == 3)
    end
    Array.new(3) { |i| items[i % 2].parts.create!(name: "part #{i}", amount: 10 + i) }
  end

  def teardown
    Item.delete_all
  end

  UNION = "(SELECT * FROM kind_items WHERE amount = 1 UNION ALL SELECT * FROM kind_items WHERE amount = 2) kind_items"
  EXTRA = ["the query has select", "QueryKindsTest::Item has no such column"].freeze

  # kind => [serializer, source, way, words of explain: why it does not take a faster way]
  RELATIONS = {
    "all" => [PartsSerializer, -> { Item.order(:id) }, :rows, nil],
    "where, order, limit, offset" => [PartsSerializer, -> { Item.where(amount: 1..).order(:id).limit(3).offset(1) },
                                      :rows, nil],
    "distinct" => [PartsSerializer, -> { Item.distinct.order(:id) }, :rows, nil],
    "none" => [PartsSerializer, -> { Item.none }, :rows, nil],
    "a condition that nothing meets" => [PartsSerializer, -> { Item.where(id: []) }, :rows, nil],
    "or" => [PartsSerializer, -> { Item.where(amount: 1).or(Item.where(name: "part 0")).order(:id) }, :rows, nil],
    "a condition with a query" => [PartsSerializer, -> { Item.where(parent: Item.where(amount: 1)).order(:id) }, :rows,
                                   nil],
    "joins" => [PartsSerializer, -> { Item.joins(:parent).where(parent: {amount: 1}).order(:id) }, :rows, nil],
    "joins of a collection" => [PartsSerializer, -> { Item.joins(:parts).order(:id) }, :rows, nil],
    "left joins" => [PartsSerializer, -> { Item.left_joins(:parts).order(:id, "parts_kind_items.id") }, :rows, nil],
    "includes" => [PartsSerializer, -> { Item.includes(:parts).order(:id) }, :rows, nil],
    "with (a common table expression)" => [
      PartsSerializer,
      -> { Item.with(few: Item.where(amount: 1)).joins("JOIN few ON few.id = kind_items.id").order(:id) }, :rows, nil
    ],
    "a part of an association" => [PartsSerializer, -> { Item.find_by(amount: 1).parts.where(amount: 11) }, :rows, nil],
    "an association" => [PartsSerializer, -> { Item.find_by(amount: 1).parts }, :rows, nil],
    "an association that is loaded" => [PartsSerializer, -> { Item.find_by(amount: 1).parts.load }, :records,
                                        "the relation is loaded"],
    "an association with an object that is not saved" => [
      PartsSerializer, -> { Item.find_by(amount: 1).tap { |item| item.parts.build(name: "built") }.parts }, :records,
      "the records of an association may not be saved yet"
    ],
    "loaded" => [PartsSerializer, -> { Item.order(:id).load }, :records, "the relation is loaded"],
    "loaded with a part of the associations" => [
      PartsSerializer, -> { Item.order(:id).load.tap { |items| items[1].parts.load } }, :records,
      "the relation is loaded"
    ],
    "group" => [NameSerializer, -> { Item.group(:id).order(:id) }, :records, "the query has group"],
    "group and having" => [NameSerializer, -> { Item.group(:parent_id).having("COUNT(*) > 1").order(:parent_id) },
                           :records, "the query has group, having"],
    "from" => [NameSerializer, -> { Item.from(Item.where(amount: 1..2), :kind_items).order(:id) }, :records,
               "the query has from"],
    "a union" => [NameSerializer, -> { Item.from(UNION).order(:name) }, :records, "the query has from"],
    "select with an extra" => [ExtraSerializer, -> { Item.select("kind_items.*, amount + 1 AS extra").order(:id) },
                               :records, EXTRA],
    "joins with an extra" => [
      ExtraSerializer,
      -> { Item.joins(:parent).select("kind_items.*, parents_kind_items.name AS extra").order(:id) }, :records,
      EXTRA
    ],
    "eager_load" => [PartsSerializer, -> { Item.eager_load(:parts).order(:id) }, :records,
                     "the relation loads its associations by joins (eager_load)"],
    "lock" => [NameSerializer, -> { Item.lock.order(:id) }, :records, "the query has lock"],
    "extending" => [NameSerializer, -> { Item.order(:id).extending(Module.new) }, :records, "the query has extending"],
    "raw SQL" => [ExtraSerializer, -> { Item.find_by_sql("SELECT *, 1 AS extra FROM kind_items ORDER BY id") },
                  :records, nil],
    "an Array" => [PartsSerializer, -> { Item.order(:id).to_a }, :records, nil],
    "an Enumerator" => [PartsSerializer, -> { Item.order(:id).to_a.each }, :objects, nil],
    "a default scope" => [NameSerializer, -> { Shown.all }, :rows, nil],
    "without its default scope" => [NameSerializer, -> { Shown.unscoped.order(:id) }, :rows, nil],
    "ignored columns" => [NameSerializer, -> { Narrow.order(:id) }, :rows, nil],
    "a view without a primary key" => [NameSerializer, -> { View.order(:amount) }, :rows, nil]
  }.freeze

  # attribute => [way, words of explain]
  COLUMNS = {
    id: [:rows, nil], name: [:rows, nil], amount: [:rows, nil], state: [:rows, nil], secret: [:rows, nil],
    list: [:rows, nil], options: [:rows, nil], loud: [:rows, nil], twice: [:rows, nil],
    color: [:records, "it is a method of QueryKindsTest::Item"],
    stars: [:records, "it is an attribute of the model without a column"],
    address: [:records, "it is a method of QueryKindsTest::Item"]
  }.freeze

  # What is watched takes seconds.
  WATCHED = ["distinct", "a condition with a query", "select with an extra", :secret].freeze

  def assert_way(kind, serializer, source, way, words)
    expected = Katsu::ArraySerializer.new(source.call.to_a, each_serializer: serializer).to_json
    explained = serializer.many(source.call).explain.to_h
    assert_equal [way, Array(words)], [explained[:way], explained[:reasons].map { |reason| reason[:why] }], kind
    document = -> { serializer.many(source.call).to_json }
    assert_equal expected, WATCHED.include?(kind) ? watched(&document) : document.call, kind
    assert_equal JSON.parse(expected), serializer.many(source.call).to_a, kind
    assert_equal expected, serializer.many(source.call).write_to(StringIO.new).string, kind
    lines = serializer.many(source.call).write_to(StringIO.new, format: :ndjson).string.lines(chomp: true)
    assert_equal expected, "[#{lines.join(",")}]", kind
  end

  RELATIONS.each do |kind, (serializer, source, way, words)|
    define_method("test_#{kind.gsub(/\W+/, "_")}") { assert_way(kind, serializer, source, way, words) }
  end

  COLUMNS.each do |name, (way, words)|
    define_method("test_column_#{name}") do
      serializer = Class.new(Katsu::Serializer) { attributes name }
      assert_way(name, serializer, -> { Item.order(:id) }, way, words)
    end
  end

  def test_an_abstract_class
    assert_raises(ActiveRecord::TableNotSpecified, NotImplementedError, NoMethodError) do
      NameSerializer.many(Abstract.all).to_json
    end
  end
end
