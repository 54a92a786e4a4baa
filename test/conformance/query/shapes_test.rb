# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

# Associations of every shape as rows, with one query each; and records of those only of which they are needed.
class QueryShapesTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:shape_shops, primary_key: %i[town number]) do |t|
      t.integer :town
      t.integer :number
      t.string :name
    end
    create_table :shape_items do |t|
      t.string :type
      t.string :name
      t.json :data
      t.integer :town
      t.integer :shop_number
      t.references :parent
      t.references :holder, polymorphic: true
    end
    create_table(:shape_tags) { |t| t.string :name }
    create_table(:shape_items_tags, id: false) { |t| t.references :item, :tag }
  end

  class Base < ActiveRecord::Base
    self.abstract_class = true
  end

  class Tag < Base
    self.table_name = "shape_tags"
    has_many :held, -> { order(:id) }, as: :holder, class_name: "QueryShapesTest::Item"
  end

  class Shop < Base
    self.table_name = "shape_shops"
    key = {foreign_key: %i[town shop_number]}
    has_many :items, -> { order(:id) }, class_name: "QueryShapesTest::Item", **key
    has_one :last_item, -> { order(id: :desc) }, class_name: "QueryShapesTest::Item", **key
    has_many :parts, -> { order(:id) }, through: :items
    has_many :tags, -> { distinct.order(:id) }, through: :items
  end

  class Item < Base
    self.table_name = "shape_items"
    children = {class_name: "QueryShapesTest::Item", foreign_key: :parent_id}
    belongs_to :shop, foreign_key: %i[town shop_number], class_name: "QueryShapesTest::Shop", optional: true
    belongs_to :parent, class_name: "QueryShapesTest::Item", optional: true
    belongs_to :holder, polymorphic: true, optional: true
    has_many :parts, -> { order(name: :desc) }, **children
    has_many :first_parts, -> { order(:id).limit(1) }, **children
    has_many :third_parts, -> { order(Arel.sql("3").desc, "1") }, **children # by name and id
    has_many :grand_parts, through: :parts, source: :parts
    has_many :worded_grand_parts, -> { order("name DESC, id") }, through: :parts, source: :parts
    has_many :third_grand_parts, -> { order(Arel.sql("3 DESC, 1")) }, through: :parts, source: :parts
    has_many :qualified_tags, -> { order("shape_tags.name DESC, shape_tags.id") }, through: :parts, source: :tags
    has_many :sorted_grand_parts, -> { order(name: :desc) }, through: :parts, source: :parts
    has_many :part_tags, -> { where.not(name: "tag 0").order(:id) }, through: :parts, source: :tags
    has_many :part_shops, -> { order(:town, :number) }, through: :parts, source: :shop
    has_one :grand_parent, through: :parent, source: :parent
    has_one :parent_shop, through: :parent, source: :shop
    has_one :holding_tag, through: :parent, source: :holder, source_type: "QueryShapesTest::Tag"
    has_and_belongs_to_many :tags, -> { order(:id) }, class_name: "QueryShapesTest::Tag",
                                                      join_table: "shape_items_tags", foreign_key: :item_id
    has_many :tags_apart, -> { order(:id) }, through: :parts, source: :tags, disable_joins: true
  end

  class Special < Item; end

  class Loud < Item
    def name = super&.upcase
  end

  class NameSerializer < Katsu::Serializer
    attributes :name
  end

  class MethodSerializer < Katsu::Serializer
    attributes :name
    attribute(:size) { |object| object[:name].size }
  end

  def setup
    shops = Array.new(3) { |i| Shop.create!(town: 1 + (i / 2), number: i, name: "shop #{i}") }
    tags = Array.new(3) { |i| Tag.create!(name: "tag #{i}") }
    tops = Array.new(3) { |i| item("top #{i}", shop: shops[i], holder: [nil, tags[0], nil][i], tags: tags.first(i)) }
    parts = Array.new(5) do |i|
      item("part #{i}", parent: tops[i % 2], holder: [tops[0], tags[1], nil][i % 3], tags: tags.last(i % 3),
                        shop: shops[i % 2], data: {"a" => [i]})
    end
    Array.new(4) { |i| item("grand #{i % 3}", parent: parts[i % 3], shop: shops[2], tags: tags.first(1)) }
  end

  def item(name, **values) = Item.create!(name: name, **values)

  def teardown
    [Item, Shop, Tag].each(&:delete_all)
    Item.connection.execute("DELETE FROM shape_items_tags")
  end

  def serializer(&body) = Class.new(Katsu::Serializer, &body)

  def records_made
    made = Hash.new(0)
    count = ->(*, payload) { made[payload[:class_name]] += payload[:record_count] }
    ActiveSupport::Notifications.subscribed(count, "instantiation.active_record") { yield }
    made
  end

  # Once a test, and in three of them: what is watched takes seconds.
  def watched_in_some(&block)
    chosen = %w[test_through test_polymorphic test_records_of_children_only].include?(name)
    chosen && !@watched ? watched(&(@watched = block)) : yield
  end

  # records: the classes of which records are made. queries: how many are made, one a table unless it is said.
  def assert_shape(serializer, relation = Item.order(:id), records: [], queries: nil)
    expected = Katsu::ArraySerializer.new(relation.spawn.to_a, each_serializer: serializer).to_json
    document = serializer.many(relation.spawn)
    count = nil
    made = records_made { count = queries { assert_equal expected, watched_in_some { document.to_json } }.size }
    assert_equal records.sort, made.keys.sort
    assert_equal queries, count if queries
    assert_equal JSON.parse(expected), document.to_a
    assert_equal expected, document.write_to(StringIO.new).string
    expected
  end

  def test_through
    %i[grand_parts sorted_grand_parts part_tags part_shops tags].each do |name|
      text = assert_shape(serializer { has_many name, serializer: NameSerializer }, queries: 2)
      assert_match(/"name":"(grand|tag|shop)/, text)
    end
    %i[grand_parent parent_shop holding_tag].each do |name|
      text = assert_shape(serializer { has_one name, serializer: NameSerializer }, queries: 2)
      assert_match(/"name":"(top|shop|tag)/, text)
    end
    several = serializer do
      has_many :grand_parts, serializer: NameSerializer
      has_many :tags, serializer: NameSerializer
      has_many :parts, serializer: (Class.new(Katsu::Serializer) { has_many :tags, serializer: NameSerializer })
    end
    assert_shape(several, queries: 5)
  end

  class IdSerializer < Katsu::Serializer
    attributes :id
  end

  # Orders that are SQL text, and whether all columns are selected for them.
  ORDERS = {
    position: [-> { order(Arel.sql("3")) }, true],
    text_of_a_position: [-> { order("3 DESC") }, true],
    later_position: [-> { order("type, 3 desc") }, true],
    brackets: [-> { order(Arel.sql("(3)"), :id) }, true],
    sign_and_comment: [-> { order(Arel.sql("/* name */ +3")) }, true],
    node: [-> { order(Arel.sql("3").desc) }, true],
    node_in_node: [-> { order(Arel::Nodes::Grouping.new(Arel.sql("3")).asc) }, true],
    number: [-> { order(Arel::Nodes.build_quoted(3).desc) }, true],
    with_a_limit: [-> { order(Arel.sql("3")).limit(2) }, true],
    reversed: [-> { order(Arel.sql("3")).reverse_order }, true],
    name_in_a_join: [-> { joins(:parts).order("name DESC") }, true],
    name_in_a_left_join: [-> { left_outer_joins(:parts).order("name DESC, id") }, true],
    columns_in_a_join: [-> { joins(:parts).order("shape_items.name DESC, shape_items.id") }, false],
    symbols_in_a_join: [-> { joins(:parts).order(:name, id: :desc) }, false],
    name: [-> { order("name DESC") }, false],
    call: [-> { order(Arel.sql("substr(name, 3), id")) }, false],
    function: [-> { order(Item.arel_table[:name].lower.desc) }, false],
    values: [-> { in_order_of(:name, ["top 1", "top 0"]).order(:id) }, false],
    symbols: [-> { order(:name, id: :desc) }, false]
  }.freeze

  def test_orders_that_are_text
    ORDERS.each do |name, (part, all)|
      relation = Item.instance_exec(&part)
      assert_shape(IdSerializer, relation)
      sql = IdSerializer.many(relation).explain.to_h[:queries][0][:sql]
      assert_equal all, sql.start_with?('SELECT "shape_items".* FROM'), "#{name}: #{sql}"
      why = "\n  QueryShapesTest::Item: all columns are selected, as the order is SQL text"
      assert_equal all, IdSerializer.many(relation).explain.to_s.include?(why), name
      assert_equal IdSerializer.many(relation.limit(1).to_a).to_a[0], IdSerializer.one(relation.spawn).to_h
    end
  end

  def test_scopes_with_orders_that_are_text
    %i[third_parts worded_grand_parts third_grand_parts qualified_tags].each do |name|
      assert_shape(serializer { has_many name, serializer: IdSerializer }, queries: 2)
      assert_shape(IdSerializer, Item.find_by(name: "top 0").public_send(name))
      explained = serializer { has_many name, serializer: IdSerializer }.many(Item.all).explain.to_s
      assert_equal name != :qualified_tags, explained.include?("\n  #{name}: all columns are selected")
    end
    document = serializer { has_many :qualified_tags, serializer: IdSerializer }.many(Item.order(:id))
    assert_includes document.explain.to_s, 'SELECT "shape_tags"."id", "shape_items"."parent_id" AS katsu_key_0'
  end

  def test_through_from_keys_of_several_columns
    shops = Shop.order(:town, :number)
    %i[items parts tags].each { |name| assert_shape(serializer { has_many name, serializer: NameSerializer }, shops) }
    assert_shape(serializer { has_one :last_item, serializer: NameSerializer }, shops, queries: 2)
    assert_shape(serializer { has_one :shop, serializer: NameSerializer }, queries: 2)
    assert_shape(serializer { attribute(:tags, needs: {tags: :name}) { |shop| shop.tags.map(&:name) } }, shops)
    assert_shape(serializer { attribute(:shop, needs: {shop: :name}) { |item| item.shop&.name } })
  end

  def test_many_keys_of_several_columns
    skip "one row does" unless GC_MODE == "normal"
    Shop.insert_all!(Array.new(1500) { |i| {town: 9, number: i, name: "many #{i}"} })
    Item.insert_all!(Array.new(1500) { |i| {name: "of #{i}", town: 9, shop_number: i} })
    assert_shape(serializer { has_one :shop, serializer: NameSerializer }, Item.where(town: 9).order(:id), queries: 2)
  end

  def test_polymorphic
    text = assert_shape(serializer { has_one :holder, serializer: NameSerializer }, queries: 3)
    assert_includes text, '"holder":{"name":"top 0"}'
    assert_includes text, '"holder":{"name":"tag 1"}'
    assert_shape(serializer { attribute(:held, needs: {holder: :name}) { |item| item.holder&.name } }, queries: 3)
    deep = Class.new(Katsu::Serializer) { has_many :held, serializer: NameSerializer }
    assert_shape(serializer { has_one :holder, serializer: deep }, Item.where(holder_type: Tag.name).order(:id))
    assert_shape(serializer { has_one :holder, serializer: MethodSerializer }, records: [Item.name, Tag.name])
  end

  def test_polymorphic_with_types_of_every_kind
    names = serializer { has_one :holder, serializer: NameSerializer }
    Item.where(name: "part 0").update_all(holder_id: 0)
    Item.where(name: "part 1").update_all(holder_type: "")
    Item.where(name: "part 2").update_all(holder_type: Special.name, holder_id: Item.find_by(name: "top 1").id)
    assert_shape(names)
    Item.where(name: "top 1").update_all(type: Special.name)
    assert_shape(names)
  end

  # The record may never be written; if it is, the error is the reader's.
  def test_polymorphic_types_that_name_no_class
    Item.where(name: "part 2").update_all(holder_type: "Nowhere::Nothing")
    [NameSerializer, MethodSerializer].each do |one|
      others = serializer { has_one :holder, serializer: one, if: ->(item) { item.name != "part 2" } }
      expected = Katsu::ArraySerializer.new(Item.order(:id).to_a, each_serializer: others).to_json
      assert_equal expected, others.many(Item.order(:id)).to_json
      all = serializer { has_one :holder, serializer: one }
      wrong = Item.find_by(name: "part 2")
      document = assert_raises(NameError) { all.many(Item.order(:id)).to_json }
      assert_equal assert_raises(NameError) { all.new.serialize_to_json(wrong) }.message, document.message
    end
  end

  # The same of a class without a serializer.
  def test_polymorphic_types_without_a_serializer
    by_class = {Tag.name => NameSerializer}
    condition = {if: ->(item) { item.holder_type == Tag.name }, needs: :holder_type}
    others = [serializer { has_one(:holder, serializer: by_class, **condition) },
              serializer { nested(:inner, **condition) { has_one(:holder, serializer: by_class) } }]
    others.each do |one|
      expected = Katsu::ArraySerializer.new(Item.order(:id).to_a, each_serializer: one).to_json
      [Item.order(:id), Item.order(:id).to_a].each do |source|
        assert_equal expected, one.many(source).to_json
        assert_equal expected, one.many(source).write_to(StringIO.new).string
      end
      wrong = Item.find_by(name: "part 0")
      assert_equal one.new.serialize_to_json(wrong), one.one(wrong).to_json
    end
    all = serializer { has_one(:holder, serializer: by_class) }
    wrong = Item.find_by(name: "part 0")
    [Item.order(:id), Item.order(:id).to_a].each do |source|
      document = assert_raises(Katsu::SerializerNotFoundError) { all.many(source).to_json }
      expected = assert_raises(Katsu::SerializerNotFoundError) { all.new.serialize_to_json(wrong) }
      assert_equal expected.message, document.message
    end
  end

  def test_json_columns_of_polymorphic_records
    data = Class.new(Katsu::Serializer) { attributes :data }
    Item.connection.execute("UPDATE shape_items SET data = '{\"a\":  [1, 2.50]}' WHERE name = 'top 0'")
    relation = Item.where(holder_type: Item.name).order(:id)
    assert_shape(serializer { has_one :holder, serializer: data }, relation, records: native? ? [Item.name] : [])
  end

  def test_serializers_by_class
    map = {Item.name => NameSerializer, Special.name => MethodSerializer, Tag.name => NameSerializer}
    Item.where(name: "part 2").update_all(type: Special.name)
    assert_shape(serializer { has_many :parts, serializer: map }, records: [Item.name])
    assert_shape(serializer { has_one :holder, serializer: map }, records: [Item.name, Tag.name])
  end

  def test_within_themselves
    tree = Class.new(Katsu::Serializer)
    self.class.const_set(:Tree, tree) unless self.class.const_defined?(:Tree)
    tree.class_eval do
      attributes :name
      has_many :grand_parts, serializer: tree, depth: 1
      has_many :parts, serializer: tree, depth: 2
      has_one :holder, serializer: NameSerializer
    end
    assert_shape(tree)
  end

  def test_records_of_children_only
    %i[parts tags grand_parts].each do |name|
      klass = name == :tags ? Tag.name : Item.name
      nested = serializer { has_many name, serializer: MethodSerializer }
      assert_shape(nested, Item.where("name LIKE 'top%'").order(:id), records: [klass], queries: 2)
      below = serializer { has_many :parts, serializer: nested }
      assert_shape(below, Item.where("name LIKE 'top%'").order(:id), records: [klass], queries: 3)
    end
    mixed = serializer do
      has_many :parts, serializer: NameSerializer
      has_one :shop, serializer: MethodSerializer
      has_one :grand_parent, serializer: MethodSerializer
    end
    assert_shape(mixed, records: [Shop.name, Item.name], queries: 4)
  end

  def test_records_of_children_that_turn_out_to_be_read_in_another_way
    Item.where(name: "part 2").update_all(type: Loud.name)
    relation = Item.where("name LIKE 'top%'").order(:id)
    names = serializer { has_many :parts, serializer: NameSerializer }
    expected = Katsu::ArraySerializer.new(relation.to_a, each_serializer: names).to_json
    assert_includes expected, "PART 2"
    made = records_made { assert_equal expected, names.many(relation.spawn).to_json }
    assert_equal({Item.name => 5}, made)
  end

  def test_what_is_loaded_below_records
    nested = serializer do
      attribute(:size) { |part| part.tags.size }
      has_many :tags, serializer: NameSerializer
    end
    below = serializer { has_many :parts, serializer: nested }
    relation = Item.where("name LIKE 'top%'").order(:id)
    assert_equal 3, queries { below.many(relation).to_json }.size
    loaded = relation.spawn.load
    assert_equal 2, queries { below.many(loaded).to_json }.size
    through = serializer { has_many :sorted_grand_parts, serializer: nested }
    items = relation.spawn.load
    expected = Katsu::ArraySerializer.new(relation.to_a, each_serializer: through).to_json
    assert_equal 2, queries { assert_equal expected, through.many(items).to_json }.size
    assert_empty(queries { assert_equal expected, through.many(items).to_json })
  end

  def test_explain
    document = serializer do
      has_many :parts, serializer: MethodSerializer
      has_many :tags, serializer: NameSerializer
      has_one :holder, serializer: NameSerializer
      has_one :shop, serializer: NameSerializer
    end.many(Item.order(:id))
    text = document.explain.to_s
    assert_includes text, "from rows, records are made of parts\n  because parts.size: a method field or block may read"
    assert_match(/^  parts +SELECT "shape_items"\.\* FROM "shape_items" WHERE \S+"parent_id" IN \(\.\.\.\)/, text)
    assert_match(/^  tags +SELECT "shape_tags"."name", "shape_items_tags"."item_id" AS katsu_key_0 FROM/, text)
    assert_match(/^  holder +a query for each class$/, text)
    assert_match(/^  shop .*"town" IN \(\.\.\.\) AND \S+"number" IN \(\.\.\.\)/, text)
    ways = document.explain.to_h[:fields].to_h { |field| [field[:path], field[:way]] }
    assert_equal :model, ways["parts.name"]
    assert_includes %i[driver row], ways["tags.name"]
  end

  def test_what_one_query_does_not_find
    assert_shape(serializer { has_many :first_parts, serializer: NameSerializer }, records: [Item.name])
    assert_shape(serializer { has_many :tags_apart, serializer: NameSerializer }, records: [Item.name, Tag.name])
  end
end
