# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Texts at the edges of what a cast takes, as a database may hold them whatever its models write.
class ColumnTextsTest < TestCase
  class TimesSerializer < Katsu::Serializer
    attributes :created_at, :short_at, :day
  end

  class DataSerializer < Katsu::Serializer
    attributes :data
  end

  # Each column is read with and without Time.zone.
  class UnzonedPost < ActiveRecord::Base
    self.table_name = "posts"
    self.time_zone_aware_attributes = false
  end

  DAYS = %w[
    1900-02-28 1900-02-29 1900-03-01 2000-02-28 2000-02-29 2000-03-01 2100-02-28 2100-02-29 2100-03-01 2400-02-29
    2023-02-28 2023-02-29 2023-02-30 2024-02-28 2024-02-29 2024-02-30 2024-02-31 2024-03-31 2024-03-32
    2026-01-31 2026-01-32 2026-04-30 2026-04-31 2026-06-30 2026-06-31 2026-09-30 2026-09-31 2026-11-30 2026-11-31
    2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31 2026-12-32 2026-00-10 2026-01-00 2026-13-01 2026-12-01
    1599-12-28 1599-12-31 1600-01-01 1600-02-29 1583-01-01 1582-10-15 1582-10-14 1582-10-04 1500-02-29 1500-02-28
    1000-01-01 0999-12-31 0100-03-01 0001-01-01 0000-01-01 9999-12-31 9999-02-28
  ].freeze

  CLOCKS = [
    "00:00:00", "23:59:59", "24:00:00", "23:60:00", "23:59:60", "12:34:56.7", "12:34:56.78", "12:34:56.789",
    "12:34:56.789012",
    "12:34:56.", "12:34:56.7890123", "12:34:56,789", "12:34:56.78x", "12:34:56x", "12:34:5", "12-34-56",
    "00:00:00.999999",
    "24:00:00.000000", "31:00:00.000000", "71:59:59.999999"
  ].freeze

  # One character of each place replaced by those that stand before and behind the digits, and by others.
  TIMESTAMP = "2026-07-18 12:34:56.789012"
  ODD = (0...TIMESTAMP.size).flat_map do |place|
    ["/", ":", " ", "x", "9", "3", "0", "\u0001"].map do |character|
      TIMESTAMP.dup.tap do |text|
        text[place] = character
      end
    end
  end.freeze

  def teardown
    [Post, UnzonedPost].each(&:delete_all)
    Time.zone = nil
  end

  def insert(columns, rows)
    quoted = rows.map { |row| "(#{row.map { |text| quote(text) }.join(", ")})" }
    Post.connection.execute("INSERT INTO posts (#{columns.join(", ")}) VALUES #{quoted.join(", ")}")
  end

  # SQLite's texts in quotes end at a zero byte.
  def quote(text)
    text&.include?("\0") ? "CAST(x'#{text.unpack1("H*")}' AS TEXT)" : Post.connection.quote(text)
  end

  def assert_times_as_json(zones = [nil, "UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati"])
    zones.each do |zone|
      Time.zone = zone
      [Post, UnzonedPost].each { |model| assert_all_as_json(model, zone) }
    end
  end

  def assert_all_as_json(model, zone)
    texts = -> {
      records(model).map do |record|
        record.attributes_before_type_cast.slice("created_at", "short_at", "day")
      end
    }
    expected = JSON.parse(ActiveSupport::JSON.encode(records(model).map do |record|
      record.as_json(only: %i[created_at short_at day])
    end))
    [watched { list(model).to_json }, JSON.generate(watched { list(model).to_a })].each do |written|
      actual = JSON.parse(written)
      next if expected == actual

      texts.call.zip(expected, actual) { |text, right, wrong| assert_equal right, wrong, [zone, text].inspect }
    end
    assert_operator expected.size, :>, 2
  end

  def records(model)
    all = model.order(:id).to_a
    GC_MODE == "normal" ? all : all.each_slice(7).map(&:first)
  end

  def list(model)
    Katsu::ArraySerializer.new(records(model), each_serializer: TimesSerializer)
  end

  def test_days
    insert(%i[created_at short_at day], DAYS.map { |day| ["#{day} 00:00:00", "#{day} 12:34:56.789012", day] })
    insert(%i[created_at short_at day], DAYS.map { |day| ["#{day} 23:59:59.999999", nil, "#{day} "] })
    assert_times_as_json
  end

  def test_clocks
    insert(%i[created_at short_at day], CLOCKS.map { |clock| ["2026-07-31 #{clock}", "1900-01-01 #{clock}", nil] })
    assert_times_as_json
  end

  def test_one_odd_character
    odd = fewer_under_stress(ODD)
    insert(%i[created_at day], odd.map { |text| [text, text[0, 10]] })
    insert(%i[created_at], odd.map { |text| [text[0, 19]] }.uniq)
    insert(%i[created_at], [22, 23, 24].flat_map { |length| odd.map { |text| [text[0, length]] } }.uniq)
    assert_times_as_json([nil, "Europe/Berlin"])
  end

  # The native backend writes what a cast knows without the column's type, which is what makes it fast.
  def deserialized(row, model = Post)
    record = model.instantiate(row.transform_keys(&:to_s))
    serializer = self.class.const_get(:ALL).fetch(row.keys.first)
    count = 0
    trace = TracePoint.new(:call) { |point| count += 1 if point.method_id == :deserialize }
    trace.enable { serializer.new.serialize_to_json(record) }
    # in a Hash it is what its type makes of it
    trace.enable do
      serializer.new.serialize(record)
    end unless row.key?(:price)
    count
  end

  CAST = {
    created_at: ["2026-01-02 03:04:05.678901", "2026-01-02 03:04:05", "2026-01-31 03:04:05.6",
                 "2000-02-29 23:59:59.999999", "1600-01-31 00:00:00", "9999-12-31 23:59:59.999999", nil],
    day: %w[2026-01-31 2000-02-29 2400-02-29 2024-02-29 1600-01-01 9999-12-31 2026-12-31 2026-09-30] << nil,
    data: ["[1]", "{\"a\": \"\\u00fc\"}", nil], title: ["", "ü", nil], views: [0, -1, 2**40, nil],
    draft: [0, 1, true, false, nil], rating: [1.5, -0.0, nil],
    price: [12.5, 5, 0, -99_999_999.99, 9_999_999_999, 9_999_999_999.0, -0.0, nil, BigDecimal("1.5"), BigDecimal("NaN"),
            BigDecimal("-Infinity")]
  }.freeze

  UNKNOWN = {
    created_at: ["2026-02-30 00:00:00", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", 5],
    day: ["1599-12-31", "2026-02-30", "2026-1-1"],
    views: ["5", 1.5], draft: %w[no true], rating: ["1.5", 1],
    price: [1.005, 12_345_678_901, "1.5", Float::NAN, 1e20, BigDecimal("12345678901"), BigDecimal("1.005")]
  }.freeze

  ALL = CAST.keys.to_h { |name| [name, Class.new(Katsu::Serializer) { attributes name }] }.freeze

  def test_what_is_written_without_the_type_of_its_column
    skip "the ruby backend reads values by the record's reader" unless native?

    Time.zone = nil
    deserialized(title: "the first record of all is compared with what public methods say")
    CAST.each do |name, values|
      values.each do |value|
        assert_equal 0, deserialized(name => value), [name, value].inspect
      end
    end
    UNKNOWN.each do |name, values|
      values.each do |value|
        assert_operator deserialized(name => value), :>, 0, [name, value].inspect
      end
    end
  end

  class WidePost < ActiveRecord::Base
    self.table_name = "posts"
    attribute :price, :decimal, precision: 15, scale: 3
  end

  def test_decimals_of_as_many_digits_as_a_double_keeps_are_written_without_their_type
    skip "the ruby backend reads values by the record's reader" unless native?

    deserialized({price: 1.5}, WidePost)
    [1.125, 123_456_789_012.125, 123_456_789_012_345, -0.001].each do |price|
      assert_equal 0, deserialized({price: price}, WidePost), price.inspect
    end
    assert_operator deserialized({price: 1.0625}, WidePost), :>, 0
  end

  class ShortPost < ActiveRecord::Base
    self.table_name = "posts"
    attribute :price, :decimal, precision: 1, scale: 1
  end

  def test_decimals_of_one_digit
    prices = ["0.5", "0", "-0.2", "1.5", "12", "0.25"].flat_map { |text| [BigDecimal(text), text.to_f] }
    make = -> { prices.map { |price| ShortPost.instantiate({"price" => price}) } }
    expected = make.call.map { |post| post.as_json(only: :price) }
    assert_equal expected, JSON.parse(ALL[:price].many(make.call).to_json)
    assert_equal expected, ALL[:price].many(make.call).to_a
  end

  class WholePost < ActiveRecord::Base
    self.table_name = "posts"
    attribute :price, :decimal, precision: 10, scale: 0
  end

  def test_decimals_without_digits_behind_the_point
    prices = ["2", "2.0", "1.5", "2.5", "-0.4", "99999999999", "'7'", "NULL"]
    Post.connection.execute("INSERT INTO posts (price) VALUES #{prices.map { |price| "(#{price})" }.join(", ")}")
    expected = WholePost.order(:id).last(prices.size).map { |post| post.as_json(only: :price) }
    posts = -> { WholePost.order(:id).last(prices.size) }
    assert_equal expected, JSON.parse(Katsu::ArraySerializer.new(posts.call, each_serializer: ALL[:price]).to_json)
    assert_equal expected, Katsu::ArraySerializer.new(posts.call, each_serializer: ALL[:price]).to_a
    assert_equal expected, JSON.parse(ALL[:price].many(WholePost.where(id: posts.call.map(&:id)).order(:id)).to_json)
  end

  TRUTHS = ["t", "f", "1", "0", "T", "F", "2", "y", "n", " ", "", "true", "false", "tt", "ff", "on", "off", "u",
            "g"].freeze

  def test_booleans
    insert(%i[draft], TRUTHS.map { |text| [text] })
    serializer = Class.new(Katsu::Serializer) { attributes :draft }
    TRUTHS.zip(Post.order(:id), Post.order(:id)) do |text, post, reference|
      assert_equal reference.as_json(only: :draft), JSON.parse(watched { serializer.new.serialize_to_json(post) }), text
      assert_equal reference.as_json(only: :draft), watched { serializer.new.serialize(Post.find(post.id)) }, text
    end
  end

  VALUES = [
    "[]", "{}", " [] ", "\t[\n]\r", "[1]", "[ 1 , 2 ]", "{ \"a\" : 1 , \"b\" : [ ] }", "{\"a\":{}}", "[[],{}]",
    "[{\"a\":[{}]}]",
    "[true,false,null]", "[-1,0,-0,0.0,1e5,1E+5,1e-5,10.25E10]", "[\"\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
    "[\"\\u00fC\\uD83D\\uDE00\"]",
    *%w[d7ff D7FF e000 E000 d000 ffff 0000 d83d\\ude00 D800\\uDC00 dbff\\udfff DBFF\\uDFFF D900\\uDD00].map do |digits|
      "[\"\\u#{digits}\"]"
    end,
    "[\"#{"x" * 40}\\n#{"y" * 40}\"]", "[\"ü漢😀\"]", "{\"#{"k" * 30}\":1}", "[\"\u007f\"]", "\"text\"",
    "[#{"[" * 90}#{"]" * 90}]"
  ].freeze

  # Control characters, escapes, numbers, words and brackets that JSON has not.
  REFUSED = [
    *(0..31).flat_map do |byte|
      [0, 3, 7, 8, 9, 20, 40].map do |at|
        "[\"#{"x" * at}#{byte.chr}\"]"
      end
    end, "[\"\0", "{\"a\nb\":1}",
    *%w[d800 DBFF dc00 DFFF d83d\\ud83d d83d\\u0041 d83dx d83d\\n d83d\\ude0 d83d\\ude0g d83d\\udeg0 d83d\\udg00
        d83d\\ue000 d83d\\Ude00 d83d/ude00 d83d\\udbff dc00\\udc00 de00\\udc00 df00\\ud83d].map do |digits|
      "[\"\\u#{digits}\"]"
    end,
    "[\"\\u12\"]", "[\"\\u123\"]", "[\"\\u123g\"]", "[\"\\ug123\"]", "[\"\\u1g23\"]", "[\"\\u12g3\"]", "[\"\\u12:3\"]",
    "[\"\\u12@3\"]",
    "[\"\\u123`\"]", "[\"\\u/123\"]", "[\"\\U1234\"]", "[\"\\", "[\"\\\"]", "[\"\\a\"]", "[\"\\'\"]", "[\"\\v\"]",
    "[\"\\0\"]",
    "[-]", "[+1]", "[.5]", "[1.]", "[1.e5]", "[1e]", "[1e+]", "[1e-]", "[00]", "[01]", "[-01]", "[0x1]", "[1_0]",
    "[1a]", "[1,]", "[,1]",
    "[tru]", "[truE]", "[fals]", "[falsy]", "[nul]", "[nulL]", "[True]", "[NaN]", "[Infinity]", "[1", "[1}",
    "{\"a\":1]", "{\"a\":1", "{\"a\" 1}",
    "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{1:2}", "{a:1}", "[1 2]", "[\"a\" \"b\"]", "]", "}", "[]]", "{}}",
    "[] []", "[]x", "\"a", "[\"a]", "",
    "[\u00a0]", "[\f]", "[\v]", "[1\f]"
  ].freeze

  def test_json_that_is_copied
    insert(%i[data], VALUES.map { |text| [text] })
    Post.order(:id).zip(VALUES) do |post, text|
      written = watched { DataSerializer.new.serialize_to_json(post) }
      assert_equal ["{\"data\":#{text}}", text.ascii_only?], [written, written.ascii_only?]
      assert_equal JSON.parse(text, max_nesting: 0), watched { DataSerializer.new.serialize(post) }.fetch("data")
    end
  end

  def test_json_that_is_refused
    insert(%i[data], REFUSED.map { |text| [text] })
    Post.order(:id).zip(REFUSED) do |post, text|
      error = assert_raises(Katsu::GeneratorError, text) { watched { DataSerializer.new.serialize_to_json(post) } }
      assert_match(/data of Post with id \d+ is not JSON/, error.message)
    end
  end
end
