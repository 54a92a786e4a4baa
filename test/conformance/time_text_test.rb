# frozen_string_literal: true

require "support/test_case"
require "date"
require "katsu/portable/time_text"

# Which texts of timestamps the ruby backend writes itself, found out byte by byte and by a Regexp.
class TimeTextTest < TestCase
  TimeText = Katsu::Portable::TimeText

  KNOWN = {
    "2026-01-31 03:04:05" => "2026-01-31 03:04:05",
    "1999-12-30 23:59:59" => "1999-12-30 23:59:59",
    "1600-02-29 00:00:00.6" => "1600-02-29 00:00:00.600",
    "2400-02-29 19:39:49.67" => "2400-02-29 19:39:49.670",
    "9999-09-30 20:00:00.678" => "9999-09-30 20:00:00.678",
    "2026-10-28 10:50:10.678999" => "2026-10-28 10:50:10.678"
  }.freeze

  # Those whose day, year or length leaves them to the column's type.
  UNKNOWN = ["1599-12-31 00:00:00", "2100-02-29 00:00:00", "2026-04-31 00:00:00", "2026-02-30 00:00:00",
             "2026-01-02", "2026-01-02 03:04", "2026-01-02 03:04:05.", "2026-01-02 03:04:05.1234567", ""].freeze

  # A known text with one byte replaced by each that is a digit, or stands beside one that is allowed.
  BYTES = [*"/".."@", " ", "-", ".", "T", "\0", "\xff".b].freeze

  def teardown
    TimeText.choose
  end

  def both_ways
    [true, false].map do |by_bytes|
      TimeText.choose(by_bytes)
      yield
    end
  end

  def test_texts_that_are_known
    KNOWN.each { |text, expected| assert_equal [expected] * 2, both_ways { TimeText.timestamp(text) }, text }
    UNKNOWN.each { |text| assert_equal [nil, nil], both_ways { TimeText.timestamp(text) }, text }
  end

  def test_the_days_of_each_month
    [1900, 2000, 2023, 2024].product((0..13).to_a, [0, 1, *27..32]).each do |year, month, day|
      text = format("%04d-%02d-%02d 03:04:05", year, month, day)
      expected = text if Date.valid_date?(year, month, day)
      assert_equal [expected] * 2, both_ways { TimeText.timestamp(text) }, text
    end
  end

  def test_one_byte_of_each_place_replaced
    texts = KNOWN.keys.flat_map do |text|
      (0...text.bytesize).flat_map { |place| BYTES.map { |byte| text.b.tap { |changed| changed[place] = byte } } }
    end
    by_bytes, by_regexp = both_ways { texts.map { |text| TimeText.timestamp(text) } }
    assert_equal by_regexp, by_bytes
    assert_operator by_bytes.compact.size, :>, 500
    assert_operator by_bytes.count(nil), :>, 500
  end
end
