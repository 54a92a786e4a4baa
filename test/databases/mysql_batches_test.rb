# frozen_string_literal: true

require "support/test_case"
require "databases/mysql_test"

# Tables with primary keys that MySQL sorts in another order than it compares them with a value: batches of them would
# repeat rows or leave them out.
class MysqlBatchesTest < TestCase
  SIZE = 1100 # a batch has 1,000
  TEXTS = Array.new(SIZE) { |i| "e#{i}" }.freeze
  SETS = ("a".."l").to_a.freeze
  # By the column's type, the values of the primary key.
  KEYS = {
    "enum(#{TEXTS.map { |text| "'#{text}'" }.join(", ")})" => TEXTS,
    "set(#{SETS.map { |text| "'#{text}'" }.join(", ")})" =>
      Array.new(SIZE) { |i| SETS.each_with_index.filter_map { |text, bit| text if i[bit] == 1 }.join(",") },
    "float" => Array.new(SIZE) { |i| i + 0.1 },
    "bit(16)" => (0...SIZE).to_a,
    "varchar(20)" => TEXTS,
    "decimal(20, 3)" => Array.new(SIZE) { |i| i + 0.125 },
    "bigint unsigned" => Array.new(SIZE) { |i| (2**64) - 1 - i }
  }.freeze

  class NumberSerializer < Katsu::Serializer
    attributes :number
  end

  # A model of a table with such a key.
  def model(base, type, values)
    connection = base.connection
    connection.execute("DROP TABLE IF EXISTS keyed_batches")
    connection.execute("CREATE TABLE keyed_batches (id #{type} NOT NULL PRIMARY KEY, number int)")
    rows = values.each_with_index.map { |value, number| "(#{connection.quote(value)}, #{number})" }
    connection.execute("INSERT INTO keyed_batches VALUES #{rows.join(", ")}")
    Class.new(base) do
      self.table_name = "keyed_batches"
      reset_column_information
    end
  end

  {mysql2: -> { Mysql2Test.models }, trilogy: -> { TrilogyTest.models }}.each do |adapter, models|
    KEYS.each do |type, values|
      define_method(:"test_#{adapter}_#{type[/\w+/]}") do
        model = model(models.call.first.superclass, type, values)
        io = -> { StringIO.new }
        stream = Katsu::ArraySerializer.new(Katsu::Stream.new(model.all), each_serializer: NumberSerializer)
        texts = [NumberSerializer.many(model.all).to_json, NumberSerializer.many(model.all).write_to(io.call).string,
                 "[#{NumberSerializer.many(model.all).write_to(io.call, format: :ndjson).string.lines.join(",")}]",
                 stream.write_to(io.call).string]
        texts.each { |text| assert_equal [*0...SIZE], JSON.parse(text).map { |row| row["number"] }.sort }
      end
    end
  end
end
