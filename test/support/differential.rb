# frozen_string_literal: true

require "active_record"
require "active_support/json"
require "active_support/time"
require "support/time_settings"

# Serializers against record.as_json, for rows of boundary values and of random ones, under every setting that
# changes what Rails prints.
#
# An including test case gives COLUMNS: {name => [column type in SQL, literals in SQL]}, and connect.
module Differential
  include TimeSettings

  RANDOM_ROWS = Integer(ENV.fetch("KATSU_ROWS", TestCase::GC_MODE == "normal" ? "60" : "3"))
  ZONES = [nil, "UTC", "Europe/Berlin", "America/St_Johns"].freeze

  class << self
    attr_accessor :compared
  end
  self.compared = 0
  Minitest.after_run { puts "#{compared} values compared with record.as_json" }

  def self.included(test_case)
    test_case.extend(ClassMethods)
  end

  module ClassMethods
    # The table with every column, filled once; one model reads times with time zones, one without.
    def models
      @models ||= begin
        base = Class.new(ActiveRecord::Base) { self.abstract_class = true }
        const_set(:Base, base)
        connect(base)
        create_table(base.connection)
        [true, false].map { |aware| model(base, aware) }
      end
    end

    def serializers
      @serializers ||= self::COLUMNS.keys.to_h { |name| [name, serializer(:"#{name}_serializer", [name])] }
                                    .merge(all: serializer(:all_serializer, self::COLUMNS.keys))
    end

    private

    def model(base, aware)
      name = aware ? "ZonedRow" : "PlainRow"
      const_set(name, Class.new(base) do
        self.table_name = "katsu_values"
        self.inheritance_column = nil
        self.time_zone_aware_attributes = aware
        self.time_zone_aware_types = %i[datetime time timestamptz]
      end)
    end

    def serializer(name, names)
      const_set(name.to_s.split("_").map(&:capitalize).join, Class.new(Katsu::Serializer) { attributes(*names) })
    end

    # A row for each literal of each column, and rows of random choices.
    def create_table(connection)
      connection.execute("DROP TABLE IF EXISTS katsu_values")
      columns = self::COLUMNS.map { |name, (type, _)| "#{connection.quote_column_name(name)} #{type}" }
      connection.execute("CREATE TABLE katsu_values (id INTEGER PRIMARY KEY, #{columns.join(", ")})")
      random = Random.new(20_261_121)
      rows = self::COLUMNS.flat_map { |name, (_, literals)| literals.map { |literal| {name => literal} } } +
             Array.new(RANDOM_ROWS) do
               self::COLUMNS.transform_values do |_, literals|
                 random.rand(6).zero? ? "NULL" : literals.sample(random: random)
               end
             end
      rows.each_with_index { |row, index| insert(connection, index + 1, row) }
    end

    def insert(connection, id, row)
      names = row.keys.map { |name| connection.quote_column_name(name) }
      connection.execute("INSERT INTO katsu_values (id, #{names.join(", ")}) VALUES (#{id}, #{row.values.join(", ")})")
    end
  end

  def setup
    @settings = [*current_settings, ENV.fetch("TZ", nil)]
    ENV["TZ"] = "Asia/Kathmandu"
  end

  def teardown
    apply(*@settings.first(4))
    ENV["TZ"] = @settings.last
  end

  def test_every_value_under_every_setting
    settings = %i[utc local].product(ZONES, [3],
                                     [true]) + [[:utc, nil, 0, true], [:utc, "Europe/Berlin", 6, true],
                                                [:utc, nil, 3, false],
                                                [:local, "Europe/Berlin", 6, false]]
    settings = settings.last(1) unless TestCase::GC_MODE == "normal" # the values are the same under each
    settings.each do |setting|
      apply(*setting)
      self.class.models.each { |model| compare(model, setting) }
    end
    assert_operator Differential.compared, :>, TestCase::GC_MODE == "normal" ? 500 : 100
  end

  def test_values_that_were_read_and_written
    apply(:utc, "Europe/Berlin", 3, true)
    before = Differential.compared
    model = self.class.models.first
    read = load_rows(model).each(&:attributes)
    assert_rows(load_rows(model), read, :read)
    written = load_rows(model).each { |record| self.class::COLUMNS.each_key { |name| record[name] = record[name] } }
    assert_rows(written, written.map(&:dup).each_with_index { |copy, i| copy.id = written[i].id }, :written)
    assert_operator Differential.compared, :>, before
  end

  def test_values_of_new_and_saved_records
    apply(:utc, "Europe/Berlin", 3, true)
    before = Differential.compared
    self.class.models.each do |model|
      made = -> { load_rows(model).map { |record| model.new(record.attributes) } }
      saved = -> { made.call.each(&:changes_applied) }
      assert_rows(made.call, made.call, :new)
      assert_rows(made.call, made.call.each(&:attributes), :new_and_read)
      assert_rows(saved.call, saved.call, :saved)
    end
    assert_operator Differential.compared, :>, before
  end

  # Relations that are read as rows have the bytes of their records.
  def test_documents_of_relations
    before = Differential.compared
    [[:utc, nil, 3, true], [:utc, "Europe/Berlin", 6, true], [:local, "America/St_Johns", 0, true],
     [:local, nil, 3, false]].each do |setting|
      apply(*setting)
      self.class.models.each do |model|
        self.class.serializers.each do |name, serializer|
          assert_document(serializer, model, [name, model.name, *setting])
        end
      end
    end
    assert_operator Differential.compared, :>, before
    ways = self.class.serializers.each_value.map do |serializer|
      serializer.many(self.class.models[0].all).explain.to_h[:way]
    end
    assert_operator ways.count(:rows), :>, ways.size / 2
  end

  private

  # Garbage collection in every allocation takes minutes for all of them.
  def load_rows(model)
    rows = model.order(:id)
    (TestCase::GC_MODE == "normal" ? rows : rows.where("id % 10 = 0")).to_a
  end

  # A record that cannot be written cannot be written from its row either.
  def assert_document(serializer, model, where)
    records = load_rows(model)
    ids = records.filter_map { |record| record.id if written { serializer.new.serialize_to_json(record) } }
    relation = model.where(id: ids).order(:id)
    expected = Katsu::ArraySerializer.new(relation.to_a, each_serializer: serializer).to_json
    assert_equal expected, watched { serializer.many(relation).to_json }, where.inspect
    Differential.compared += ids.size
    (records.map(&:id) - ids).first(2).each do |id|
      assert_nil written { serializer.many(model.where(id: id)).to_json }, [where, id].inspect
    end
  end

  def written
    yield
  rescue StandardError
    nil
  end

  def compare(model, setting)
    assert_rows(load_rows(model), load_rows(model), [model.name, *setting])
  end

  # Rows with a value that neither prints are compared one by one.
  def assert_rows(references, records, where)
    all = self.class.serializers.fetch(:all)
    expected = references.map { |record| reference(record) }
    good = expected.each_index.reject { |index| expected[index].value?(:error) }
    assert_good(expected.values_at(*good), records.values_at(*good), all, where)
    (expected.each_index.to_a - good).each { |index| assert_each_column(expected[index], records[index], where) }
  end

  def assert_good(expected, records, serializer, where)
    text = JSON.parse(watched { Katsu::ArraySerializer.new(records, each_serializer: serializer).to_json })
    hashes = JSON.parse(JSON.generate(Katsu::ArraySerializer.new(records, each_serializer: serializer).to_a))
    expected.each_with_index do |row, index|
      row.each do |name, value|
        assert_value(value, text[index].fetch(name)) do
          [where, name, records[index].read_attribute_before_type_cast(name)]
        end
        assert_value(value, hashes[index].fetch(name)) { [:to_a, where, name] }
      end
    end
  end

  def assert_each_column(expected, record, where)
    expected.each do |name, value|
      actual = begin
        JSON.parse(self.class.serializers.fetch(name.to_sym).new.serialize_to_json(record)).fetch(name)
      rescue StandardError
        :error
      end
      assert_value(value, actual) { [where, name] }
    end
  end

  # The block says where the value is.
  def assert_value(expected, actual)
    Differential.compared += 1
    return if expected == actual

    flunk "#{yield.inspect}: Rails #{expected.inspect}, Katsu #{actual.inspect}"
  end

  # What Rails prints for each column, :error where it does not.
  def reference(record)
    names = self.class::COLUMNS.keys.map(&:to_s)
    printed(record, names)
  rescue StandardError
    names.to_h do |name|
      [name, begin
        printed(record, [name]).fetch(name)
      rescue StandardError
        :error
      end]
    end
  end

  def printed(record, names)
    JSON.parse(ActiveSupport::JSON.encode(record.as_json(only: names)))
  end
end
