# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# Keys that lead from rows to their children are compared as Ruby compares values, whatever their type.
class QueryKeyValuesTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    %i[key_value_parents key_value_children].each do |table|
      create_table(table) do |t|
        t.datetime :moment, precision: 6
        t.decimal :number, precision: 30, scale: 0
        t.string :point
        t.boolean :truth
        t.integer :part
        t.bigint :wide
      end
    end
  end

  # Without a to_s of its own.
  class Point
    attr_reader :x

    def initialize(x) = @x = x
    def ==(other) = other.is_a?(Point) && other.x == x
    alias eql? ==
    def hash = x.hash
  end

  class PointType < ActiveRecord::Type::Value
    def deserialize(value) = value && Point.new(value)
    def cast(value) = value.is_a?(Point) || value.nil? ? value : Point.new(value)
    def serialize(value) = value&.x
  end

  KEYS = %i[moment number point truth].freeze

  class Child < ActiveRecord::Base
    self.table_name = "key_value_children"
    attribute :point, PointType.new
  end

  class Parent < ActiveRecord::Base
    self.table_name = "key_value_parents"
    attribute :point, PointType.new
    KEYS.each do |key|
      ordered = -> { order(:id) }
      has_many :"by_#{key}", ordered, class_name: "QueryKeyValuesTest::Child", foreign_key: key, primary_key: key
      has_one :"one_by_#{key}", ordered, class_name: "QueryKeyValuesTest::Child", foreign_key: key, primary_key: key
      has_many :"by_#{key}_and_part", ordered, class_name: "QueryKeyValuesTest::Child",
                                               foreign_key: [key, :part], primary_key: [key, :part]
    end
  end

  class ChildSerializer < Katsu::Serializer
    attributes :id
  end

  # Of each pair the first texts are alike, or the first 64 bits.
  VALUES = {
    moment: [Time.utc(2026, 1, 2, 3, 4, 5.25r), Time.utc(2026, 1, 2, 3, 4, 5.5r)],
    number: [(2**64) - 1, -1, 10**25, 5, 2**63, -(2**63), -3 * (2**63), (2**63) - 1, 0],
    point: [Point.new("a"), Point.new("b")],
    truth: [true, nil]
  }.freeze

  def setup
    [Child, Parent].each(&:delete_all)
  end

  def create(key)
    VALUES.fetch(key).each do |value|
      Parent.create!(key => value, part: 1)
      2.times { |part| Child.create!(key => value, part: part) }
    end
  end

  def associations
    Parent.reflect_on_all_associations.map(&:name)
  end

  # From the records of both tables.
  def expected(parent, name, key)
    children = Child.order(:id).select { |child| !child[key].nil? && child[key].eql?(parent[key]) }
    children.select! { |child| child.part == parent.part } if name.end_with?("_part")
    ids = children.map { |child| {"id" => child.id} }
    name.start_with?("one_") ? ids.first : ids
  end

  def test_values_of_each_type
    KEYS.each do |key|
      create(key)
      associations.grep(/by_#{key}/).each do |name|
        serializer = Class.new(Katsu::Serializer)
        one = Parent.reflect_on_association(name).macro == :has_one
        serializer.public_send(one ? :has_one : :has_many, name, serializer: ChildSerializer)
        found = JSON.parse(watched { serializer.many(Parent.order(:id)).to_json })
        assert_equal Parent.order(:id).map { |parent| {name.name => expected(parent, name, key)} }, found, name.inspect
        assert_equal found, watched { serializer.many(Parent.order(:id)).to_a }, name.inspect
      end
      setup
    end
  end

  # One condition for each column, as ActiveRecord's preloader makes them: a database searches an index for it.
  def test_conditions_on_keys_of_several_columns
    create(:number)
    serializer = Class.new(Katsu::Serializer) { has_many :by_number_and_part, serializer: ChildSerializer }
    made = queries { serializer.many(Parent.order(:id)).to_json }.last
    assert_match(/"number" IN \(.+\) AND "\w+"."part" = /, made)
    refute_includes made, " OR "
  end

  # Integers of some texts, and texts of others, as a type may have them.
  class MixedType < ActiveRecord::Type::Value
    def deserialize(value) = value&.match?(/\A\d+\z/) ? Integer(value) : value&.delete_prefix("#")
    def serialize(value) = value.is_a?(String) && value.match?(/\A\d+\z/) ? "##{value}" : value&.to_s
  end

  class MixedChild < ActiveRecord::Base
    self.table_name = "key_value_children"
    attribute :point, MixedType.new
  end

  class MixedParent < ActiveRecord::Base
    self.table_name = "key_value_parents"
    attribute :point, MixedType.new
    has_many :children, class_name: "QueryKeyValuesTest::MixedChild", foreign_key: :point, primary_key: :point
  end

  class WideParent < ActiveRecord::Base
    self.table_name = "key_value_parents"
    attribute :point, Child.type_for_attribute(:wide)
    has_many :children, class_name: "QueryKeyValuesTest::Child", foreign_key: :wide, primary_key: :point
  end

  # Integers of up to 64 bits that a type makes of text on the one side, and that are read as they are on the other.
  def test_integers_of_a_column_of_text
    values = [7, (2**62) - 1, 2**62, (2**63) - 1, -7, -(2**62), -(2**62) - 1, -(2**63)]
    values.each do |value|
      WideParent.create!(point: value)
      Child.create!(wide: value)
    end
    serializer = Class.new(Katsu::Serializer) do
      has_many(:children) { attributes :wide }
    end
    assert_equal :rows, serializer.many(WideParent.order(:id)).explain.to_h[:way]
    expected = values.map { |value| {"children" => [{"wide" => value}]} }
    assert_equal expected, JSON.parse(watched { serializer.many(WideParent.order(:id)).to_json })
    assert_equal expected, watched { serializer.many(WideParent.order(:id)).to_a }
  end

  def test_integers_and_texts_are_never_equal
    keys = [7, "7", 2**64, (2**64).to_s]
    ids = keys.map do |key|
      MixedParent.create!(point: key)
      {"children" => [{"id" => MixedChild.create!(point: key).id}]}
    end
    serializer = Class.new(Katsu::Serializer) { has_many :children, serializer: ChildSerializer }
    assert_equal ids, watched { serializer.many(MixedParent.order(:id)).to_a }
  end

  class Owner < ActiveRecord::Base
    self.table_name = "key_value_parents"
    with = {class_name: "QueryKeyValuesTest::Stray"}
    has_many :strays, **with, foreign_key: %i[number part], primary_key: %i[number part]
    has_one :stray, -> { order(:id) }, **with, foreign_key: :part, primary_key: :part
  end

  class Stray < ActiveRecord::Base
    self.table_name = "key_value_children"
    belongs_to :it, polymorphic: true, foreign_type: :point, foreign_key: :part, optional: true
  end

  # With the rows of an owner's keys come others. What these refer to is not looked for.
  def test_rows_that_are_not_written
    2.times { |i| Owner.create!(number: i, part: i) }
    Stray.create!(number: 0, part: 0)
    Stray.create!(number: 0, part: 1, point: "Gone")
    Stray.create!(number: 5, part: 0, point: "Gone")
    it = Class.new(Katsu::Serializer) { has_one :it, serializer: ChildSerializer }
    many = Class.new(Katsu::Serializer) { has_many :strays, serializer: it }
    assert_equal [{"strays" => [{"it" => nil}]}, {"strays" => []}], many.many(Owner.order(:id)).to_a
    one = Class.new(Katsu::Serializer) { has_one :stray, serializer: it }
    assert_equal({"stray" => {"it" => nil}}, one.one(Owner.where(number: 0)).to_h)
  end
end
