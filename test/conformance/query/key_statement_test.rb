# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/statements"

# The SQL of a KeyQuery of which only the list of keys is new. The reference is what ActiveRecord writes.
class KeyStatementTest < TestCase
  include Statements

  ActiveRecord::Schema.define do
    create_table(:stated_things) do |t|
      t.string :code
      t.integer :owner_id, limit: 4
    end
  end

  class Thing < ActiveRecord::Base
    self.table_name = "stated_things"
    self.inheritance_column = nil
  end

  KeyQuery = Katsu::Query::KeyQuery
  KeyStatement = Katsu::Query::KeyStatement
  Placeholders = Katsu::Query::Placeholders

  INTEGERS = [[1, 2], [3, 1, 2], (1..50).to_a, [7, 8], (1..1200).to_a, [-5, 0], [1, 2, 2**70], [2**70, 2**71],
              [2**62, 1], [1] * 9].freeze
  STRINGS = [%w[a b], %w[a b c'], ["é", "?", "$1"], [""] * 12].freeze

  def setup
    @kept = {}
  end

  def query(keys, name = "owner_id")
    KeyQuery.of(Thing.all, keys, name, @kept) { Thing.where(name => keys) }
  end

  def ways(&block) = super(Thing, &block)

  def test_statements_of_integers
    ways do |connection|
      2.times { INTEGERS.each { |keys| assert_written connection, query(keys) } }
      assert_instance_of KeyStatement, known(connection)
    end
  end

  def test_statements_of_strings
    ways { |connection| 2.times { STRINGS.each { |keys| assert_written connection, query(keys, "code") } } }
    ways { |connection| (INTEGERS + STRINGS).each { |keys| assert_written connection, query(keys, "code") } }
  end

  def test_activerecord_is_asked_once
    ways do |connection|
      query([1, 2]).statement(connection)
      all = Thing.all.to_sql
      without_visitor(connection) do
        found = query([5, 6, 7]).statement(connection)
        list = connection.prepared_statements ? "?, ?, ?" : "5, 6, 7"
        assert_equal "#{all} WHERE \"stated_things\".\"owner_id\" IN (#{list})", found[0]
      end
    end
  end

  # ActiveRecord puts the keys into the SQL then.
  def test_more_keys_than_binds
    Thing.with_connection do |connection|
      connection.define_singleton_method(:bind_params_length) { 4 }
      2.times do
        [[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 2**70]].each do |keys|
          assert_written connection, query(keys)
        end
        assert_written connection, query(%w[1 2 3 4 5])
      end
      assert_equal "IN (1, 2, 3, 4, 5)", query([1, 2, 3, 4, 5]).statement(connection)[0][/IN .*/]
    ensure
      connection.singleton_class.remove_method(:bind_params_length)
    end
  end

  def test_sql_that_is_not_known
    ways do |connection|
      attribute = Thing.arel_table[:owner_id]
      twice = KeyStatement.of(connection, attribute, [1, 2]) do |keys|
        Thing.where(owner_id: keys).or(Thing.where(id: keys)).arel
      end
      assert_nil twice
      another = KeyStatement.of(connection, attribute, [1, 2]) { |keys| Thing.where(owner_id: keys.reverse).arel }
      assert_nil another
      fewer = KeyStatement.of(connection, attribute, [1, 2]) { |keys| Thing.where(owner_id: keys.first(2)).arel }
      assert_nil fewer
    end
  end

  # As libraries do that put conditions into each query.
  def test_writers_that_are_not_activerecords
    Thing.with_connection do |connection|
      connection.visitor.define_singleton_method(:visit_Arel_Table) { |o, collector| super(o, collector) }
      assert_written connection, query([1, 2, 3])
      assert_nil known(connection)
    ensure
      connection.visitor.singleton_class.send(:remove_method, :visit_Arel_Table)
    end
  end

  def test_relations_that_add_conditions
    scope = Thing.all
    scope.define_singleton_method(:build_arel) { |*args| super(*args) }
    assert_nil(KeyQuery.of(scope, [1, 2], "owner_id", {}) { Thing.where(owner_id: [1, 2]) })
  end

  # A type may make anything of a key.
  def test_types_of_ones_own
    model = Class.new(Thing) { attribute :owner_id, Doubled.new }
    kept = {}
    ways do |connection|
      2.times do
        keys = [1, 2, 3]
        assert_written connection, KeyQuery.of(model.all, keys, "owner_id", kept) { model.where(owner_id: keys) }
      end
    end
  end

  class Doubled < ActiveModel::Type::Integer
    def serialize(value) = value && super(value * 2)
  end

  def test_lists_of_placeholders
    dollars, questions = Placeholders::STYLES
    [3, 1, 12, 9, 10, 99, 101, 1000, 2, 10_000, 10_001, 12_345, 5].each do |count|
      assert_equal((1..count).map { |number| "$#{number}" }.join(", "), dollars.list(count))
      assert_equal((["?"] * count).join(", "), questions.list(count))
    end
  end

  def test_lists_of_integers
    skip "the ruby backend has Array#join" unless defined?(Katsu::Native)
    [[], [1], [0, -1, 10, 99, 100, -(2**62), (2**62) - 1], (1..3000).to_a].each do |keys|
      assert_equal keys.join(", "), Katsu::Native.key_list(keys)
    end
    [[1, 2**62], [1, "2"], [1.0], [nil]].each { |keys| assert_nil Katsu::Native.key_list(keys) }
    assert_raises(TypeError) { Katsu::Native.key_list("1") }
  end

  private

  def known(connection)
    kept = @kept.each_value.first
    (connection.prepared_statements ? kept.prepared : kept.unprepared).fetch(connection.class)
  end

  def assert_written(connection, query)
    assert_statement connection, query.arel, query.statement(connection)
  end

  def without_visitor(connection)
    connection.define_singleton_method(:to_sql_and_binds) { |*| raise "asked" }
    yield
  ensure
    connection.singleton_class.remove_method(:to_sql_and_binds)
  end
end
