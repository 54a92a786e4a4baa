# frozen_string_literal: true

require "support/test_case"
require "support/time_settings"
require "databases/mysql_test"

# MySQL's rows as mysql2 gives them, compared with records.
class MysqlRowsTest < TestCase
  include TimeSettings

  COLUMNS = MysqlColumns::COLUMNS
  SETTINGS = [[:utc, nil, 3, true], [:local, "America/St_Johns", 6, true], [:utc, "Europe/Berlin", 3, false]].freeze

  # The rows whose times and dates are all read from their texts: with another one, all of a result is the gem's.
  READABLE = COLUMNS.keys.grep(/date/).map do |name|
    "COALESCE(#{name}, '2026-01-01') BETWEEN '1600-01-01' AND '9999-12-30'"
  end.join(" AND ")

  # What a model makes of a column in another way.
  class Loud < ActiveRecord::Type::Value
    def deserialize(value) = "#{value.class}: #{value.inspect}"
  end

  class << self
    def models = Mysql2Test.models

    # Each column beside a time.
    def serializers
      @serializers ||= COLUMNS.keys.to_h do |name|
        [name, const_set(:"#{name.capitalize}Serializer", Class.new(Katsu::Serializer) { attributes name, :datetime3 })]
      end
    end

    def other_model
      @other_model ||= const_set(:Other, Class.new(models.first) do
        self.table_name = "katsu_values"
        %i[integer datetime3 timestamp6].each { |name| attribute name, Loud.new }
        attribute :datetime6, :string
        enum :uinteger, {small: 0, large: 4_294_967_295}
      end)
    end
  end

  def setup
    @settings = current_settings
    self.class.models
  end

  def teardown
    apply(*@settings)
  end

  # The document, or :error.
  def document
    yield
  rescue StandardError
    :error
  end

  def compare(model, serializer, name)
    expected = document { Katsu::ArraySerializer.new(model.order(:id).to_a, each_serializer: serializer).to_json }
    assert_equal expected, document { watched { serializer.many(model.order(:id)).to_json } }, name.inspect
    hashes = document { JSON.generate(serializer.many(model.order(:id)).to_a) }
    assert_equal expected == :error ? :error : JSON.generate(JSON.parse(expected)), hashes, name.inspect
  end

  def compare_both(model, serializer, name)
    compare(model, serializer, name)
    compare(model.where(READABLE), serializer, [name, :readable])
  end

  def test_every_type_under_every_setting
    SETTINGS.first(GC_MODE == "normal" ? 3 : 1).each do |setting|
      apply(*setting)
      self.class.models.each do |model|
        self.class.serializers.each do |name, serializer|
          compare_both(model, serializer, [name, model.name, setting])
        end
      end
    end
  end

  def test_types_of_the_models_own
    model = self.class.other_model
    %i[integer datetime3 datetime6 timestamp6 uinteger].each do |name|
      compare_both(model, self.class.serializers.fetch(name), name)
    end
    needs = Class.new(Katsu::Serializer) do
      attribute(:both, needs: %i[integer datetime6 decimal]) { |row| [row.integer, row.datetime6, row.decimal] }
    end
    [model, self.class.models.first].each { |one| compare_both(one, needs, :needs) }
  end

  # Of the last day of all the gem makes a DateTime, and an error of a day that is none.
  def test_times_that_are_not_made_times
    connection = self.class.models.first.connection
    connection.execute("CREATE OR REPLACE TABLE odd_times (id int PRIMARY KEY, day date, made_at datetime(3))")
    model = self.class.const_set(:Odd, Class.new(self.class.models.first) { self.table_name = "odd_times" })
    serializer = Class.new(Katsu::Serializer) { attributes :id, :day, :made_at }
    connection.execute("SET SESSION sql_mode = ''")
    %w[9999-12-31 0000-00-00 0000-01-15 0000-00-15 2026-00-10 2026-01-00].product(["11:59:59", "12:00:00.5"]) do |parts|
      connection.execute("REPLACE INTO odd_times VALUES (1, '#{parts[0]}', '2026-01-02'), " \
                         "(2, '2026-01-02', '#{parts.join(" ")}')")
      SETTINGS.each do |setting|
        apply(*setting)
        compare(model, serializer, [parts, setting])
      end
    end
  end

  # The casts write the texts that mysql2 gives.
  def test_no_values_are_made
    connection = self.class.models.first.connection
    skip "drivers' rows are read natively" unless native? && Katsu::Query::Drivers::Mysql2.available?(connection)

    connection.execute("CREATE OR REPLACE TABLE few_types (id int PRIMARY KEY, day date, made_at datetime(6), " \
                       "price decimal(10, 2))")
    connection.execute("INSERT INTO few_types VALUES (1, '2026-01-02', '2026-01-02 03:04:05.678', 12.5)")
    model = self.class.const_set(:Few, Class.new(self.class.models.first) { self.table_name = "few_types" })
    serializer = Class.new(Katsu::Serializer) { attributes :id, :day, :made_at, :price }
    apply(:utc, nil, 3, true)
    text = serializer.many(model.all).to_json # ActiveRecord may ask for types
    made = []
    trace = TracePoint.new(:c_call) { |point| made << point.method_id if [Time, Date, Kernel].include?(point.self) }
    assert_equal text, trace.enable { serializer.many(model.all).to_json }
    assert_empty made & %i[utc new BigDecimal]
  end

  def test_numbers_with_zeros_before_them
    connection = self.class.models.first.connection
    connection.execute("CREATE OR REPLACE TABLE zero_filled (id int(5) zerofill PRIMARY KEY, made_at datetime, " \
                       "price decimal(10, 2) zerofill, whole decimal(10, 0) zerofill)")
    connection.execute("INSERT INTO zero_filled VALUES (7, '2026-01-02 03:04:05', 1.5, 12), (0, NULL, 0, 0)")
    model = self.class.const_set(:ZeroFilled, Class.new(self.class.models.first) { self.table_name = "zero_filled" })
    compare(model, Class.new(Katsu::Serializer) { attributes :id, :made_at, :price, :whole }, :zerofill)
  end
end
