# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"
require "timeout"
require "tmpdir"

# Documents of rows behave to the database as ActiveRecord's own loading does.
class QueryBehaviourTest < TestCase
  include Queries

  FOLDER = Dir.mktmpdir("katsu-queries")
  Minitest.after_run { FileUtils.remove_entry(FOLDER) }

  # Files, so that several threads and connections see the same rows.
  class Stored < ActiveRecord::Base
    self.abstract_class = true
    connects_to(database: %i[writing reading].to_h do |role|
      [role, {adapter: "sqlite3", database: "#{FOLDER}/#{role}.db", pool: 5}]
    end)
  end

  %i[writing reading].each do |role|
    database = SQLite3::Database.new("#{FOLDER}/#{role}.db")
    database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
    database.execute("INSERT INTO notes (text) VALUES ('#{role} 1'), ('#{role} 2')")
    database.close
  end

  class Note < Stored
    self.table_name = "notes"
  end

  class NoteSerializer < Katsu::Serializer
    attributes :id, :text
    attribute(:called, if: -> { context }, needs: []) { context.call }
  end

  class Failing
    def initialize(error) = @error = error
    def write(_text) = raise(@error)
  end

  # Note.cache caches nothing before the first connection.
  def setup
    Note.connection.execute("SELECT 1")
  end

  def texts(relation = Note.order(:id), **options)
    NoteSerializer.many(relation, **options).to_a.map { |note| note["text"] }
  end

  def test_notifications
    seen = []
    listener = ->(*, payload) { seen << payload }
    ActiveSupport::Notifications.subscribed(listener, "sql.active_record") { texts(Note.where(id: 1)) }
    ours = seen.find { |payload| payload[:name] == "QueryBehaviourTest::Note Load" }
    seen.clear
    ActiveSupport::Notifications.subscribed(listener, "sql.active_record") { Note.where(id: 1).to_a }
    theirs = seen.find { |payload| payload[:name] == "QueryBehaviourTest::Note Load" }
    assert_equal theirs.keys.sort, ours.keys.sort
    same = %i[sql name async statement_name row_count] & theirs.keys
    assert_equal theirs.slice(*same), ours.slice(*same)
    assert_equal theirs[:binds].map(&:value), ours[:binds].map(&:value)
    assert_equal theirs[:type_casted_binds].then { |binds| binds.respond_to?(:call) ? binds.call : binds },
                 ours[:type_casted_binds].then { |binds| binds.respond_to?(:call) ? binds.call : binds }
  end

  def test_the_query_cache
    cached = []
    listener = ->(*, payload) { cached << payload[:cached] unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(listener, "sql.active_record") do
      Note.cache { 2.times { assert_equal ["writing 1", "writing 2"], texts } }
      Note.cache { 2.times { texts(Note.order(:id).skip_query_cache!) } }
      Note.cache { 2.times { Note.uncached { texts } } }
    end
    assert_equal [nil, true, nil, nil, nil, nil], cached.map { |hit| hit || nil }
  end

  def test_rows_that_are_cached_are_not_changed
    serializer = Class.new(Katsu::Serializer) { attribute(:text, needs: :text) { |note| note.text << "!" } }
    Note.cache do
      assert_equal "writing 1!", serializer.many(Note.order(:id)).to_a[0]["text"]
      assert_equal "writing 1", texts[0]
      assert_equal "writing 1", Note.order(:id).first.text
    end
  end

  def test_roles
    document = NoteSerializer.many(Note.order(:id), only: [:text])
    assert_equal "writing 1", document.to_a[0]["text"]
    Stored.connected_to(role: :reading) { assert_equal "reading 1", document.to_a[0]["text"] }
    assert_equal "writing 1", document.to_a[0]["text"]
  end

  def test_transactions
    Note.transaction do
      Note.create!(text: "not committed")
      assert_equal "not committed", texts.last
      assert_raises(RuntimeError) { texts(context: -> { raise "in a field" }) }
      assert_equal "not committed", texts.last
      raise ActiveRecord::Rollback
    end
    assert_equal "writing 2", texts.last
  end

  def test_errors_of_the_database_are_active_records_own
    assert_raises(ActiveRecord::StatementInvalid) { texts(Note.where("nothing = 1")) }
    error = assert_raises(ActiveRecord::StatementInvalid) { texts(Note.where("nothing = 1")) }
    assert_includes error.sql, "nothing = 1"
    assert_equal 2, texts.size
  end

  def test_a_connection_that_was_lost_is_made_again
    assert_equal 2, texts.size
    Note.connection.disconnect!
    assert_equal ["writing 1", "writing 2"], texts
    Note.connection_pool.disconnect!
    assert_equal ["writing 1", "writing 2"], texts
  end

  def test_interrupted_documents_leave_the_connection_as_it_was
    assert_equal 2, texts.size
    connections = Note.connection_pool.connections.size
    (GC_MODE == "normal" ? 200 : 3).times do |i|
      assert_raises(IOError) { NoteSerializer.many(Note.order(:id)).write_to(Failing.new(IOError)) }
      assert_raises(IOError) { NoteSerializer.many(Note.all).write_to(Failing.new(IOError), format: :ndjson) }
      assert_raises(Timeout::Error) { texts(context: -> { raise Timeout::Error, "now" }) }
      assert_equal(:out, catch(:out) { texts(context: -> { throw :out, :out }) })
      NoteSerializer.many(Note.all).each { break } if i.even?
    end
    assert_equal connections, Note.connection_pool.connections.size
    assert_equal 2, texts.size
  end

  def test_killed_threads_leave_the_pool_as_it_was
    20.times do |i|
      thread = Thread.new { loop { texts(context: i.odd? ? -> { sleep 0.001 } : nil) } }
      sleep(rand * 0.005)
      thread.kill.join
    end
    Note.connection_pool.reap
    assert_operator Note.connection_pool.connections.size, :<=, Note.connection_pool.size
    assert_equal 2, texts.size
    slow = -> { sleep 5 }
    assert_raises(Timeout::Error) { Timeout.timeout(0.02) { texts(context: slow) } }
    assert_equal 2, texts.size
  end

  def test_relations_that_are_loaded_in_the_background
    relation = Note.order(:id).load_async
    assert_equal ["writing 1", "writing 2"], texts(relation)
    assert_equal ["writing 1", "writing 2"], texts(relation)
  end

  def test_several_threads
    found = Array.new(4) { Thread.new { Array.new(20) { texts } } }.flat_map(&:value).uniq
    assert_equal [["writing 1", "writing 2"]], found
  end
end
