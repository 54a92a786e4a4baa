# frozen_string_literal: true

require "support/test_case"
require "support/database"
%w[money interval date decimal jsonb enum specialized_string uuid xml].each do |name|
  require "active_record/connection_adapters/postgresql/oid/#{name}"
end

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
    "¥1,234", ":5.00", "$:1.00", "5.00:", "$09.00", "$01.00", "$000.10", "$100.00", "$10.00", "$1:.00", "$1.0:",
    "$1./0", "$1.0/", "$1.:0", "$1.95", "$1-2.00", "$.5.00", "$\n1.00", "-\n1.00",
    "$12:50", "$12,50", ",$1.00", "$,1.00", "$#{"9" * 5000}.50"
  ].freeze

  INTERVALS = [
    "PT0S", "P1D", "P1Y2M3DT4H5M6.789S", "PT-1H", "PT-0.5S", "P1DT-0.25S", "P-1DT0.999999S", "P-7M100DT12H0.000001S",
    "P178000000Y",
    "P200YT0.999999S", "P7D", "P2M", "PT1.234567S", "PT1.2345678S", "PT0.1S", "PT59.9S", "P-1Y2M", "P1W", "P1.5D",
    "PT1.5H", "PT", "P",
    "", "P1", "1D", "-P1D", "+P1D", "P1D1Y", "PT1S1H", "P1YT", "PT1,5S", "P1D ", "PT1./5S", "PT1.5/S", "PT1.:S",
    "P1234567890D", "infinity", "1 day",
    "P1DT", "PT1.S",
    "PT-S", "P1DT1D", "P1Y1Y", "PT00.5S", "PT-00.0S", "P--1D", "P999999999YT1.5S", "P-999999999YT-1.5S",
    "P1H", "P1S", "P1\u0001", "P1DT1\u0001", "PT1.12345S", "PT1.1234560S"
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

  # What is written without its type, and what is not, of the texts above.
  WRITTEN = {
    Amount => ["$0.00", "$12.50", "$0.07", "-$0.01", "-$1.10", "$1,234,567.89", "-$92,233,720,368,547,758.08",
               "€5.00", "US$7.25", "$10.00", "$100.00", "$20,000.50"],
    Span => ["PT0S", "P1D", "P1Y2M3DT4H5M6.789S", "PT-1H", "P1DT-0.25S", "P-7M100DT12H0.000001S", "P7D", "P2M",
             "PT0.1S", "PT1.234567S", "PT59.9S", "P-1Y2M", "P200Y", "P136Y37DT25024.5S", "P-136Y-37DT-25024.5S"]
  }.freeze

  def deserialized(record)
    count = 0
    trace = TracePoint.new(:call) { |point| count += 1 if point.method_id == :deserialize }
    trace.enable { BodySerializer.new.serialize_to_json(record) }
    count
  end

  def test_texts_that_are_written_without_their_types
    skip "the ruby backend reads values by the record's reader" unless native?

    WRITTEN.each do |model, texts|
      assert_texts(model, texts)
      model.order(:id).each { |record| assert_equal 0, deserialized(record), record.body_before_type_cast }
      model.delete_all
    end
    bytes = Bytes.create!(blob: "abc")
    count = 0
    trace = TracePoint.new(:call) { |point| count += 1 if point.method_id == :deserialize }
    trace.enable { assert_equal '{"blob":"abc"}', BlobSerializer.new.serialize_to_json(Bytes.find(bytes.id)) }
    assert_equal 0, count
  end

  def test_the_types_have_casts
    types = [Oid::Money.new, Oid::Interval.new, ActiveModel::Type::Binary.new]
    assert_equal(%i[money interval binary], types.map { |type| Katsu::Cast.name_of(Katsu::Cast.number(type)) })
    {Oid::Date => :date, Oid::Decimal => :decimal, Oid::Jsonb => :json, Oid::Enum => :string, Oid::Uuid => :string,
     Oid::Xml => :string}.each do |type, name|
      assert_equal name, Katsu::Cast.name_of(Katsu::Cast.number(type.new)), type.name
      assert_equal :generic, Katsu::Cast.name_of(Katsu::Cast.number(Class.new(type).new)), type.name
    end
    assert_equal :string, Katsu::Cast.name_of(Katsu::Cast.number(Oid::SpecializedString.new(:tsvector)))
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

  # As a driver, or an application, may give them.
  def test_bytes_in_other_strings
    own = Class.new(String)
    raws = [own.new("abc".b), own.new("abc"), "abc", "é", "é".encode("ISO-8859-1"), 5, 1.5]
    make = -> { raws.map { |raw| Bytes.instantiate({"id" => 1, "blob" => raw.dup}) } }
    built = watched { make.call.map { |record| BlobSerializer.new.serialize(record).fetch("blob") } }
    expected = make.call.map(&:blob)
    assert_equal expected, built
    said = ->(value) { [value.class, (value.encoding if value.is_a?(String))] }
    assert_equal expected.map(&said), built.map(&said)
    assert_equal(make.call.values_at(0, 1, 2, 5, 6).map { |record| record.to_json(only: :blob) },
                 make.call.values_at(0, 1, 2, 5, 6).map { |record| BlobSerializer.new.serialize_to_json(record) })
    make.call.values_at(3, 4).each do |record|
      assert_raises(Katsu::GeneratorError) { BlobSerializer.new.serialize_to_json(record) }
    end
  end

  def test_bytes_that_are_no_text
    bytes = "\xff\x00".b
    record = Bytes.create!(blob: bytes) && Bytes.order(:id).last
    assert_raises(Katsu::GeneratorError) { BlobSerializer.new.serialize_to_json(record) }
    assert_equal bytes, BlobSerializer.new.serialize(Bytes.find(record.id)).fetch("blob")
  end

  def test_bytes_that_were_read_and_changed
    record = Bytes.create!(blob: "abc") && Bytes.first
    record.blob += "d"
    assert_equal ['{"blob":"abcd"}', {"blob" => "abcd"}],
                 [BlobSerializer.new.serialize_to_json(record), BlobSerializer.new.serialize(record)]
  end

  # Numbers and truths as PostgreSQL's client library gives them: what is written of the text, without a Ruby value.

  NUMBERS = ["", "-"].product(%w[0 1 9 12 1234567890 123456789012345 1234567890123456 12345678901234567890],
                              ["", ".", ".0", ".00", ".5", ".05", ".10", ".0001", ".00001", ".999999",
                               ".123456789012345", ".000000000000001"],
                              ["", "e5", "e-7", "e+200", "x"]).map(&:join).freeze
  WORDS = ["", "-", ".", "1 ", "NaN", "Infinity", "-Infinity", "nan", "-NaN", "inf",
           "1,5", "1/", "1/5", "1:", "/", ":", "-:", "0.9:", "0./", "9" * 40, "9" * 41, "1" * 17,
           "1#{"0" * 15}1", "0.#{"0" * 37}1", "0.#{"0" * 38}1", "0.#{"0" * 39}1",
           "1.#{"5" * 125}", "1.#{"5" * 126}", "1.#{"5" * 127}"].freeze
  SIZES = [[0, -1], [5, 2], [15, 1], [3, 3], [20, 6]].freeze

  def number_text(cast, text, digits = 0, scale = -1) = Katsu::Native.number_text(cast, text, digits, scale)

  # nil: its type makes the value.
  def assert_number_text(expected, *arguments)
    written = number_text(*arguments)
    expected.nil? ? assert_nil(written, arguments.inspect) : assert_equal(expected, written, arguments.inspect)
  end

  def test_texts_of_integers_and_truths
    skip "the ruby backend reads no text of a client library" unless native?

    [*NUMBERS, *WORDS, "007", "00", "-07", "10"].each do |text|
      assert_number_text((text if text.match?(/\A(0|-?[1-9]\d*)\z/)), "integer", text)
    end
    truths = {"t" => "true", "1" => "true", "f" => "false", "0" => "false"}
    ["T", "F", "2", "/", "s", "u", "e", "g", "", "tt", "true", *truths.keys].each do |text|
      assert_number_text(truths[text], "boolean", text)
    end
  end

  def test_texts_of_floats
    skip "the ruby backend reads no text of a client library" unless native?

    (NUMBERS + WORDS).each do |text|
      number = text.match?(/\A-?\d+(\.\d+)?(e[-+]?\d+)?\z/) && text.size <= 40
      expected = number ? Katsu.generate(Float(text)) : nil
      expected = "null" if %w[NaN Infinity -Infinity].include?(text)
      # PostgreSQL ends no number at a point.
      assert_number_text(expected, "float", text) unless text.match?(/\.(e.*)?\z/)
    end
    %w[1e400 -1e400 1.2.3].each { |text| assert_number_text(nil, "float", text) }
    {".5" => "0.5", "-.25" => "-0.25", "007" => "7.0", "05" => "5.0", "00.5" => "0.5"}.each do |text, json|
      assert_number_text(json, "float", text)
    end
  end

  def test_texts_of_decimals
    skip "the ruby backend reads no text of a client library" unless native?

    SIZES.each do |digits, scale|
      type = ActiveModel::Type::Decimal.new(**(digits.zero? ? {} : {precision: digits, scale: scale}))
      (NUMBERS + WORDS).each { |text| assert_decimal_text(type, text, digits, scale) }
      %w[00 05 -05 007 00.5].each { |text| assert_number_text(nil, "decimal", text, digits, scale) }
    end
  end

  # Text that the column keeps as it is must be written without its type.
  def assert_decimal_text(type, text, digits, scale)
    whole, behind = text.match(/\A-?0*(\d*)(?:\.(\d*[1-9])?0*)?\z/)&.captures
    kept = text.match?(/\A-?\d+(\.\d+)?\z/) && text.size <= 128 && (scale.negative? || behind.to_s.size <= scale) &&
           (digits.zero? || whole.size + behind.to_s.size <= digits)
    return if !kept && number_text("decimal", text, digits, scale).nil?

    assert_number_text(type.deserialize(text).as_json.to_json, "decimal", text, digits, scale)
  end
end
