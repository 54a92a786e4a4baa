# frozen_string_literal: true

require "support/queries"
require "support/stored_notes"

# Documents of rows behave to the database as ActiveRecord's own loading does. The class that includes this extends
# StoredNotes and gives
#   slow(relation)   the relation, with a condition that takes longer than limited allows
#   limited { }      runs the block with a limit on the time of Note's queries
module QueryBehaviour
  include Queries

  NoteSerializer = StoredNotes::NoteSerializer

  # Note.cache caches nothing before the first connection, and no test is to ask for the columns and the keys.
  def setup
    super
    [note, self.class::Tag].each(&:first)
  end

  def note = self.class::Note
  def notes = note.order(:id)

  def texts(relation = notes, **options)
    NoteSerializer.many(relation, **options).to_a.map { |found| found["text"] }
  end

  # The records' way, with the columns and associations that NoteSerializer reads.
  def records(relation)
    loaded = relation.select(:id, :text).preload(:tags).to_a
    Katsu::ArraySerializer.new(loaded, each_serializer: NoteSerializer).to_json
  end

  # What ActiveRecord says of the block's queries.
  def payloads
    found = []
    listener = ->(*, payload) { found << readable(payload) unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(listener, "sql.active_record") { yield }
    found
  end

  # A payload whose parts can be compared.
  def readable(payload)
    payload.to_h do |key, value|
      value = value.call if value.respond_to?(:call)
      value = value.map { |bind| [bind.name, bind.value_for_database] } if key == :binds
      [key, value]
    end
  end

  # Both ways give the same bytes and the same notifications.
  def assert_alike(relation)
    expected = written = nil
    theirs = payloads { expected = records(relation.spawn) }
    ours = payloads { written = watched { NoteSerializer.many(relation.spawn).to_json } }
    assert_equal expected, written
    assert_equal theirs, ours
    assert_operator ours.size, :>=, 1
    ours
  end

  # Both ways raise the same error for the same query.
  def assert_same_failure(relation, &around)
    around ||= ->(&query) { query.call }
    theirs, ours = [-> { records(relation.spawn) }, -> { NoteSerializer.many(relation.spawn).to_json }].map do |query|
      error = assert_raises(ActiveRecord::ActiveRecordError) { around.call(&query) }
      [error.class, error.cause.class, *([error.sql, error.message] if error.respond_to?(:sql))]
    end
    assert_equal theirs, ours
    ours[0]
  end

  # A String whose flags are not those of its bytes is wrong when it is joined to others.
  def test_flags_of_texts_in_hashes
    given = ["", "ascii", "gr\u00f6\u00dfer", "\u{1f600}" * 30, "x" * 100, "x#{"y" * 100}\u00e9"]
    found = nil
    note.transaction do
      given.each_with_index { |text, index| note.create!(id: 10 + index, text: text) }
      found = watched { texts(notes.where(id: 10..)) }
      raise ActiveRecord::Rollback
    end
    flags = ->(text) { [text, text.encoding, text.ascii_only?, text.valid_encoding?] }
    assert_equal given.map(&flags), found.map(&flags)
  end

  RELATIONS = {
    all: -> { itself },
    bound: -> { where(text: "writing 1") },
    limited: -> { where(id: 1..5).limit(2).offset(0) },
    listed: -> { where(id: [1, 2]) },
    joined: -> { joins(:tags).where(stored_tags: {name: "tag 1"}) },
    annotated: -> { annotate("from a test") },
    hinted: -> { optimizer_hints("MAX_EXECUTION_TIME(50000)") },
    read_only: -> { readonly },
    strict: -> { strict_loading },
    nothing: -> { where(text: "nobody") },
    written: -> { where("id > 0") }
  }.freeze

  RELATIONS.each do |name, part|
    define_method(:"test_notifications_of_a_relation_#{name}") { assert_alike(notes.instance_exec(&part)) }
  end

  # statement_name is the server's name of a prepared statement.
  def test_statements_are_prepared_as_the_connection_says
    {PreparedNote: true, UnpreparedNote: false}.each do |name, prepared|
      model = self.class.note_with(name, prepared_statements: prepared)
      2.times do
        payload = assert_alike(model.where(text: "writing 1").order(:id)).first
        named = prepared && payload[:connection].adapter_name == "PostgreSQL"
        assert_equal named, !payload[:statement_name].nil?
      end
    end
  end

  # Of which only the values are new: ActiveRecord writes the first two. Each finds rows: mysql2 0.5 crashes when a
  # prepared statement finds none after one that did.
  def assert_values_alike(model)
    values = [[1, "a", 2, 0], [1, "b", 1, 0], [0, "it's \\ é ?", 1, 1], [-1, "writing 9", 3, 0]]
    values.each_with_index do |(id, text, *page), index|
      relation = model.where(id: id..).where.not(text: text).where(more: nil).order(id: :desc)
      relation = relation.limit(page[0]).offset(page[1])
      theirs = payloads { relation.select(:id, :text).to_a }
      ours = payloads do
        refused(model, :compile, index > 1) { NoteSerializer.many(relation, only: %i[id text]).to_json }
      end
      assert_equal theirs, ours
      assert_equal 1, ours.size
    end
  end

  # Of which only the list of keys is new: ActiveRecord writes the first one.
  def assert_keys_alike(model)
    [:asc, :asc, :desc].each_with_index do |direction, index|
      relation = model.where("id > 0").order(id: direction)
      theirs = payloads { relation.select(:id).preload(:marks).to_a }
      ours = payloads do
        refused(model, :visit_Arel_Nodes_HomogeneousIn, index.positive?) do
          StoredNotes::MarkedSerializer.many(relation).to_json
        end
      end
      assert_equal theirs.last, ours.last
      assert_match(/note_id[`"]? IN \(.+, .+\)/, ours.last[:sql])
    end
  end

  # Runs the block, in which ActiveRecord does not write that if refused is true.
  def refused(model, method, refused)
    visitor = model.connection.visitor
    visitor.define_singleton_method(method) { |*| raise "it is written" } if refused
    yield
  ensure
    visitor.singleton_class.send(:remove_method, method) if refused
  end

  def test_notifications_of_queries_that_differ_in_values
    assert_values_alike self.class.note_with(:UnpreparedNote, prepared_statements: false)
  end

  def test_notifications_of_prepared_queries_that_differ_in_values
    skip "trilogy prepares no statements" if note.connection.adapter_name == "Trilogy"
    assert_values_alike self.class.note_with(:PreparedNote, prepared_statements: true)
  end

  def test_notifications_of_an_association_of_many_keys
    assert_keys_alike self.class.note_with(:UnpreparedNote, prepared_statements: false)
  end

  def test_notifications_of_an_association_of_many_prepared_keys
    skip "trilogy prepares no statements" if note.connection.adapter_name == "Trilogy"
    assert_keys_alike self.class.note_with(:PreparedNote, prepared_statements: true)
  end

  def test_queries_are_transformed
    transformer = ->(sql, _connection) { "#{sql} /* transformed */" }
    ActiveRecord.query_transformers << transformer
    assert(assert_alike(notes).all? { |payload| payload[:sql].end_with?("/* transformed */") })
  ensure
    ActiveRecord.query_transformers.delete(transformer)
  end

  def test_the_query_cache
    seen = nil
    theirs = note.cache { payloads { 2.times { records(notes) } } }
    ours = note.cache { payloads { seen = Array.new(2) { NoteSerializer.many(notes).to_json } } }
    assert_equal theirs, ours
    assert_equal([nil, nil, true, true], ours.map { |payload| payload[:cached] || nil })
    assert_equal [records(notes)], seen.uniq
  end

  def test_what_the_query_cache_does_not_keep
    [-> { texts(notes.skip_query_cache!) }, -> { note.uncached { texts } },
     -> { texts.tap { note.where(id: 0).delete_all } }].each do |query|
      found = note.cache { payloads { 2.times { query.call } } }
      assert_equal(0, found.count { |payload| payload[:cached] })
    end
  end

  def test_the_query_cache_serves_documents_with_what_records_loaded_and_not_the_other_way_round
    note.cache do
      expected = records(notes)
      found = payloads { assert_equal expected, NoteSerializer.many(notes).to_json }
      assert_equal([true, true], found.map { |payload| payload[:cached] })
    end
  end

  def test_rows_that_are_cached_are_not_changed
    serializer = Class.new(Katsu::Serializer) { attribute(:text, needs: :text) { |found| found.text << "!" } }
    note.cache do
      assert_equal "writing 1!", serializer.many(notes).to_a[0]["text"]
      assert_equal "writing 1", texts[0]
      assert_equal "writing 1", notes.first.text
    end
  end

  def test_roles_and_shards
    document = NoteSerializer.many(notes)
    StoredNotes::PLACES.cycle(2) do |place|
      self.class.at(place) do
        assert_equal "#{place} 1", document.to_a[0]["text"]
        assert_alike(notes)
      end
    end
    self.class::Stored.while_preventing_writes { assert_equal "writing 1", texts[0] }
  end

  def test_transactions
    note.transaction do
      note.create!(id: 3, text: "not committed")
      assert_equal "not committed", texts.last
      assert_alike(notes)
      assert_raises(RuntimeError) { texts(context: ->(_) { raise "in a field" }) }
      assert_equal "not committed", texts.last
      note.transaction(requires_new: true) do
        note.create!(id: 4, text: "nested")
        assert_equal "nested", texts.last
        raise ActiveRecord::Rollback
      end
      assert_equal "not committed", texts.last
      raise ActiveRecord::Rollback
    end
    assert_equal "writing 2", texts.last
  end

  def test_a_transaction_begins_with_its_first_query
    theirs = payloads { note.transaction { records(notes) } }.map { |payload| payload[:sql] }
    ours = payloads { note.transaction { NoteSerializer.many(notes).to_json } }.map { |payload| payload[:sql] }
    assert_equal theirs, ours
    assert_match(/begin/i, ours.first)
  end

  def test_lock
    found = nil
    sql = queries { note.transaction { found = texts(notes.lock) } }.first
    assert_equal queries { note.transaction { notes.lock.to_a } }.first, sql
    assert_equal ["writing 1", "writing 2"], found
  end

  def test_strict_loading
    lazy = Class.new(Katsu::Serializer) { attribute(:tags) { |found| found.tags.map(&:name) } }
    assert_raises(ActiveRecord::StrictLoadingViolationError) { lazy.many(notes.strict_loading).to_json }
    planned = Class.new(Katsu::Serializer) { attribute(:tags, needs: {tags: :name}) { |found| found.tags.map(&:name) } }
    assert_equal [{"tags" => ["tag 1"]}, {"tags" => ["tag 2"]}], planned.many(notes.strict_loading).to_a
  end

  def test_relations_that_are_loaded_in_the_background
    relation = notes.load_async
    2.times { assert_equal ["writing 1", "writing 2"], texts(relation) }
  end

  def test_errors_of_the_database_are_active_records_own
    assert_equal ActiveRecord::StatementInvalid, assert_same_failure(notes.where("nothing = 1"))
    assert_equal 2, texts.size
  end

  def test_numbers_that_no_column_holds
    [notes.where(id: 2**70), notes.where(id: [1, 2**70]), notes.where(note.arel_table[:id].gt(2**70)),
     notes.limit(2**70)].each do |relation|
      expected = outcome { records(relation.spawn) }
      assert_equal(expected, outcome { NoteSerializer.many(relation.spawn).to_json })
    end
  end

  def outcome
    yield
  rescue Katsu::UnknownAttributeError
    ActiveModel::MissingAttributeError
  rescue ActiveRecord::ActiveRecordError, ActiveModel::MissingAttributeError, RangeError => e
    e.class
  end

  def test_queries_that_take_too_long
    limited { assert_same_failure(slow(notes)) }
    assert_equal 2, texts.size
  end

  def test_connections_that_were_closed
    assert_equal 2, texts.size
    note.connection.disconnect!
    assert_equal 2, texts.size
    note.connection_pool.disconnect!
    assert_equal 2, texts.size
  end

  # A migration has run, and the application does not know it yet.
  def test_columns_that_came_and_went
    model = self.class.note_with(:ChangedNote)
    serializer = Class.new(Katsu::Serializer) { attributes :id, :text, :more }
    read = -> { serializer.many(model.where(id: 1).order(:id)).to_a }
    expected = [{"id" => 1, "text" => "writing 1", "more" => nil}]
    assert_equal expected, read.call
    change { |connection| connection.add_column(:stored_notes, :late, :integer) }
    assert_equal expected, read.call
    change { |connection| connection.remove_column(:stored_notes, :more) }
    assert_equal outcome { model.where(id: 1).order(:id).map(&:more) }, outcome { read.call.map { |row| row["more"] } }
  ensure
    change { |connection| connection.add_column(:stored_notes, :more, :string) }
    change { |connection| connection.remove_column(:stored_notes, :late) }
  end

  def change
    yield note.connection
  ensure
    note.connection.clear_cache!
  end

  def test_several_threads
    found = Array.new(4) { Thread.new { Array.new(10) { texts } } }.flat_map(&:value).uniq
    assert_equal [["writing 1", "writing 2"]], found
  end

  # With ActiveRecord 7.2 and later nobody keeps the connection for it.
  def test_threads_give_the_connection_back
    before = note.connection_pool.stat[:busy]
    counts = [-> { records(notes) }, -> { NoteSerializer.many(notes).to_json }].map do |query|
      Thread.new { query.call && note.connection_pool.stat[:busy] }.value
    end
    assert_equal counts[0], counts[1]
    note.connection_pool.reap
    assert_equal before, note.connection_pool.stat[:busy]
  end
end
