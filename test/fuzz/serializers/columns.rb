# frozen_string_literal: true

module Fuzz
  # A kind of column: its type and options in the schema, SQL literals for rows, Ruby values to assign, ways to change a
  # value in place, and lines of the model ("%s" is the column) that make something else of it.
  Column = Struct.new(:type, :literals, :values, :changes, :lines)

  class Column
    TIMES = ["'2026-01-02 03:04:05'", "'2026-07-02 03:04:05.678901'", "'1999-12-31 23:59:59.9999'",
             "'0001-01-01 00:00:00'", "'9999-12-31 23:59:59'", "'2026-03-29 01:59:59.9995'",
             "'2026-10-25 01:30:00'", "'1900-02-28 23:59:59'", "'2024-02-29 12:00:00'",
             "'2026-01-02T03:04:05Z'", "'2026-01-02 03:04:05+02:00'",
             "'2026-01-02'", "'garbage'", "''", "NULL"].freeze
    TIME_VALUES = ["Time.utc(2026, 7, 2, 3, 4, 5.25r)", "Time.new(2026, 1, 2, 3, 4, 5, \"+09:00\")",
                   "\"2026-03-29 02:30:00\"",
                   "nil", "Time.utc(2024, 2, 29).in_time_zone(\"Tokyo\")", "Date.new(2026, 1, 2)",
                   "\"nonsense\""].freeze
    TEXTS = ["''", "'plain'", "'quote\" back\\ tab\t'", "'ü漢😀'", "'#{"x" * 300}'", "'{\"a\": 1}'", "'7'", "'true'",
             "'2026-01-02'", "NULL", "5"].freeze
    TEXT_VALUES = ["\"new\"", "\"ü\\n\"", "nil", ":sym", "12", "+\"\"", "\"\\xFF\"",
                   "\"é\".encode(\"ISO-8859-1\")"].freeze
    JSONS = ["'{}'", "'[1, 2.50, \"x\", null]'", "'{\"a\": {\"b\": [true]}, \"c\": \"ü\"}'", "'\"text\"'", "'5'",
             "'null'",
             "' [ 1 ] '", "'[\"2026-01-02T03:04:05Z\"]'", "'[\"\\u00fc\\n\"]'", "NULL"].freeze
    JSON_VALUES = ["{\"a\" => [1, nil, \"ü\"]}", "{a: {b: 1.5}}", "[]", "\"text\"", "5", "nil",
                   "[Time.utc(2026), :sym]", "{1 => 2}"].freeze
    STRING_LINES = ["def %s = \"own \#{super}\"", "attribute :%s, :integer", "attribute :%s, :boolean",
                    "attribute :%s, :date",
                    "attribute :%s, :decimal", "normalizes :%s, with: ->(text) { text.to_s.strip.downcase }",
                    "attribute :%s, :string, default: \"given\"",
                    "enum :%s, {plain: \"plain\", other: \"ü漢😀\"}, prefix: true"].freeze
    INTEGER_LINES = ["enum :%s, {draft: 0, live: 7}, prefix: true", "attribute :%s, :string", "attribute :%s, :boolean",
                     "attribute :%s, :integer, default: -> { 5 }", "attribute :%s, :float",
                     "def %s = super.to_i + 1"].freeze

    ALL = {
      string: new([:string], TEXTS, TEXT_VALUES, [" << \"!\"", ".upcase!", ".replace(\"other\")"], STRING_LINES),
      text: new([:text], TEXTS, TEXT_VALUES, [" << \"ü\"", ".clear"],
                ["serialize :%s, coder: JSON", "serialize :%s, coder: YAML, type: Hash",
                 "def %s = read_attribute(:%s)&.reverse", "store :%s, accessors: [:color], coder: JSON"]),
      integer: new([:integer], ["0", "-1", "2147483647", "'12'", "'x'", "1.5", "NULL", "7"],
                   ["3", "\"4\"", "nil", "true", "2.9", "2**40"], [], INTEGER_LINES),
      bigint: new([:bigint], ["0", "-9223372036854775808", "9223372036854775807", "NULL"], ["2**62", "\"-5\"", "nil"],
                  [], ["attribute :%s, :big_integer"]),
      boolean: new([:boolean], ["0", "1", "'t'", "'f'", "''", "2", "NULL"], ["true", "false", "nil", "\"off\"", "1"],
                   [], ["def %s? = true"]),
      float: new([:float], ["0", "1.5", "-2.25e-7", "1e20", "3", "9e999", "'x'", "NULL"],
                 ["0.1", "Float::NAN", "\"1e3\"", "3", "nil"], [], ["attribute :%s, :decimal"]),
      decimal: new([:decimal, {precision: 10, scale: 2}],
                   ["0", "1.5", "-99999999.99", "'7.25'", "'x'", "NULL", "0.005"],
                   ["\"12.345\"", "1.1", "nil", "BigDecimal(\"NaN\")"], [], []),
      date: new([:date], ["'2026-01-02'", "'2024-02-29'", "'0001-01-01'", "'1582-10-10'", "'2026-02-30'", "'20260102'",
                          "'garbage'", "''", "NULL"],
                ["Date.new(2026, 2, 28)", "\"2026-03-01\"", "Time.utc(2026)", "nil", "\"nonsense\""], [],
                ["attribute :%s, :datetime"]),
      datetime: new([:datetime, {precision: 6}], TIMES, TIME_VALUES, [".localtime(\"+03:00\")"],
                    ["attribute :%s, :string", "attribute :%s, :date", "attribute :%s, :time"]),
      seconds: new([:datetime, {precision: 0}], TIMES, TIME_VALUES, [], []),
      time: new([:time], ["'03:04:05'", "'2000-01-01 23:59:59.999999'", "'25:00:00'", "''", "NULL"],
                ["\"12:30\"", "Time.utc(2000, 1, 1, 3)", "nil"], [], []),
      json: new([:json], JSONS, JSON_VALUES,
                [".then { |value| value.is_a?(Hash) ? value.store(\"more\", 1) : value }",
                 ".then { |value| value << 1 if value.is_a?(Array) }"],
                ["def %s = {own: super}", "attribute :%s, :json, default: {\"d\" => 1}", "attribute :%s, :string"]),
      binary: new([:binary], ["x'616263'", "x'00ff80'", "'text'", "NULL"], ["\"abc\".b", "\"\\xFF\".b", "nil"], [], [])
    }.freeze
  end
end
