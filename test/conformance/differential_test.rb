# frozen_string_literal: true

require "support/test_case"
require "support/differential"

# Every type of SQLite, and values that its columns hold whatever their type.
class SqliteDifferentialTest < TestCase
  include Differential

  def self.connect(base)
    base.establish_connection(adapter: "sqlite3", database: ":memory:")
  end

  def self.quoted(*texts) = texts.map { |text| "'#{text.gsub("'", "''")}'" }

  TEXTS = quoted(
    "",
    "plain",
    "quote\" back\\ line\n tab\t",
    "ü漢😀",
    "x" * 300,
    "it's",
    "null",
    " spaced "
  )

  TIMES = quoted(
    "2026-01-02 03:04:05",
    "2026-07-02 03:04:05.678901",
    "2026-07-02 03:04:05.1",
    "1999-12-31 23:59:59.999999",
    "2024-02-29 12:00:00",
    "1900-01-01 00:00:00",
    "0001-01-01 00:00:00",
    "1582-10-10 00:00:00",
    "9999-12-31 23:59:59",
    "2026-03-29 01:59:59.9995",
    "2026-10-25 01:30:00",
    "1969-12-31 23:59:59.5",
    "2026-02-30 00:00:00",
    "2026-01-02T03:04:05Z",
    "2026-01-02 03:04:05+02:00",
    "2026-01-02",
    "garbage",
    "",
    "03:04"
  )

  DATES = quoted(
    "2026-01-02",
    "2024-02-29",
    "0001-01-01",
    "1582-10-10",
    "9999-12-31",
    "2026-02-30",
    "20260102",
    "garbage",
    "",
    "2026-01-02 03:04:05"
  )

  DOCUMENTS = quoted(
    "{}",
    "[1, 2.50, \"x\", null]",
    "{\"a\": {\"b\": [true]}, \"c\": \"ü\"}",
    "\"text\"",
    "5",
    "null",
    " [ 1 ] "
  )

  # The type of each column, and values as SQL.
  COLUMNS = {
    integer: ["integer", ["0", "-1", "9223372036854775807", "'12'", "'x'", "1.5"]],
    bigint: ["bigint", %w[0 -9223372036854775808]],
    boolean: ["boolean", ["0", "1", "'t'", "'f'", "'true'", "'no'", "''", "2"]],
    float: ["float", %w[0 1.5 -2.25e-7 1e20 3 0.1 9e999 -9e999 'x' '1.5']],
    decimal: ["decimal(10,2)", %w[0 1.5 -99999999.99 '7.25' 'x']],
    decimal0: ["decimal(20,0)", %w[0 123456789012]],
    string: ["varchar", TEXTS + ["5", "x'616263'"]],
    text: ["text", TEXTS],
    blob: ["blob", ["x'616263'", "x'00ff80'", "'text'"]],
    date: ["date", DATES],
    time: ["time", quoted("03:04:05", "2000-01-01 23:59:59.999999", "25:00:00", "")],
    datetime: ["datetime(6)", TIMES],
    datetime0: ["datetime(0)", TIMES],
    datetime3: ["datetime(3)", TIMES],
    timestamp: ["datetime", TIMES],
    json: ["json", DOCUMENTS]
  }.freeze
end
