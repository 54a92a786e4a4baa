# frozen_string_literal: true

require "support/test_case"
require "support/differential"

# Every type of MariaDB and MySQL, by both adapters.
module MysqlColumns
  def self.quoted(*texts) = texts.map { |text| "'#{text.gsub("\\") { "\\\\" }.gsub("'", "''")}'" }

  TEXTS = quoted("", "plain", "quote\" back\\ line\n tab\t", "ü漢😀", "x" * 300, "it's", "null", " spaced ")
  TIMES = quoted("2026-01-02 03:04:05", "2026-07-02 03:04:05.678901", "2026-07-02 03:04:05.1",
                 "1999-12-31 23:59:59.999999", "2024-02-29 12:00:00", "1900-01-01 00:00:00", "1582-10-15 00:00:00",
                 "9999-12-31 23:59:59", "2026-03-29 01:59:59.9995", "2026-10-25 01:30:00", "1969-12-31 23:59:59.5")
  STAMPS = quoted("2026-01-02 03:04:05", "2026-07-02 03:04:05.678901", "1970-01-02 00:00:01", "2038-01-18 23:59:59")

  COLUMNS = {
    boolean: ["tinyint(1)", %w[0 1 2 -1]],
    tinyint: ["tinyint", %w[0 127 -128]],
    utinyint: ["tinyint unsigned", %w[0 255]],
    smallint: ["smallint", %w[0 -32768]],
    mediumint: ["mediumint", %w[0 8388607]],
    integer: ["int", %w[0 2147483647 -2147483648]],
    uinteger: ["int unsigned", %w[0 4294967295]],
    bigint: ["bigint", %w[0 9223372036854775807 -9223372036854775808]],
    ubigint: ["bigint unsigned", %w[0 18446744073709551615]],
    decimal: ["decimal(10,2)", %w[0 1.5 -99999999.99]],
    decimal0: ["decimal(20,0)", %w[0 12345678901234567890]],
    float: ["float", %w[0 1.5 -2.25e-7 1e20]],
    double: ["double", %w[0 1.5 0.1 1.7976931348623157e308 3]],
    bit1: ["bit(1)", %w[b'0' b'1']],
    bit8: ["bit(8)", %w[b'01100001' b'00000000' b'11111111']],
    bit20: ["bit(20)", %w[b'1' b'01100001011000010110' b'11111111111111111111']],
    year: ["year", %w[1901 2026 2155]],
    date: ["date", quoted("2026-01-02", "2024-02-29", "1582-10-15", "9999-12-31", "1000-01-01")],
    time: ["time", quoted("00:00:00", "23:59:59")],
    time6: ["time(6)", quoted("12:30:00.500000", "23:59:59.999999")],
    datetime: ["datetime", TIMES],
    datetime3: ["datetime(3)", TIMES],
    datetime6: ["datetime(6)", TIMES],
    timestamp: ["timestamp NULL", STAMPS],
    timestamp6: ["timestamp(6) NULL", STAMPS],
    char: ["char(5)", quoted("a", "abcde")],
    varchar: ["varchar(400)", TEXTS],
    text: ["text", TEXTS],
    tinytext: ["tinytext", quoted("t")],
    mediumtext: ["mediumtext", TEXTS],
    longtext: ["longtext", TEXTS],
    latin: ["varchar(20) CHARACTER SET latin1", quoted("ü", "abc")],
    json: ["json",
           quoted("{}", "[1, 2.50, \"x\", null]", "{\"a\": {\"b\": [true]}, \"c\": \"ü\"}", "\"text\"", "5", "null",
                  " [ 1 ] ")],
    blob: ["blob", ["'abc'", "x'00ff80'", "''"]],
    binary: ["binary(3)", ["'abc'"]],
    varbinary: ["varbinary(9)", ["'abc'", "x'ff'"]],
    enum: ["enum('small', 'large \"x\"')", quoted("small", "large \"x\"")],
    set: ["set('a', 'b', 'c')", quoted("", "a", "a,c")]
  }.freeze
end

{Mysql2Test: "mysql2", TrilogyTest: "trilogy"}.each do |name, adapter|
  Object.const_set(name, Class.new(TestCase)).class_eval do
    const_set(:COLUMNS, MysqlColumns::COLUMNS)
    include Differential

    define_singleton_method(:connect) do |base|
      base.establish_connection(adapter: adapter, socket: ENV.fetch("KATSU_MYSQL"), username: "root",
                                database: "katsu", encoding: "utf8mb4")
    end
  end
end
