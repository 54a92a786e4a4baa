# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/query_behaviour"
require "support/query_interruptions"
require "tmpdir"

# The same for PostgreSQL and MariaDB stands in test/databases/behaviour_test.rb.
module SqliteNotes
  FOLDER = Dir.mktmpdir("katsu-queries")
  Minitest.after_run { FileUtils.remove_entry(FOLDER) }

  # Files, so that several threads and connections see the same rows.
  def configuration(place)
    {adapter: "sqlite3", database: "#{FOLDER}/#{name}-#{place}.db", pool: 5, timeout: 50,
     pragmas: {journal_mode: "delete"}} # in which a writer locks out readers
  end

  # A condition that counts to a number for each row.
  def self.slow(relation, count)
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < #{count})"
    relation.where("(#{numbers} SELECT max(i) FROM n WHERE i <> stored_notes.id) > 0")
  end
end

class SqliteBehaviourTest < TestCase
  extend StoredNotes
  extend SqliteNotes
  include QueryBehaviour

  define_notes

  def slow(relation) = relation

  # Another connection keeps the database to itself.
  def limited
    other = SQLite3::Database.new(note.connection_db_config.database)
    other.execute("BEGIN EXCLUSIVE")
    yield
  ensure
    other.execute("ROLLBACK")
    other.close # which waits for statements that are not collected yet
  end
end

class SqliteInterruptionsTest < TestCase
  extend StoredNotes
  extend SqliteNotes
  include QueryInterruptions

  define_notes(40)

  def slow(relation) = SqliteNotes.slow(relation, 100_000)
  def results = native? ? Katsu::Native::SqliteRows : nil
end
