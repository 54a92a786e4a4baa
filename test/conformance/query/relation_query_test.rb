# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/statements"

# The SQL of a relation that is kept by its outline. The reference is what ActiveRecord writes.
class RelationQueryTest < TestCase
  include Statements

  ActiveRecord::Schema.define do
    create_table(:outlined_things) do |t|
      t.string :name
      t.integer :number, limit: 4
      t.integer :state
      t.boolean :ready
      t.float :ratio
      t.datetime :made_at
      t.date :day
    end
    create_table(:other_outlined_things) { |t| t.string :name }
  end

  class Thing < ActiveRecord::Base
    self.table_name = "outlined_things"
    self.inheritance_column = nil
    enum :state, {open: 0, shut: 1}
  end

  class Recent < ActiveRecord::Base
    self.table_name = "outlined_things"
    self.inheritance_column = nil
    default_scope { where(ready: true).order(number: :desc) }
  end

  class Rows < Katsu::Serializer
    attributes :id, :name, :number
  end

  # Needs the record.
  class Records < Katsu::Serializer
    attributes :id, :name
    def name = object[:name].to_s + object.public_send(:number).to_s
  end

  RelationQuery = Katsu::Query::RelationQuery
  RelationOutline = Katsu::Query::RelationOutline

  # Of each name two relations of one outline.
  OUTLINES = {
    all: -> { [Thing.all, Thing.all] },
    page: -> { [Thing.order(:id).limit(50), Thing.order(:id).limit(7)] },
    offset: -> { [Thing.order(id: :desc).limit(5).offset(10), Thing.order(id: :desc).limit(6).offset(0)] },
    offset_alone: -> { [Thing.offset(3), Thing.offset(4)] },
    equal: -> { [Thing.where(name: "a"), Thing.where(name: "it's \\ é")] },
    integers: -> { [Thing.where(number: 1), Thing.where(number: "-12")] },
    several: lambda do
      [Thing.where(name: "a", number: 1).where(ready: true), Thing.where(name: "", number: 2, ready: false)]
    end,
    null: -> { [Thing.where(name: nil, number: 3), Thing.where(name: nil, number: 4)] },
    other: -> { %w[a b].map { |name| Thing.where.not(name: name).where.not(number: nil) } },
    from: -> { [Thing.where(number: 3..), Thing.where(number: 5..)] },
    until: -> { [Thing.where(number: ..3), Thing.where(number: ..5)] },
    before: -> { [Thing.where(number: ...3), Thing.where(number: ...5)] },
    enum: -> { [Thing.open, Thing.shut] },
    times: -> { [Thing.where(made_at: Time.utc(2026)), Thing.where(made_at: Time.at(0, 1, :usec))] },
    dates: -> { [Thing.where(day: Date.new(2026), ratio: 1.5), Thing.where(day: "2027-01-01", ratio: -1)] },
    order_text: -> { [Thing.order("name desc, id").limit(1), Thing.order("name desc, id").limit(2)] },
    reverse: -> { [Thing.order(:name, id: :desc).reverse_order, Thing.order(:name, id: :desc).reverse_order] },
    reorder: -> { [Thing.order(:id).reorder(:name), Thing.order(:number).reorder(:name)] },
    scope: -> { [Recent.where(name: "a"), Recent.where(name: "b")] },
    rewhere: -> { [Thing.where(number: 1).rewhere(number: 2), Thing.rewhere(number: 3)] },
    merge: -> { [Thing.merge(Thing.where(number: 1)), Thing.merge(Thing.where(number: 2))] },
    silent: -> { [Thing.readonly.strict_loading.limit(1), Thing.readonly.strict_loading.limit(2)] },
    columns: -> { [Thing.select(:id, :name).limit(1), Thing.select(:id, :name).limit(2)] },
    batch: -> { [6, 7].map { |last| Thing.where(Thing.predicate_builder["id", last, :gt]).limit(1000) } }
  }.freeze

  # What is not known.
  OTHERS = {
    list: -> { Thing.where(number: [1, 2]) }, text: -> { Thing.where("number > 1") },
    or: -> { Thing.open.or(Thing.shut) },
    between: -> { Thing.where(number: 1..2) }, literal: -> { Thing.order(Arel.sql("random()")) },
    case: -> { Thing.in_order_of(:number, [2, 1]) }, nulls: -> { Thing.order(Thing.arel_table[:id].asc.nulls_first) },
    function: -> { Thing.order(Thing.arel_table[:name].lower.asc) }, none: -> { Thing.none },
    distinct: -> { Thing.distinct }, group: -> { Thing.group(:id) }, lock: -> { Thing.lock },
    from: -> { Thing.from("outlined_things") }, extending: -> { Thing.extending(Module.new) },
    joins: -> { Thing.joins("JOIN outlined_things o ON o.id = outlined_things.id") },
    annotate: -> { Thing.annotate("why") }, columns: -> { Thing.select("id, name") },
    literal_value: -> { Thing.where(Thing.arel_table[:number].eq(1)) }, beyond: -> { Thing.where(number: 2**70) },
    infinite: -> { Thing.where(ratio: Float::INFINITY) },
    another_table: -> { Thing.order(Arel::Table.new(:others)[:id].asc) },
    another_column: lambda do
      Thing.where(Arel::Table.new(:others)[:id].eq(Thing.open.where_clause.send(:predicates)[0].right))
    end,
    odd: -> { Thing.order(:id).limit(nil) }
  }.freeze

  def setup
    @kept = RelationQuery.new_kept
    Thing.delete_all
    3.times { |i| Thing.create!(name: "thing #{i}", number: i, ready: i.odd?) }
  end

  def teardown
    Thing.delete_all
  end

  def query(relation, columns = :all)
    RelationQuery.of(relation, @kept, columns) { relation }
  end

  def ways
    super(Thing) do |connection|
      @kept = RelationQuery.new_kept
      yield connection
    end
  end

  # What is kept of each outline.
  def kept = %i[@young @old].flat_map { |name| @kept.instance_variable_get(name).values }

  def test_statements_of_one_outline
    ways do |connection|
      OUTLINES.each do |name, pair|
        @kept = RelationQuery.new_kept
        first, second = pair.call
        2.times { assert_written connection, first, name }
        assert_equal 1, kept.size, name
        assert_written connection, second, name
        without_writing(connection) { query(second).statement(connection) }
        assert_written connection, first, name
        assert_equal 1, kept.size, name
      end
    end
  end

  def test_outlines_that_differ
    relations = OUTLINES.transform_values { |pair| pair.call[0] }
    ways do |connection|
      assert_operator relations.size, :<=, RelationQuery::LIMIT # there is room for all
      3.times { relations.each { |name, relation| assert_written connection, relation, name } }
    end
    Thing.with_connection do |connection|
      by_sql = relations.values.group_by { |relation| connection.send(:to_sql_and_binds, relation.arel)[0] }
      assert_equal by_sql.values, relations.values.group_by { |relation| RelationOutline.of(relation).key }.values
      assert_operator by_sql.size, :>, 20
    end
  end

  # [:select, :id, :limit] would be the key of two relations.
  def test_columns_that_are_called_as_parts
    relations = [Thing.select(:id, :limit), Thing.select(:id).limit(2), Thing.select(:id, :offset, :limit),
                 Thing.select(:id).offset(1).limit(2), Thing.select(:id, :order), Thing.select(:id).reorder(nil),
                 Thing.select(:id, :order, :limit), Thing.select(:id).order(:name), Thing.select(:id, :where),
                 Thing.select(:id).where(id: 1), Thing.limit(2)]
    relations.permutation(2) do |pair|
      ways do |connection|
        (pair * 2).each { |relation| assert_written connection, relation }
      end
    end
  end

  def test_relations_that_activerecord_writes
    OTHERS.each { |name, relation| assert_nil query(relation.call), name }
    OUTLINES.each { |name, pair| assert query(pair.call[0]), name }
  end

  def test_relations_that_add_something
    %i[arel build_arel].each do |name|
      relation = Thing.order(:id)
      relation.define_singleton_method(name) { |*args| super(*args) }
      assert_nil query(relation)
    end
  end

  # As libraries do that put conditions into each query.
  def test_writers_that_are_not_activerecords
    Thing.with_connection do |connection|
      connection.visitor.define_singleton_method(:visit_Arel_Nodes_Equality) { |o, collector| super(o, collector) }
      3.times { assert_written connection, Thing.where(number: 1) }
      assert_equal [:unkept], kept
    ensure
      connection.visitor.singleton_class.send(:remove_method, :visit_Arel_Nodes_Equality)
    end
  end

  def test_adapters_that_are_not_known
    Thing.with_connection do |connection|
      connection.define_singleton_method(:adapter_name) { "Oracle" }
      3.times { assert_written connection, Thing.where(number: 1) }
      assert_equal [:unkept], kept
    ensure
      connection.singleton_class.remove_method(:adapter_name)
    end
  end

  # Those that are not kept are written as ever.
  def test_more_outlines_than_are_kept
    ways do |connection|
      orders = %i[name number state ready day].permutation(4).first(RelationQuery::LIMIT * 3)
      3.times { orders.each { |order| assert_written connection, Thing.order(*order).limit(1) } }
      assert_includes RelationQuery::LIMIT..(RelationQuery::LIMIT * 2), kept.size
    end
  end

  # Whatever came before, and comes meanwhile.
  def test_outlines_that_are_met_again_are_kept
    ways do |connection|
      page = -> { Thing.where(number: 1).order(:id) }
      orders = %i[name number state ready day].permutation(4).first(RelationQuery::LIMIT * 3)
      orders.each { |order| assert_written connection, Thing.order(*order).limit(1) }
      2.times { assert_written connection, page.call }
      orders.each do |order|
        assert_written connection, Thing.order(*order).limit(1)
        without_writing(connection) { query(page.call).statement(connection) }
      end
    end
  end

  def test_what_is_kept_does_not_change
    order = +"name"
    value = +"a"
    ways do |connection|
      [order, value].each { |text| text << "" }
      2.times { assert_written connection, Thing.order(order).where(name: value) }
      relation = Thing.order(order).where(name: value)
      assert_written connection, relation
      order.replace("number")
      value.replace("b")
      assert_written connection, Thing.order(order).where(name: value)
      assert_written connection, Thing.order("name").where(name: "a")
      order.replace("name")
      value.replace("a")
    end
  end

  # One object may stand in two conditions.
  def test_each_condition_has_its_own_value
    column = Thing.arel_table[:number]
    type = Thing.type_for_attribute(:number)
    value = ->(number) { ActiveRecord::Relation::QueryAttribute.new("number", number, type) }
    ways do |connection|
      twice = value[1]
      [[twice, twice], [value[2], value[3]], [value[3], value[2]]].cycle(3) do |one, other|
        assert_written connection, Thing.where(column.gteq(one)).where(column.lteq(other))
      end
    end
  end

  def test_a_table_with_another_name
    model = Class.new(ActiveRecord::Base) { self.table_name = "outlined_things" }
    Thing.with_connection do |connection|
      2.times { assert_written connection, model.order(:id) }
      model.table_name = "other_outlined_things"
      assert_written connection, model.order(:id)
      assert_match(/other_outlined_things/, query(model.order(:id)).statement(connection)[0])
    end
  end

  def test_columns_are_of_the_outline
    Thing.with_connection do |connection|
      names = %i[id name]
      statement = ->(name, &narrowed) { RelationQuery.of(Thing.all, @kept, name, &narrowed).statement(connection) }
      2.times { names.each { |name| statement.call(name) { Thing.select(name) } } }
      found = names.map { |name| statement.call(name) { flunk }[0] }
      assert_equal names.map { |name| Thing.select(name).to_sql }, found
    end
  end

  def test_a_setting_that_names_all_columns
    Thing.with_connection do |connection|
      [false, true, false].cycle(3) do |setting|
        Thing.enumerate_columns_in_select_statements = setting
        assert_written connection, Thing.all
      end
    ensure
      Thing.enumerate_columns_in_select_statements = false
    end
  end

  # The values, the statement and its name are those of ActiveRecord's own query.
  def test_documents_make_activerecords_queries
    {Rows => %i[id name number], Records => nil}.each do |serializer, columns|
      [1, 2, 1, 3].each do |number|
        relation = Thing.where(number: ..number).order(:id).limit(2)
        expected = events { (columns ? relation.select(*columns) : relation.dup).to_a }
        assert_equal(expected, events { serializer.many(relation).to_json })
        assert_equal JSON.generate(relation.to_a.map { |thing| serializer.new.serialize(thing) }),
                     serializer.many(relation).to_json
      end
    end
  end

  def test_documents_keep_a_statement
    [Rows, Records].each do |serializer|
      relations = [2, 1].map { |number| Thing.where(number: number).order(:id) }
      serializer.many(relations[0]).to_json
      serializer.many(relations[0]).to_json
      Thing.with_connection do |connection|
        found = without_writing(connection) { serializer.many(relations[1]).to_json }
        assert_equal [1], JSON.parse(found).map { |thing| thing["id"] - Thing.minimum(:id) }
      end
    end
  end

  def test_a_number_that_no_column_holds
    [Rows, Records].each do |serializer|
      [1, 2**70, 1, 1, 2**70].each do |number|
        relation = Thing.where(number: number)
        assert_equal relation.to_a.size, JSON.parse(serializer.many(relation).to_json).size
      end
    end
  end

  private

  def assert_written(connection, relation, name = nil)
    written = (query(relation) || flunk(name)).statement(connection)
    assert_statement connection, relation.arel, written, name
  end

  def events(&block)
    seen = []
    listener = lambda do |*, payload|
      seen << [payload[:sql], payload[:name], payload[:binds].map(&:value_for_database), payload[:type_casted_binds]]
    end
    ActiveSupport::Notifications.subscribed(listener, "sql.active_record", &block)
    seen.map { |*all, values| [*all, values.respond_to?(:call) ? values.call : values] }
  end

  # ActiveRecord writes the SQL of a String as it is.
  def without_writing(connection)
    connection.visitor.define_singleton_method(:compile) { |*| raise "asked" }
    yield
  ensure
    connection.visitor.singleton_class.remove_method(:compile)
  end
end
