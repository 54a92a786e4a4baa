# frozen_string_literal: true

require "support/test_case"
require "support/differential"

# Every type of PostgreSQL.
class PostgresqlTest < TestCase
  include Differential

  def self.connect(base)
    base.establish_connection(adapter: "postgresql", host: ENV.fetch("KATSU_POSTGRESQL"), username: "katsu",
                              database: "postgres", min_messages: "warning")
    base.connection.execute("CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext")
    base.connection.execute("DROP TABLE IF EXISTS katsu_values")
    base.connection.execute("DROP TYPE IF EXISTS mood")
    base.connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy \"x\"')")
    base.connection.reconnect!
  end

  def self.quoted(*texts) = texts.map { |text| "'#{text.gsub("'", "''")}'" }

  TEXTS = quoted("", "plain", "quote\" back\\ line\n tab\t", "ü漢😀", "x" * 300, "it's", "null", " spaced ")
  TIMES = quoted("2026-01-02 03:04:05", "2026-07-02 03:04:05.678901", "2026-07-02 03:04:05.1",
                 "1999-12-31 23:59:59.999999", "2024-02-29 12:00:00", "1900-01-01 00:00:00", "0001-01-01 00:00:00",
                 "1582-10-10 00:00:00", "9999-12-31 23:59:59", "12026-01-01 00:00:00", "0044-03-15 12:00:00 BC",
                 "infinity", "-infinity", "2026-03-29 01:59:59.9995", "2026-10-25 01:30:00", "1969-12-31 23:59:59.5",
                 "epoch")
  DATES = quoted("2026-01-02", "2024-02-29", "0001-01-01", "1582-10-10", "9999-12-31", "12026-01-01", "0044-03-15 BC",
                 "infinity", "-infinity")
  INTEGERS = quoted("0", "1", "-1", "32767", "-32768")
  FLOATS = quoted("0", "1.5", "-2.25e-7", "1e20", "NaN", "Infinity", "-Infinity", "0.1", "3")

  COLUMNS = {
    smallint: ["smallint", INTEGERS],
    integer: ["integer", INTEGERS + quoted("2147483647", "-2147483648")],
    bigint: ["bigint", INTEGERS + quoted("9223372036854775807", "-9223372036854775808")],
    oid: ["oid", quoted("0", "4294967295")],
    real: ["real", FLOATS],
    double: ["double precision", FLOATS + quoted("1.7976931348623157e308", "5e-324", "0.30000000000000004")],
    numeric: ["numeric",
              quoted("0", "1.50", "-99999999999999999999.123456789", "NaN", "Infinity", "-Infinity", "1e30",
                     "0.000001")],
    decimal: ["numeric(10,2)", quoted("0", "1.5", "-99999999.99", "NaN")],
    numeric0: ["numeric(20,0)", quoted("0", "12345678901234567890")],
    money: ["money", quoted("0", "12.5", "-1234567.89", "0.07", "-0.01", "92233720368547758.07", "-1.10", "1234")],
    boolean: ["boolean", %w[true false]],
    text: ["text", TEXTS],
    varchar: ["varchar(400)", TEXTS],
    char: ["char(5)", quoted("a", "abcde")],
    citext: ["citext", TEXTS],
    name: ["name", quoted("n")],
    mood: ["mood", quoted("sad", "ok", "happy \"x\"")],
    uuid: ["uuid", quoted("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")],
    xml: ["xml", quoted("<a b=\"c\">d</a>")],
    bytea: ["bytea", ["'abc'::bytea", "'\\x00ff80'::bytea", "''::bytea"]],
    bit: ["bit(5)", %w[B'10101' B'00000']],
    varbit: ["bit varying(9)", %w[B'1' B'' B'000111000']],
    json: ["json",
           quoted("{}", "[1, 2.50, \"x\", null]", "{\"a\": {\"b\": [true]}, \"c\": \"ü\\u0041\"}", "\"text\"", "5",
                  "null", " [ 1 ] ", "1e2")],
    jsonb: ["jsonb", quoted("{}", "[1, 2.50, null]", "{\"z\": 1, \"a\": {\"b\": []}}", "\"text\"", "null", "0.10")],
    hstore: ["hstore", quoted("a=>1, b=>NULL", "", "\"k k\"=>\"v \\\" w\"")],
    date: ["date", DATES],
    time: ["time", quoted("00:00:00", "23:59:59.999999", "24:00:00", "12:30:00.5")],
    timetz: ["timetz", quoted("12:30:00+02", "23:59:59.5-05:30")],
    timestamp: ["timestamp", TIMES],
    timestamp0: ["timestamp(0)", TIMES],
    timestamp3: ["timestamp(3)", TIMES],
    timestamptz: ["timestamptz", TIMES + quoted("2026-01-02 03:04:05+05:30")],
    interval: ["interval",
               quoted("1 day", "1 year 2 months 3 days 04:05:06.789", "-1 hour", "0", "-00:00:00.5", "1 week",
                      "1 day -00:00:00.25", "-1 day +00:00:00.999999", "178000000 years",
                      "-7 months 100 days 12:00:00.000001", "200 years 00:00:00.999999")],
    interval3: ["interval(3)", quoted("00:00:01.2345", "2 mons")],
    inet: ["inet", quoted("192.168.1.1", "10.0.0.0/8", "::1", "2001:db8::/32")],
    cidr: ["cidr", quoted("10.0.0.0/8", "::1/128")],
    macaddr: ["macaddr", quoted("08:00:2b:01:02:03")],
    macaddr8: ["macaddr8", quoted("08:00:2b:01:02:03:04:05")],
    point: ["point", quoted("(1.5,2)", "(0,-1e10)")],
    line: ["line", quoted("{1,2,3}")],
    lseg: ["lseg", quoted("[(0,0),(1,1)]")],
    box: ["box", quoted("((0,0),(1,1))")],
    path: ["path", quoted("[(0,0),(1,1)]", "((0,0),(1,1))")],
    polygon: ["polygon", quoted("((0,0),(1,1),(2,0))")],
    circle: ["circle", quoted("<(1,2),3>")],
    int4range: ["int4range", quoted("[1,5)", "(,5]", "[1,)", "empty")],
    int8range: ["int8range", quoted("[1,5)")],
    numrange: ["numrange", quoted("[1.5,2.5]", "(,)")],
    daterange: ["daterange", quoted("[2026-01-01,2026-02-01)", "[2026-01-01,)")],
    tsrange: ["tsrange", quoted("[2026-01-01 00:00:00,2026-02-01 12:00:00)")],
    tstzrange: ["tstzrange", quoted("[2026-01-01 00:00:00+00,2026-02-01 12:00:00+00)")],
    tsvector: ["tsvector", quoted("a fat cat")],
    tsquery: ["tsquery", quoted("fat & rat")],
    integers: ["integer[]", quoted("{}", "{1,2,NULL}", "{{1,2},{3,4}}")],
    texts: ["text[]", quoted("{}", "{a,\"b c\",NULL,\"q\\\"\"}")],
    floats: ["float8[]", quoted("{1.5,NaN}")],
    booleans: ["boolean[]", quoted("{t,f,NULL}")],
    dates: ["date[]", quoted("{2026-01-01,NULL}")],
    timestamps: ["timestamp[]", quoted("{\"2026-01-01 00:00:00.5\"}")],
    uuids: ["uuid[]", quoted("{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}")],
    jsons: ["jsonb[]", ["ARRAY['{\"a\": 1}'::jsonb]"]],
    moods: ["mood[]", quoted("{sad,ok}")],
    inets: ["inet[]", quoted("{10.0.0.1}")],
    numerics: ["numeric[]", quoted("{1.50,NaN}")],
    hstores: ["hstore[]", ["ARRAY['a=>1'::hstore]"]]
  }.freeze
end
