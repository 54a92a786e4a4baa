# frozen_string_literal: true

require "support/test_case"
require "support/time_settings"
require "databases/mysql_test"

# mysql2's results whose values stay texts.
class MysqlTextsTest < TestCase
  include TimeSettings

  Rows = defined?(Katsu::Native) ? Katsu::Native::Mysql2Rows : nil
  Drivers = Katsu::Query::Drivers

  class NoteSerializer < Katsu::Serializer
    attributes :id, :text, :price, :day, :made_at
  end

  class ThreadSerializer < Katsu::Serializer
    attributes :id, :made_at
    has_many :replies, serializer: NoteSerializer
    has_one :parent, serializer: NoteSerializer
  end

  # Counts the results that are read as texts.
  module Counted
    def read(*)
      super.tap { |rows| MysqlTextsTest.served += 1 if rows }
    end
  end
  Rows&.singleton_class&.prepend(Counted)

  class << self
    attr_accessor :served

    def base = Mysql2Test.models.first.superclass

    def note
      @note ||= begin
        base.connection.create_table(:texts_notes, force: true) do |t|
          t.string :text
          t.decimal :price, precision: 10, scale: 2
          t.date :day
          t.datetime :made_at, precision: 6
          t.bigint :parent_id
        end
        const_set(:Note, Class.new(base) do
          self.table_name = "texts_notes"
          has_many :replies, -> { order(:id) }, class_name: "MysqlTextsTest::Note", foreign_key: :parent_id
          belongs_to :parent, class_name: "MysqlTextsTest::Note", optional: true
        end)
        self::Note.tap { |model| model.insert_all!(Array.new(120) { |i| values(i) }) }
      end
    end

    # Every seventh has no values.
    def values(i)
      return {text: nil, price: nil, day: nil, made_at: nil, parent_id: nil} if i % 7 == 0

      {text: "é \"#{i}\"", price: i - 20.25, day: Date.new(2026, 1, 1) + i, parent_id: i / 3,
       made_at: Time.utc(2026, 1, 2, 3, 4, 5, i * 1001)}
    end
  end
  self.served = 0

  def setup
    skip "drivers' rows are read natively" unless native?
    @settings = current_settings
    apply(:utc, nil, 3, true)
    note
  end

  def teardown
    apply(*@settings) if @settings
  end

  def note = self.class.note
  def connection = self.class.base.connection
  def columns = note.column_names - %w[parent_id]

  # How many results were read as texts in the block.
  def served
    before = self.class.served
    yield
    self.class.served - before
  end

  def records(relation, serializer = NoteSerializer)
    Katsu::ArraySerializer.new(relation.to_a, each_serializer: serializer).to_json
  end

  def rows(sql, columns = note.columns_hash)
    Drivers.select(connection, Arel.sql(sql), "SQL", columns).rows
  end

  # Columns of these SQL types, by name.
  def typed(**types) = types.to_h { |name, type| [name.to_s, Struct.new(:sql_type).new(type)] }

  def assert_texts(count, relation, serializer = NoteSerializer)
    written = nil
    assert_equal(count, served { written = watched { serializer.many(relation).to_json } })
    assert_equal records(relation.spawn, serializer), written
  end

  def test_documents_and_their_associations
    assert_texts 1, note.order(:id)
    assert_texts 3, note.order(:id), ThreadSerializer
    assert_texts 1, note.where("1 = 0")
    io = StringIO.new
    assert_equal(1, served { NoteSerializer.many(note.order(:id).limit(50)).write_to(io, format: :ndjson) })
    assert_equal JSON.parse(records(note.order(:id).limit(50))), io.string.lines.map { |line| JSON.parse(line) }
    hashes = NoteSerializer.many(note.order(:id)).to_a
    assert_equal JSON.parse(records(note.order(:id))), JSON.parse(JSON.generate(hashes))
  end

  # Its columns may have other types than those of the table.
  def test_a_cte_of_the_tables_name
    skip "with came with ActiveRecord 7.1" unless note.respond_to?(:with)
    relations = ["12.50", "made_at", "day", "1e3", "7"].map do |text|
      from = "SELECT id, #{text} AS text, 1.5e0 AS price, '2026-01-02' AS day, made_at, parent_id FROM texts_notes"
      note.with(texts_notes: Arel.sql("#{from} WHERE id < 9")).order(:id)
    end
    relations.each { |relation| assert_texts(0, relation) }
    assert_texts 2, relations[0], ThreadSerializer # the others are of the table
    note.with(others: note.where(id: 1)).scoping(all_queries: true) { assert_texts(0, note.all, ThreadSerializer) }
  end

  def test_batches_give_their_memory_back
    io = StringIO.new
    assert_equal(1, served { NoteSerializer.many(note.all).write_to(io) })
    assert_equal records(note.order(:id)), io.string
  end

  def test_method_fields_and_conditions_with_needs
    serializer = Class.new(Katsu::Serializer) do
      attribute(:all, needs: %i[id price day made_at]) { |row| [row.id, row.price, row.day, row.made_at] }
      attribute(:id, if: -> { object.id.odd? }, needs: :id)
      attribute(:by, needs: {parent: %i[day made_at]}) { |row| [row.parent&.day, row.parent&.made_at] }
    end
    assert_operator(served { serializer.many(note.order(:id)).to_json }, :>=, 1)
    assert_equal records(note.order(:id), serializer), serializer.many(note.order(:id)).to_json
  end

  def test_values_are_those_of_active_record
    sql = "SELECT * FROM texts_notes ORDER BY id"
    read = rows(sql)
    expected = connection.select_all(sql).rows
    assert_instance_of Rows, read
    assert_equal expected.inspect, read.map(&:itself).inspect
    assert_equal expected.map(&:last), read.column(5)
    assert_equal expected[3].inspect, read[3].inspect
    assert_nil read[read.size]
    assert_nil read[-1]
    [read.size, -1].each { |row| assert_raises(IndexError) { read.value(row, 0) } }
    assert_raises(IndexError) { read.value(0, 6) }
  end

  def test_each_type_beside_a_time
    columns = connection.columns("katsu_values").to_h { |column| [column.name, column] }
    MysqlColumns::COLUMNS.each_key do |name|
      sql = "SELECT `#{name}`, datetime6 FROM katsu_values ORDER BY id"
      assert_equal connection.select_all(sql).rows.inspect, rows(sql, columns).map(&:itself).inspect, name
    end
  end

  def test_what_the_gem_makes_of_odd_texts
    {"SELECT CAST('9999-12-31 23:59:59' AS DATETIME) AS a" => "datetime",
     "SELECT CAST('1500-01-02' AS DATE) AS a" => "date",
     "SELECT CAST('0001-01-02 03:04:05' AS DATETIME(3)) AS a" => "datetime(3)"}.each do |sql, type|
      read = nil
      assert_equal(0, served { read = rows(sql, typed(a: type)) }, sql)
      assert_equal connection.select_all(sql).rows.inspect, read.inspect, sql
    end
  end

  def test_the_last_times_that_are_read
    read = Rows.read([["9999-12-30 23:59:59.999999", "9999-12-31"]], Rows.kinds(%w[datetime(6) date]))
    assert_equal [[Time.utc(9999, 12, 30, 23, 59, 59, 999_999), Date.new(9999, 12, 31)]], read.to_a
  end

  def test_results_that_the_gem_casts
    assert_equal(0, served { NoteSerializer.many(note.all, only: %i[id text]).to_json })
    sql = "SELECT CAST('12:00:00' AS TIME) AS a, CAST('2026-01-02' AS DATE) AS b"
    assert_equal(0, served { rows(sql, typed(a: "time", b: "date")) })
    assert_equal(0, served { rows(sql, typed(b: "date")) })
    apply(:local, "America/St_Johns", 3, true)
    assert_texts 0, note.order(:id)
  end

  def test_settings_of_the_connection
    [{prepared_statements: true}, {cast_booleans: true}, {application_timezone: :local}].each do |settings|
      model = self.class.const_set(:"Set#{settings.keys[0].to_s.delete("_").capitalize}", Class.new(self.class.base))
      model.establish_connection(note.connection_db_config.configuration_hash.merge(settings))
      model.table_name = "texts_notes"
      assert_texts 0, model.where(parent_id: 3).order(:id)
    end
  end

  def test_the_query_cache
    note.cache do
      written = NoteSerializer.many(note.order(:id)).to_json
      cached = nil
      assert_equal(0, served { cached = NoteSerializer.many(note.order(:id)).to_json })
      assert_equal written, cached
      assert_equal written, records(note.order(:id))
    end
  end

  # There is a String for each value.
  def test_explain_does_not_say_that_there_are_no_objects
    assert_equal [:row], NoteSerializer.many(note.all).explain.to_h[:fields].map { |field| field[:way] }.uniq
  end

  def test_rows_that_were_cleared
    read = rows("SELECT * FROM texts_notes")
    assert_nil read.clear
    assert_nil read.clear
    assert_raises(Katsu::Error) { read.value(0, 0) }
    assert_raises(Katsu::Error) { Rows.allocate.size }
  end

  def test_rows_that_somebody_else_changes
    {->(row) { row[1] = 5 } => TypeError, ->(row) { row.pop } => Katsu::Error}.each do |change, error|
      rows = [%w[1 2026-01-02], %w[2 2026-01-02]]
      read = Rows.read(rows, Rows.kinds(%w[bigint(20) date]))
      change.call(rows[1])
      assert_equal [1, Date.new(2026, 1, 2)], read[0]
      assert_raises(error) { read.value(1, 1) }
    end
    rows = [%w[1 2026-01-02]]
    read = Rows.read(rows, Rows.kinds(%w[bigint(20) date]))
    rows[0] = "1"
    assert_raises(Katsu::Error) { read.value(0, 0) }
  end

  def test_rows_that_are_cleared_while_they_are_read
    read = Rows.read([["1", "2026-01-02"]] * 3, Rows.kinds(%w[bigint(20) date]))
    seen = 0
    assert_raises(Katsu::Error) do
      read.each do
        seen += 1
        read.clear
      end
    end
    assert_equal 1, seen
  end

  # As if the table had been altered since its columns were read.
  def test_types_that_the_columns_do_not_have
    %w[x 1x - . 1. .5 1.5.5 1e 1e5 --1].each do |text|
      sql = "SELECT '#{text}' AS a, CAST('2026-01-02' AS DATE) AS b"
      read = nil
      assert_equal(0, served { read = rows(sql, typed(a: "int(11)", b: "date")) }, text)
      assert_equal connection.select_all(sql).rows, read
    end
    %w[1e+5 1e5].each do |text|
      assert_equal [[1e5, nil]], Rows.read([[text, nil]], Rows.kinds(%w[double date]))&.to_a, text
    end
    assert_nil Rows.read([["1e+", nil]], Rows.kinds(%w[double date]))
  end

  def test_bad_input
    kinds = Rows.kinds(["bigint unsigned", "datetime"])
    assert_nil Rows.read([["1"]], kinds)
    assert_nil Rows.read([["1", 2]], kinds)
    assert_nil Rows.read([["", "2026-01-02 03:04:05"]], kinds)
    assert_nil Rows.read([nil], kinds)
    assert_nil Rows.read([["-0.0", "2026-01-02"]], Rows.kinds(%w[double(22,31) date]))
    assert_equal [[7, nil]], Rows.read([["007", nil]], kinds).to_a
    assert_raises(TypeError) { Rows.read(nil, kinds) }
    assert_raises(TypeError) { Rows.kinds(nil) }
    assert_nil Rows.kinds([nil, "datetime"])
    assert_nil Rows.kinds(%w[time datetime])
    assert_nil Rows.kinds(%w[bigint(20) text(100)])
    assert_raises(TypeError) { Rows.read([], nil) }
  end
end
