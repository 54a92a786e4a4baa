# frozen_string_literal: true

require "support/test_case"
require "databases/mysql_test"

# Values that a field changes in place, of types that give back the String that the driver gave.
class MysqlChangedValuesTest < TestCase
  OWN = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"

  class ChangingSerializer < Katsu::Serializer
    attribute(:changed, needs: [:own, {parts: :own}]) do |owner|
      owner.parts.each { |part| part.own.upcase! }
      owner.own.delete!("-").size
    end
    attributes :own
    has_many(:parts) { attributes :id, :own }
  end

  def self.model(base, type)
    base.connection.create_table(:changed_values, force: true) { |t| t.column(:own, type) && t.column(:owner, type) }
    Class.new(base) do
      self.table_name = "changed_values"
      def self.name = "MysqlChangedValuesTest::Value"
      reset_column_information
      has_many :parts, -> { order(:id) }, anonymous_class: self, primary_key: :own, foreign_key: :owner
    end
  end

  %w[Mysql2Test TrilogyTest].product(%w[uuid binary(36) varchar(36)]).each do |test, type|
    define_method(:"test_#{test}_#{type[/\w+/]}") do
      model = self.class.model(Object.const_get(test).models.first.superclass, type)
      owners = [OWN, OWN.tr("a", "b")].map { |own| model.create!(own: own) }
      parts = [OWN, OWN, OWN.tr("a", "b")].map { |own| model.create!(own: own.tr("0", "1"), owner: own) }
      expected = owners.map do |owner|
        own = parts.select { |part| part.owner == owner.own }.map { |part| part.slice("id", "own") }
        {"changed" => 32, "own" => owner.own, "parts" => own}
      end
      relation = model.where(owner: nil).order(:id)
      model.cache do
        2.times do
          assert_equal expected, JSON.parse(watched { ChangingSerializer.many(relation).to_json })
          assert_equal expected, ChangingSerializer.many(relation).to_a
        end
      end
    end
  end
end
