# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "active_record/connection_adapters/postgresql/oid/money"
require "active_record/connection_adapters/postgresql/oid/interval"

# Texts of PostgreSQL's money and interval columns and of binary ones, as the servers may send them: what the casts know
# and what they leave to the types. The texts lie in SQLite's columns, so that no server is needed.
class DatabaseTextsTest < TestCase
  Oid = ActiveRecord::ConnectionAdapters::PostgreSQL::OID

  class Amount < ActiveRecord::Base
    self.table_name = "comments"
    attribute :body, Oid::Money.new
  end

  class Span < ActiveRecord::Base
    self.table_name = "comments"
    attribute :body, Oid::Interval.new
  end

  class Bytes < ActiveRecord::Base
    self.table_name = "posts"
  end

  class BodySerializer < Katsu::Serializer
    attributes :body
  end

  class BlobSerializer < Katsu::Serializer
    attributes :blob
  end

  MONEY = [
    "$0.00", "$12.50", "$0.07", "-$0.01", "-$1.10", "$1,234,567.89", "-$92,233,720,368,547,758.08", "($2.55)",
    "$12.345.678,12",
    "12,345.67", "-12.3", "$1.234", "€5.00", "€ 5.00", "5.00 €", "US$7.25", "$.50", "$-3.00", "-$0.00", "$00.10",
    "$007.00", "",
    "-", "$", "1", "$1", "$1.0", "$1.00 ", "$1,2.00", "$,.00", "$99999999999999999999.99", "$999999999999999999999.99",
    "¥1,234"
  ].freeze

  INTERVALS = [
    "PT0S", "P1D", "P1Y2M3DT4H5M6.789S", "PT-1H", "PT-0.5S", "P1DT-0.25S", "P-1DT0.999999S", "P-7M100DT12H0.000001S",
    "P178000000Y",
    "P200YT0.999999S", "P7D", "P2M", "PT1.234567S", "PT1.2345678S", "PT0.1S", "PT59.9S", "P-1Y2M", "P1W", "P1.5D",
    "PT1.5H", "PT", "P",
    "", "P1", "1D", "-P1D", "+P1D", "P1D1Y", "PT1S1H", "P1YT", "PT1,5S", "P1D ", "P1234567890D", "infinity", "1 day",
    "P1DT", "PT1.S",
    "PT-S", "P1DT1D", "P1Y1Y", "PT00.5S", "PT-00.0S", "P--1D"
  ].freeze

  BLOBS = ["", "abc", "quote \" and \\", "\u0001", "\n", "x" * 200].freeze

  def teardown
    [Comment, Post].each(&:delete_all)
  end

  def assert_texts(model, texts)
    texts.each do |text|
      model.connection.execute("INSERT INTO comments (body) VALUES (#{model.connection.quote(text)})")
    end
    records = model.order(:id).to_a
    expected = records.map { |record| record.class.find(record.id).as_json(only: [:body]) }
    assert_equal texts.zip(expected.map(&:to_json)),
                 texts.zip(records.map { |record| BodySerializer.new.serialize_to_json(record) })
    assert_equal texts.zip(expected), texts.zip(model.order(:id).map { |record| BodySerializer.new.serialize(record) })
  end

  def test_the_types_have_casts
    types = [Oid::Money.new, Oid::Interval.new, ActiveModel::Type::Binary.new]
    assert_equal(%i[money interval binary], types.map { |type| Katsu::Cast.name_of(Katsu::Cast.number(type)) })
  end

  def test_money
    assert_texts(Amount, MONEY)
  end

  def test_money_that_was_read_and_written
    assert_texts(Amount, ["$12.50"])
    record = Amount.first
    assert_equal "12.5", record.body.to_s
    assert_equal({"body" => "12.5"}, BodySerializer.new.serialize(record))
    record.body = BigDecimal("7.259")
    assert_equal record.as_json(only: [:body]).to_json, BodySerializer.new.serialize_to_json(record)
  end

  def test_intervals
    assert_texts(Span, INTERVALS)
  end

  def test_an_interval_that_was_read
    assert_texts(Span, ["P1DT1.5S"])
    record = Span.first
    assert_equal 1.day + 1.5, record.body
    assert_equal '{"body":86401}', BodySerializer.new.serialize_to_json(record)
  end

  def test_binary_columns
    BLOBS.each { |bytes| Bytes.create!(blob: bytes) }
    assert_equal(BLOBS.map { |bytes| {blob: bytes}.to_json },
                 Bytes.order(:id).map { |record| BlobSerializer.new.serialize_to_json(record) })
    built = Bytes.order(:id).map { |record| BlobSerializer.new.serialize(record).fetch("blob") }
    assert_equal([BLOBS, [Encoding::BINARY]], [built, built.map(&:encoding).uniq])
  end

  def test_bytes_that_were_read_and_changed
    record = Bytes.create!(blob: "abc") && Bytes.first
    record.blob += "d"
    assert_equal ['{"blob":"abcd"}', {"blob" => "abcd"}],
                 [BlobSerializer.new.serialize_to_json(record), BlobSerializer.new.serialize(record)]
  end
end
