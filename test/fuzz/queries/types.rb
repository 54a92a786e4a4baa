# frozen_string_literal: true

module Fuzz
  # The column types of a database, and literals for them.
  class Types
    TEXTS = %w['' 'plain' 'quo"te' 'ünï' '漢😀' '2026-01-02' '1' 'Space::A' 'Space::B' NULL NULL].freeze
    TIMES = ["'2026-01-02 03:04:05'", "'2026-07-02 03:04:05.678901'", "'2024-02-29 12:00:00.5'",
             "'2026-03-29 01:30:00'", "NULL"].freeze
    JSONS = ["'{\"a\": [1, 2.50, \"ü\"]}'", "'[]'", "'5'", "'null'", "NULL"].freeze
    # What all databases take.
    COMMON = {
      "integer" => %w[0 1 2 -7 2147483647 NULL],
      "bigint" => %w[1 9007199254740993 9223372036854775807 NULL],
      "string" => TEXTS,
      "text" => TEXTS,
      "float" => %w[0.1 1 -2.5e20 NULL],
      "decimal, precision: 10, scale: 2" => %w[1 1.5 2.34 -99999.99 NULL],
      "date" => %w['2026-01-02' '1582-10-15' NULL],
      "datetime" => TIMES,
      "datetime, precision: 0" => TIMES,
      "datetime, precision: 6" => TIMES,
      "time" => ["'12:30:00'", "'23:59:59.5'", "NULL"],
      "json" => JSONS
    }.freeze
    # SQLite keeps literals that are not of the type all the same.
    SQLITE = {
      "integer" => %w[0 1 2 -7 9007199254740993 'x' 1.5 NULL],
      "string" => TEXTS + %w[5 1.5],
      "boolean" => %w[1 0 't' 'f' 'maybe' NULL],
      "float" => %w[0.1 1 -2.5e20 'x' NULL],
      "decimal, precision: 10, scale: 2" => %w[1 1.5 '2.345' NULL],
      "date" => %w['2026-01-02' '0001-01-01' 'nonsense' NULL],
      "datetime" => TIMES + %w['nonsense' '0001-01-01' 1],
      "time" => ["'12:30:00'", "'2000-01-01 23:59:59.5'", "NULL"],
      "json" => JSONS + %w['no']
    }.freeze
    POSTGRESQL = {
      "boolean" => %w[TRUE FALSE NULL],
      "float" => %w[0.1 1 -2.5e20 'NaN' 'Infinity' NULL],
      "decimal" => %w[0 1.50 -99999999999999999999.123456789 'NaN' NULL],
      "date" => %w['2026-01-02' '0001-01-01' '12026-01-01' 'infinity' NULL],
      "datetime" => TIMES + ["'infinity'", "'0044-03-15 12:00:00 BC'", "'0001-01-01 00:00:00'"],
      "timestamptz" => TIMES + ["'2026-01-02 03:04:05+05:30'"],
      "jsonb" => JSONS,
      "uuid" => %w['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' NULL],
      "interval" => ["'1 day 02:03:04.5'", "NULL"],
      "inet" => %w['10.0.0.0/8' NULL],
      "integer, array: true" => %w['{}' '{1,2,NULL}' NULL],
      "binary" => ["'abc'", "NULL"]
    }.freeze
    MYSQL = {
      "boolean" => %w[1 0 2 NULL],
      "integer, unsigned: true" => %w[0 4294967295 NULL],
      "bigint, unsigned: true" => %w[0 18446744073709551615 NULL],
      "integer, limit: 1" => %w[-128 1 NULL],
      "date" => %w['2026-01-02' '1000-01-01' '9999-12-31' NULL],
      "binary" => ["'abc'", "NULL"]
    }.freeze
    DATABASES = {"sqlite3" => SQLITE, "postgresql" => POSTGRESQL, "mysql2" => MYSQL, "trilogy" => MYSQL}.freeze

    # PostgreSQL's json has no equality, which DISTINCT needs: queries of ActiveRecord that rows do not make would fail.
    def self.of(database)
      literals = COMMON.merge(DATABASES.fetch(database))
      new(database == "postgresql" ? literals.except("json") : literals, database)
    end

    def initialize(literals, database)
      @literals = literals
      @strict = database != "sqlite3"
    end

    # The types for the column of an index. Scopes compare the first one with a number.
    def names(index)
      return %w[string text] if index == 1

      index.zero? && @strict ? %w[integer bigint] : @literals.keys
    end

    def literals(type) = @literals.fetch(type)
  end
end
