# frozen_string_literal: true

require "support/test_case"
require "active_record"
require "active_support/time"
require "support/server_behaviour"
require "support/query_interruptions"

# What documents of rows do to PostgreSQL and MariaDB; of SQLite see test/conformance/query/behaviour_test.rb.
module PostgresqlNotes
  # A schema for each place.
  def configuration(place)
    {adapter: "postgresql", host: ENV.fetch("KATSU_POSTGRESQL"), username: "katsu", database: "postgres",
     min_messages: "warning", schema_search_path: "#{name.downcase}_#{place}"}
  end

  def self.create_schemas(test)
    base = Class.new(ActiveRecord::Base) { def self.name = "PostgresqlNotes::Schemas" }
    base.abstract_class = true
    base.establish_connection(test.configuration(:writing).except(:schema_search_path))
    StoredNotes::PLACES.each { |place| base.connection.create_schema("#{test.name.downcase}_#{place}", force: true) }
    base.remove_connection
  end

  def self.slow(relation) = relation.where("pg_sleep(0.02) IS NOT NULL")
end

class PostgresqlBehaviourTest < TestCase
  extend StoredNotes
  extend PostgresqlNotes
  include ServerBehaviour

  PostgresqlNotes.create_schemas(self)
  define_notes

  def slow(relation) = PostgresqlNotes.slow(relation)

  def limited
    note.connection.execute("SET statement_timeout = 10")
    yield
  ensure
    note.connection.execute("SET statement_timeout = 0")
  end

  # The server tells a client at its next query.
  def lose(model)
    process = model.connection.select_value("SELECT pg_backend_pid()")
    other = PG.connect(host: ENV.fetch("KATSU_POSTGRESQL"), user: "katsu", dbname: "postgres")
    other.exec("SELECT pg_terminate_backend(#{process}, 1000)")
  ensure
    other&.close
  end

  def test_the_server_knows_the_statements_that_were_prepared
    prepared = lambda do |model|
      model.connection.select_values("SELECT statement FROM pg_prepared_statements").grep(/more/).size
    end
    [[:PreparedOnce, true, 1], [:PreparedNever, false, 0]].each do |name, setting, count|
      model = self.class.note_with(name, prepared_statements: setting)
      2.times { texts(model.where(more: nil, id: 1).order(:id)) } # ActiveRecord 7 prepares only what has binds
      assert_equal count, prepared.call(model)
    end
  end
end

class PostgresqlInterruptionsTest < TestCase
  extend StoredNotes
  extend PostgresqlNotes
  include QueryInterruptions

  PostgresqlNotes.create_schemas(self)
  define_notes(40)

  def slow(relation) = PostgresqlNotes.slow(relation)
  def results = PG::Result
end

module MysqlNotes
  # A database for each place.
  def configuration(place)
    {adapter: adapter, socket: ENV.fetch("KATSU_MYSQL"), username: "root", database: "#{name.downcase}_#{place}",
     encoding: "utf8mb4"}
  end

  def self.create_databases(test)
    base = Class.new(ActiveRecord::Base) { def self.name = "MysqlNotes::Databases" }
    base.abstract_class = true
    base.establish_connection(test.configuration(:writing).except(:database))
    StoredNotes::PLACES.each { |place| base.connection.recreate_database("#{test.name.downcase}_#{place}") }
    base.remove_connection
  end

  def self.slow(relation) = relation.where("SLEEP(0.02) = 0")
end

%w[mysql2 trilogy].each do |adapter|
  behaviour = Object.const_set("#{adapter.capitalize}BehaviourTest", Class.new(TestCase))
  interruptions = Object.const_set("#{adapter.capitalize}InterruptionsTest", Class.new(TestCase))
  [behaviour, interruptions].each do |test|
    test.extend(StoredNotes, MysqlNotes)
    test.define_singleton_method(:adapter) { adapter }
    test.define_method(:slow) { |relation| MysqlNotes.slow(relation) }
    MysqlNotes.create_databases(test)
  end

  behaviour.class_eval do
    include ServerBehaviour
    define_notes

    def test_statements_are_prepared_as_the_connection_says
      skip "trilogy prepares no statements" if self.class.adapter == "trilogy"
      super
    end

    def limited
      note.connection.execute("SET SESSION max_statement_time = 0.01")
      yield
    ensure
      note.connection.execute("SET SESSION max_statement_time = 0")
    end

    def lose(model)
      number = model.connection.select_value("SELECT CONNECTION_ID()")
      self.class.at(:shard) { self.class::Stored.connection.execute("KILL #{number}") }
    end
  end

  interruptions.class_eval do
    include QueryInterruptions
    define_notes(40)

    def results = nil

    # trilogy closes the connection of a query that was interrupted, and may say so before the timeout does.
    def timeouts = self.class.adapter == "trilogy" ? [*super, ActiveRecord::ConnectionFailed] : super

    # The same with records that are loaded.
    def left_out
      {thread_in_a_query: "mysql2 keeps a connection for the thread that was killed in a query, trilogy closes it"}
    end
  end
end
