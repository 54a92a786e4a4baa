# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "active_support/cache"
require "active_support/notifications"
require "katsu/instrumentation"
require "stringio"
require "tmpdir"

# cache: the JSON of records in a store, under keys of all that it depends on.
class CachingTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:cached_people) do |t|
      t.string :name
      t.timestamps precision: 6
    end

    create_table(:cached_notes) do |t|
      t.string :title
      t.text :body
      t.references :person
      t.datetime :seen_at, precision: 6
      t.timestamps precision: 6
    end

    create_table(:cached_replies) do |t|
      t.string :body
      t.references :note
      t.references :reply
      t.timestamps precision: 6
    end

    create_table(:cached_stamps) { |t| t.references :note }
    create_table(:cached_texts) { |t| t.string :key, :text }
  end

  class Person < ActiveRecord::Base
    self.table_name = "cached_people"
  end

  class Note < ActiveRecord::Base
    self.table_name = "cached_notes"
    belongs_to :person, optional: true
    has_many :replies, -> { order(:id) }
    has_many :stamps
    attribute :stars, :integer
    attr_accessor :liked
    def shout = "#{title}!"
  end

  class Reply < ActiveRecord::Base
    self.table_name = "cached_replies"
    belongs_to :note, optional: true
    has_many :replies, -> { order(:id) }
  end

  class Stamp < ActiveRecord::Base
    self.table_name = "cached_stamps"
  end

  # A store that counts, forgets and fails as it is told.
  class CountingStore
    attr_reader :texts, :reads, :writes, :options

    def initialize
      @texts = {}
      @reads = []
      @writes = []
    end

    def read_multi(*keys)
      @reads << keys
      @texts.slice(*keys)
    end

    def write_multi(texts, **options)
      @writes << texts.keys
      @options = options
      @texts.update(texts)
    end
  end

  class BrokenStore
    attr_reader :calls

    def initialize(on_write: false)
      @calls = 0
      @on_write = on_write
    end

    def read_multi(*)
      @calls += 1
      @on_write ? {} : raise(IOError, "the store is away")
    end

    def write_multi(*)
      @calls += 1
      raise IOError, "the store is away"
    end
  end

  # In the database, as Solid Cache is.
  class StoredText < ActiveRecord::Base
    self.table_name = "cached_texts"

    class << self
      def read_multi(*keys) = where(key: keys).pluck(:key, :text).to_h
      def write_multi(texts, **) = insert_all!(texts.map { |key, text| {key: key, text: text} })
    end
  end

  class PersonSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class ReplySerializer < Katsu::Serializer
    attributes :id, :body
  end

  class NoteSerializer < Katsu::Serializer
    cache
    attributes :id, :title, :created_at, :words
    transform_keys :none

    view(:long) { attributes :body }

    class << self
      attr_accessor :written
    end
    self.written = 0

    def words
      NoteSerializer.written += 1
      object.title.split.size
    end
  end

  class OtherSerializer < Katsu::Serializer
    cache
    attributes :id, :title, :created_at
  end

  class ThreadSerializer < Katsu::Serializer
    cache
    attributes :title
    has_one :person, serializer: PersonSerializer
    has_many :replies, serializer: ReplySerializer
  end

  class TouchedSerializer < Katsu::Serializer
    cache touch: [:replies]
    attributes :title
    has_many :replies, serializer: ReplySerializer
  end

  class AllTouchedSerializer < TouchedSerializer
    cache touch: true
  end

  class VariedSerializer < Katsu::Serializer
    cache expires_in: 60, vary: ->(context) { [context, scope] }
    attributes :id
    attribute(:viewer) { "#{scope&.name} #{context}" }
  end

  class RuledSerializer < Katsu::Serializer
    cache
    attributes :id
    attribute(:half, on_error: :null) { |note| Integer(note.title) / 2 }
  end

  def setup
    @store = CountingStore.new
    Katsu.configure { |config| config.cache_store = @store }
    @person = Person.create!(name: "Ada")
    @notes = Array.new(3) { |i| Note.create!(title: "a #{i}", body: "b", person: @person) }
    @replies = @notes.map { |note| Reply.create!(body: "r", note: note) }
    @log = StringIO.new
    @logger = ActiveRecord::Base.logger
    ActiveRecord::Base.logger = ActiveSupport::Logger.new(@log, level: :warn)
    Katsu::Caching.forget
    NoteSerializer.written = 0
  end

  def teardown
    Katsu.configure { |config| config.cache_store = nil }
    ActiveRecord::Base.logger = @logger
  end

  # Records are looked up in the store a thousand at a time; what is none is written when it comes.
  def test_a_stream_of_cached_objects
    plain = Class.new(Katsu::Serializer) { attributes :id, :title, :created_at }
    objects = [*@notes.cycle.first(1002), {id: 1, title: "x" * 70_000, created_at: nil}, nil, *@notes]
    expected = Katsu::ArraySerializer.new(objects, each_serializer: plain).to_json
    stream = Katsu::ArraySerializer.new(Katsu::Stream.new(objects), each_serializer: OtherSerializer)
    2.times do
      assert_equal expected, stream.to_json
      assert_equal expected, stream.write_to(StringIO.new).string
      lines = OtherSerializer.many(Katsu::Stream.new(objects)).write_to(StringIO.new, format: :ndjson).string.lines
      assert_equal JSON.parse(expected), lines.map { |line| JSON.parse(line) }
    end
    received = []
    io = StringIO.new
    each = Enumerator.new { |yielder| objects.last(5).each { |object| received << io.pos && yielder << object } }
    Katsu::ArraySerializer.new(Katsu::Stream.new(each), each_serializer: OtherSerializer).write_to(io)
    assert_equal [true, false, false, false, false], received.map(&:zero?)
  end

  def notes = Note.where(id: @notes.map(&:id)).order(:id)

  # The JSON of records, which is the same without a store. The first call of a test is watched: each takes a second
  # under garbage collection in every allocation.
  def json(serializer, source = notes, **options)
    write = -> { serializer.many(source, options).to_json }
    text = @watched ? write.call : watched(&write)
    @watched = true
    assert_equal uncached { serializer.many(source, options).to_json }, text
    text
  end

  # Switches the cache off.
  module Switch
    class << self
      attr_accessor :off
    end

    def usable?(*) = !Switch.off && super
  end
  Katsu::Caching.singleton_class.prepend(Switch)

  def uncached
    Switch.off = true
    yield
  ensure
    Switch.off = false
  end

  def reads
    before = @store.reads.size
    yield
    @store.reads.size - before
  end

  # How many keys the block adds.
  def added
    before = @store.texts.size
    yield
    @store.texts.size - before
  end

  def test_one_read_and_one_write_a_batch
    first = json(NoteSerializer)
    assert_equal [[3], [3]], [@store.reads.map(&:size), @store.writes.map(&:size)]
    NoteSerializer.written = 0
    assert_equal first, NoteSerializer.many(notes).to_json
    assert_equal first, Katsu::ArraySerializer.new(notes, each_serializer: NoteSerializer).to_json
    assert_equal JSON.generate(JSON.parse(first)[1]), NoteSerializer.new.serialize_to_json(@notes[1].reload)
    assert_equal 0, NoteSerializer.written
    assert_equal [4, 1], [@store.reads.size, @store.writes.size]
  end

  def test_only_what_is_missing_is_written
    json(NoteSerializer)
    @notes[1].update!(title: "changed now")
    NoteSerializer.written = 0
    assert_equal "changed now", JSON.parse(NoteSerializer.many(notes).to_json)[1]["title"]
    assert_equal [1, 1], [NoteSerializer.written, @store.writes.last.size]
  end

  module Reads
    class << self
      attr_accessor :count
    end
    def fetch_value(*) = (Reads.count += 1) && super
    def [](*) = (Reads.count += 1) && super
  end
  ActiveModel::LazyAttributeSet.prepend(Reads)
  Reads.count = 0

  def test_hits_read_no_attribute
    records = notes.to_a * (normal_run? ? 334 : 10)
    text = NoteSerializer.many(records).to_json
    fresh = notes.to_a * (normal_run? ? 334 : 10)
    Reads.count = NoteSerializer.written = 0
    assert_equal text, watched { NoteSerializer.many(fresh).to_json }
    assert_equal [0, 0], [Reads.count, NoteSerializer.written]
    NoteSerializer.many(fresh).as_json
    assert_operator NoteSerializer.written, :>, 0
  end

  # Two that differ in anything but the records share no key.
  def test_serializers_views_filters_and_keys_never_share
    json(NoteSerializer)
    ways = [{view: :long}, {only: [:id]}, {except: [:id]}, {transform_keys: :lower_camel},
            {view: :long, transform_keys: :dash, only: [:body]}]
    ways.each { |options| assert_equal(3, added { 2.times { json(NoteSerializer, **options) } }, options) }
    assert_equal(3, added { json(OtherSerializer) })
    assert_equal(0, added { json(NoteSerializer) })
  end

  class PriceSerializer < Katsu::Serializer
    cache
    attributes :id
    {short: 1, long: 2}.each do |name, digits|
      view(name) do
        attribute(:number, needs: []) { digits }
        has_many(:replies) { attribute(:number, needs: []) { digits } }
      end
    end
  end

  # They are told from each other by nothing but their names.
  def test_views_of_the_same_keys_never_share
    %i[short long].each do |view|
      expected = JSON.generate(PriceSerializer.many(@notes, view: view).to_a)
      2.times { assert_equal expected, json(PriceSerializer, view: view) }
    end
    versions = %i[short long].map { |view| PriceSerializer.many(Note.all, view: view).cache_key_with_version }
    assert_equal 2, versions.uniq.size
  end

  def test_zones_locales_and_settings_never_share
    precision = ActiveSupport::JSON::Encoding.time_precision
    I18n.enforce_available_locales = false
    json(NoteSerializer)
    assert_equal(3, added { Time.use_zone("Asia/Kathmandu") { 2.times { json(NoteSerializer) } } })
    assert_equal(3, added { I18n.with_locale(:de) { json(NoteSerializer) } })
    ActiveSupport::JSON::Encoding.time_precision = 0
    assert_equal(3, added { json(NoteSerializer) })
  ensure
    ActiveSupport::JSON::Encoding.time_precision = precision
    I18n.enforce_available_locales = true
  end

  def test_vary
    other = Person.create!(name: "Bo")
    viewers = [{}, {context: 1}, {context: "1"}, {scope: @person}, {scope: other}, {context: {role: :a}, scope: other}]
    viewers.each { |viewer| assert_equal(3, added { 2.times { json(VariedSerializer, **viewer) } }, viewer) }
    other.update!(name: "Cy")
    assert_equal(3, added { json(VariedSerializer, scope: other) })
    assert_equal({expires_in: 60}, @store.options)
    error = assert_raises(Katsu::Error) { VariedSerializer.many(notes, context: Object.new).to_json }
    assert_match(/vary: gave a Array; accepted are nil, true/, error.message)
  end

  # Its inspect shows nothing, as that of a secret.
  class Token < String
    def inspect = "[FILTERED]"
  end

  class Amount < Numeric
    def inspect = "an amount"
  end

  def test_vary_by_texts_that_hide_what_they_are
    texts = %w[a b].map { |text| json(VariedSerializer, context: Token.new(text)) }
    assert_equal 2, texts.uniq.size
    assert_equal(0, added { json(VariedSerializer, context: Token.new("a")) })
    versions = %w[a b].map { |text| OtherSerializer.many(notes, context: Token.new(text)).cache_key_with_version }
    assert_equal 2, versions.uniq.size
    assert_raises(Katsu::Error) { VariedSerializer.many(notes, context: Amount.new).to_json }
    [1, 1.0, 1r, 1i, BigDecimal(1)].each { |one| assert_equal(3, added { json(VariedSerializer, context: one) }) }
  end

  # Without vary: nobody's scope or context stands in the key.
  def test_a_scope_without_vary_is_not_cached
    assert_equal(0, added { 2.times { json(NoteSerializer, scope: @person) } })
    assert_equal(0, added { NoteSerializer.new(context: 1).serialize_to_json(@notes[0]) })
    assert_equal 1, @log.string.lines.size
    assert_includes @log.string, "NoteSerializer: its records are written without the cache, as a scope is given"
    unvaried = Class.new(NoteSerializer) { cache vary: nil }
    self.class.const_set(:UnvariedSerializer, unvaried) unless self.class.const_defined?(:UnvariedSerializer)
    assert_equal(3, added { 2.times { json(UnvariedSerializer, scope: @person) } })
  end

  # Its nil? may be true.
  def test_a_null_object_without_vary_is_not_cached
    guest = Struct.new(:name) { def nil? = true }.new("guest")
    serializer = Class.new(NoteSerializer) { attribute(:viewer) { (scope || context)&.name } }
    self.class.const_set(:ViewedSerializer, serializer)
    %i[scope context].each do |option|
      assert_equal(0, added { json(ViewedSerializer, option => guest) })
      viewers = [{option => guest}, {}].map do |options|
        JSON.parse(json(ViewedSerializer, **options)).map { |note| note["viewer"] }.uniq
      end
      assert_equal [["guest"], [nil]], viewers
    end
  end

  def test_a_changed_association_is_never_stale
    before = json(ThreadSerializer)
    assert_equal(0, added { json(ThreadSerializer) })
    @replies[0].update!(body: "changed")
    assert_equal(1, added { json(ThreadSerializer) })
    Reply.create!(body: "more", note: @notes[1])
    assert_equal(1, added { json(ThreadSerializer) })
    @replies[2].destroy!
    assert_equal(1, added { json(ThreadSerializer) })
    @person.update!(name: "Ada L.")
    assert_equal(3, added { json(ThreadSerializer) })
    refute_equal before, json(ThreadSerializer)
    assert_equal(3, queries { ThreadSerializer.many(notes).to_json }.size)
  end

  def test_touch_leaves_the_association_out
    [TouchedSerializer, AllTouchedSerializer].each do |serializer|
      json(serializer)
      assert_equal(1, queries { serializer.new.serialize_to_json(Note.find(@notes[0].id)) }.size)
      @replies[0].update!(body: "not seen by #{serializer}")
      refute_includes serializer.many(notes).to_json, "not seen by #{serializer}"
      @notes[0].touch
      assert_includes serializer.many(notes).to_json, "not seen by #{serializer}"
    end
  end

  # The version of a record says nothing of them.
  def test_touch_and_objects_that_are_not_saved
    [TouchedSerializer, AllTouchedSerializer].each do |serializer|
      written = -> { serializer.new.serialize_to_json(Note.find(@notes[0].id)) }
      expected = written.call
      built = Note.find(@notes[0].id).tap { |note| note.replies.build(body: "built") }
      changed = Note.find(@notes[0].id).tap { |note| note.replies.load.first.body = "changed" }
      below = Note.find(@notes[0].id).tap { |note| note.replies.load.first.replies.build(body: "below") }
      [built, changed, below].each do |note|
        assert_equal(0, added { serializer.new.serialize_to_json(note) })
        assert_equal(0, added { serializer.many([note]).to_json })
      end
      assert_equal expected, written.call
    end
  end

  class Listed < Person
    def to_a = [id, name]
  end

  class ListedNote < Note
    belongs_to :person, class_name: "CachingTest::Listed", optional: true
  end

  class ListedSerializer < Katsu::Serializer
    cache touch: [:person]
    attributes :title
    has_one(:person) { attributes :name }
  end

  def test_touch_and_records_that_have_a_to_a
    note = ListedNote.includes(:person).find(@notes[0].id)
    assert_equal(1, added { ListedSerializer.many([note]).to_json })
    note.person.name = "changed"
    assert_equal(0, added { assert_includes ListedSerializer.many([note]).to_json, "changed" })
  end

  class CodeSerializer < Katsu::Serializer
    cache touch: [:replies]
    attribute(:bodies) { |note| note.replies.map(&:body) }
  end

  class RecentReplySerializer < Katsu::Serializer
    attributes :body
  end

  class RecentSerializer < Katsu::Serializer
    cache touch: [:recent]
    has_many(:recent, serializer: RecentReplySerializer) { |note| note.replies.last(1) }
  end

  class NeededSerializer < Katsu::Serializer
    cache touch: true
    attribute(:first, needs: [:replies]) { |note| note.replies.first&.body }
    attribute(:below, needs: {replies: [:replies]}) do |note|
      note.replies.flat_map { |reply| reply.replies.map(&:body) }
    end
  end

  # Where Ruby code reads the association; and where it is read twice.
  def test_touch_and_code_that_reads_what_is_not_saved
    [CodeSerializer, RecentSerializer, NeededSerializer].each do |serializer|
      built = Note.find(@notes[0].id)
      above = serializer == NeededSerializer ? built.replies.load.first : built
      above.replies.build(body: "x")
      assert_equal(0, added { assert_includes serializer.many([built]).to_json, '"x"' })
      refute_includes serializer.many([Note.find(@notes[0].id)]).to_json, '"x"'
    end
  end

  class UnwrittenSerializer < Katsu::Serializer
    cache touch: [:replies]
    attributes :title
    has_many :replies, serializer: {"Nothing" => RecentReplySerializer}, if: ->(_) { false }
  end

  # Preloading reads the key of an association, which changes nothing.
  def test_touch_and_keys_that_are_read_or_changed
    serializer = TouchedSerializer
    loaded = -> { Note.includes(:replies).find(@notes[0].id) }
    serializer.new.serialize_to_json(loaded.call)
    assert_empty left_to_ruby(loaded.call, &:note_id) if defined?(Katsu::Native)
    {->(reply) { reply.note_id = 0 } => 0, ->(reply) { reply.note_id = nil } => 0,
     ->(reply) { reply.note_id = "-7" } => 0, ->(reply) { reply.note_id = reply.note_id.to_s } => 1,
     ->(reply) { reply.note_id = 0 and reply.restore_attributes } => 1}.each do |change, found|
      note = loaded.call.tap { |one| change.call(one.replies.first) }
      assert_equal(0, added { serializer.new.serialize_to_json(note) })
      assert_equal(found, reads { serializer.new.serialize_to_json(note) })
      assert_equal([note.replies.first], left_to_ruby(loaded.call, &change)) if defined?(Katsu::Native)
    end
  end

  # The replies of a note that may have changed, for all that the native backend knows, once the first was yielded.
  def left_to_ruby(note)
    yield note.replies.first
    texts = Katsu::Caching::RecordVersion.new(Reply).parts.last
    watched { Katsu::Native.changed_records(note.replies.to_a, Reply, texts) }
  end

  # There is no serializer for what is loaded.
  def test_touch_and_objects_that_are_not_written
    note = Note.find(@notes[0].id).tap { |one| one.replies.load }
    assert_equal [{"title" => note.title}], JSON.parse(UnwrittenSerializer.many([note]).to_json)
  end

  def test_touch_and_a_part_of_an_association
    relation = Note.includes(:replies).where(cached_replies: {body: @replies[0].body})
    written = -> { TouchedSerializer.new.serialize_to_json(Note.find(@notes[0].id)) }
    assert_equal(0, added do
      [TouchedSerializer.many(relation), TouchedSerializer.one(relation), TouchedSerializer.many(relation.load),
       Katsu::ArraySerializer.new(relation, each_serializer: TouchedSerializer),
       Katsu::ArraySerializer.new(Katsu::Stream.new(relation), each_serializer: TouchedSerializer)].each(&:to_json)
    end)
    assert_equal(1, added { written.call })
    assert_equal(0, added { RecentSerializer.many(relation).to_json }, "its code may read any association")
    others = Note.eager_load(:person).where(id: @notes[1].id)
    assert_equal(1, added { TouchedSerializer.many(others).to_json })
  end

  class ErringSerializer < Katsu::Serializer
    attribute(:title, on_error: :null) { |note| note[:title] == "down" ? raise("down") : note[:title] }
  end

  class ElsewhereSerializer < Katsu::Serializer
    cache
    attribute(:fiber) { |note| Enumerator.new { |list| list << ErringSerializer.render_as_hash(note) }.next }
    attribute(:thread) { |note| Thread.new { ErringSerializer.render_as_hash(note) }.value }
  end

  def test_errors_in_other_threads_and_fibers
    skip "Fibers inherit nothing before Ruby 3.2" unless Fiber.respond_to?(:[])
    @notes[0].update!(title: "down")
    assert_equal(@notes.size - 1, added { json(ElsewhereSerializer) })
  end

  # Records of which the version does not tell what they are now.
  def test_records_that_are_not_cached
    json(OtherSerializer)
    changed = notes.to_a.each { |note| note.title = "x" }
    in_place = notes.to_a.each { |note| note.title << "y" }
    forced = notes.to_a.each(&:title_will_change!)
    own = notes.to_a.each { |note| note.define_singleton_method(:title) { "own" } }
    partial = notes.select(:id, :title, :created_at).to_a
    fresh = [Note.new(title: "new"), Note.new(title: "newer")]
    deleted = [notes.last(1).each(&:destroy!), notes.last(1).each(&:delete)]
    [changed, in_place, forced, own, partial, fresh, *deleted].each do |records|
      assert_equal(0, reads_with_keys { json(OtherSerializer, records) })
    end
    assert_includes json(OtherSerializer, in_place), "y"
  end

  def reads_with_keys
    before = @store.reads.size
    yield
    @store.reads.drop(before).sum(&:size)
  end

  def test_relations_with_other_values_are_not_cached
    json(OtherSerializer)
    other = notes.select("id, 'other' AS title, created_at, updated_at")
    assert_includes json(OtherSerializer, other), "other"
    shadow = Note.from("(SELECT id, 'shadow' AS title, created_at, updated_at FROM cached_notes) AS cached_notes")
    assert_includes json(OtherSerializer, shadow), "shadow"
    assert_equal 1, @store.reads.size
    assert_equal(1, reads { json(OtherSerializer, notes.select(:id, :title, :created_at, :updated_at)) })
  end

  def test_what_is_no_record
    rows = [{id: 1, title: "a", created_at: nil}, nil]
    assert_equal '[{"id":1,"title":"a","created_at":null},null]', json(OtherSerializer, rows)
    assert_equal "null", OtherSerializer.new.serialize_to_json(nil)
    assert_empty @store.texts
    assert_raises(Katsu::NumberError) { OtherSerializer.new.serialize_to_json(notes.to_a) }
    assert_raises(Katsu::NumberError) { OtherSerializer.many(nil).to_json }
    [:to_json, [:write_to, StringIO.new]].each do |call|
      array = Katsu::ArraySerializer.new(1, each_serializer: OtherSerializer)
      assert_raises(Katsu::NumberError) { array.public_send(*call) }
    end
    assert_equal "[]", json(OtherSerializer, [])
  end

  def test_streams_and_lines
    text = json(NoteSerializer)
    NoteSerializer.written = 0
    assert_equal(1, reads { assert_equal text, NoteSerializer.many(notes).write_to(StringIO.new).string })
    assert_equal(1, reads { assert_equal text, NoteSerializer.many(notes.to_a.each).write_to(StringIO.new).string })
    lines = nil
    assert_equal(1, reads { lines = NoteSerializer.many(notes).write_to(StringIO.new, format: :ndjson).string })
    assert_equal JSON.parse(text), lines.lines.map { |line| JSON.parse(line) }
    io = StringIO.new
    Katsu::ArraySerializer.new(notes.to_a, each_serializer: NoteSerializer).write_to(io)
    assert_equal text, io.string
    assert_equal [text], NoteSerializer.many(notes).each.to_a
    chunks = NoteSerializer.many(notes.to_a * 600).each.to_a
    assert_operator chunks.size, :>, 1
    assert_equal 1800, JSON.parse(chunks.join).size
    assert_equal 0, NoteSerializer.written
  end

  def test_inside_other_documents
    text = json(NoteSerializer)
    NoteSerializer.written = 0
    document = Katsu::Response.create { |r| {notes: r.array_serializer(notes, NoteSerializer), one: 1} }
    assert_equal %({"notes":#{text},"one":1}), document.to_json
    assert_equal %({"notes":#{text}}), NoteSerializer.render(notes, root: :notes)
    assert_equal %({"a":#{text}}), Katsu.generate({a: NoteSerializer.many(notes)})
    assert_equal 0, NoteSerializer.written
  end

  # Hashes are built anew: what a store has is text.
  def test_hashes_are_not_cached
    json(NoteSerializer)
    assert_equal(0, reads { NoteSerializer.many(notes).to_a })
    assert_equal(0, reads { NoteSerializer.new.serialize(@notes[0]) })
  end

  def test_a_field_that_failed_is_not_kept
    @notes[1].update!(title: "8")
    assert_equal(1, added { assert_equal [nil, 4, nil], JSON.parse(json(RuledSerializer)).map { |one| one["half"] } })
    assert_equal(1, @store.writes.last.size)
    assert_equal(0, added { RuledSerializer.new.serialize_to_json(@notes[0]) })
  end

  def test_places_of_errors
    json(NoteSerializer, notes.limit(2))
    @notes[2].update_columns(title: nil)
    error = assert_raises(NoMethodError) { NoteSerializer.many(notes).to_json }
    assert_equal ["[2].words", @notes[2].id], [error.field_path, error.field_id]
    error = assert_raises(NoMethodError) { NoteSerializer.many(notes).write_to(StringIO.new) }
    assert_equal "[2].words", error.field_path
    error = assert_raises(NoMethodError) { NoteSerializer.new.serialize_to_json(@notes[2]) }
    assert_equal "words", error.field_path
    many = (notes.limit(2).to_a * 600) << notes.last # more than are read from the store at once
    [{}, {format: :ndjson}].each do |format|
      error = assert_raises(NoMethodError) { NoteSerializer.many(many).write_to(StringIO.new, **format) }
      assert_equal "[1200].words", error.field_path
    end
  end

  def test_a_store_that_fails
    text = json(NoteSerializer)
    [BrokenStore.new, BrokenStore.new(on_write: true)].each_with_index do |store, on_write|
      Katsu.configure { |config| config.cache_store = -> { store } }
      @log.truncate(0)
      assert_equal text, NoteSerializer.many(notes).to_json
      assert_equal 1, @log.string.scan("NoteSerializer: its records are written without the cache").size
      assert_includes @log.string, "IOError: the store is away"
      assert_equal 1 + on_write, store.calls
    end
    Katsu.configure { |config| config.cache_store = @store }
    [1, ""].each do |other|
      @store.texts.transform_values! { other }
      assert_equal text, NoteSerializer.many(notes).to_json
    end
  end

  def test_the_stores_of_active_support
    Katsu.configure { |config| config.cache_store = ActiveSupport::Cache::MemoryStore.new }
    text = json(ThreadSerializer)
    NoteSerializer.written = 0
    assert_equal text, ThreadSerializer.many(notes).to_json
    2.times { json(NoteSerializer) }
    one = NoteSerializer.new.serialize_to_json(@notes[0])
    one << "changed"
    assert_equal JSON.parse(NoteSerializer.many(notes).to_json)[0], JSON.parse(one.delete_suffix("changed"))
  end

  # Its queries are not those of a field.
  def test_a_store_in_the_database_and_lazy_loads
    Katsu.configure { |config| config.cache_store = StoredText }
    %i[log raise].each do |setting|
      StoredText.delete_all
      Katsu.configure { |config| config.on_lazy_load = setting }
      2.times { json(NoteSerializer) }
      assert_equal @notes.size, StoredText.count
    end
    assert_empty @log.string
  ensure
    Katsu.configure { |config| config.on_lazy_load = :allow }
  end

  def test_the_event_counts_hits
    payloads = []
    listener = ->(*, payload) { payloads << payload }
    ActiveSupport::Notifications.subscribed(listener, "render.katsu") do
      document = NoteSerializer.many(notes)
      2.times { Katsu::Instrumentation.render(NoteSerializer, document) { document.to_json } }
      Katsu::Instrumentation.render(PersonSerializer, []) { "[]" }
    end
    assert_equal([[0, 3], [3, 3], [nil, nil]], payloads.map { |payload| payload.values_at(:cache_hits, :cache_reads) })
  end

  class NestedSerializer < Katsu::Serializer
    cache
    attributes :id
    nested(:text) do
      attributes :title
      has_one :person, serializer: PersonSerializer
    end
  end

  class NeedsSerializer < Katsu::Serializer
    cache
    attributes :id
    attribute(:author, needs: {person: :name}) { |note| note.person&.name }
    has_many(:replies, serializer: ReplySerializer, needs: [:replies]) { |note| note.replies.first(1) }
  end

  class TreeSerializer < Katsu::Serializer
    cache
    attributes :id, :body
    has_many :replies, serializer: TreeSerializer, depth: 2
  end

  class SubjectSerializer < Katsu::Serializer
    cache
    attributes :id
    has_one :note, serializer: {"CachingTest::Note" => "CachingTest::TouchedSerializer"}
  end

  class ShoutSerializer < Katsu::Serializer
    cache
    attributes :shout, :id
  end

  class ShoutChildSerializer < ShoutSerializer
    attributes :title
  end

  class UncachedChildSerializer < ShoutSerializer
    cache false
  end

  def test_objects_in_objects
    assert_equal(3, added { 2.times { json(NestedSerializer) } })
    @person.update!(name: "Ada L.")
    assert_equal(3, added { 2.times { json(NestedSerializer) } })
  end

  def test_needs_stand_in_the_key
    assert_equal(3, added { 2.times { json(NeedsSerializer) } })
    @person.update!(name: "Ada L.")
    @replies[1].update!(body: "changed")
    assert_equal(3, added { 2.times { json(NeedsSerializer) } })
    @replies[1].update!(body: "changed again")
    assert_equal(1, added { 2.times { json(NeedsSerializer) } })
  end

  class SiblingsSerializer < Katsu::Serializer
    cache
    attribute(:siblings, needs: {note: {replies: :body}}) { |reply| reply.note.replies.map(&:body) }
  end

  # Replies to one note, each of which needs all of them.
  def test_versions_of_what_many_records_need_are_found_out_once
    19.times { |i| Reply.create!(body: "r#{i}", note: @notes[0]) }
    replies = -> { Reply.where(note: @notes[0]).order(:id) }
    looked_at = 0
    version = Katsu::Caching::RecordVersion
    counting = TracePoint.new(:call) { |call| looked_at += 1 if call.method_id == :of && version === call.self }
    assert_equal(20, added { counting.enable { json(SiblingsSerializer, replies.call) } })
    assert_operator looked_at, :<=, 2 * 21
    replies.call.last.update!(body: "changed")
    assert_equal(20, added { assert_includes json(SiblingsSerializer, replies.call), "changed" })
    built = replies.call.to_a.tap { |all| all.each { |reply| reply.note = @notes[0] } }
    @notes[0].replies.load.last.body = "not saved"
    assert_equal(0, added { assert_includes json(SiblingsSerializer, built), "not saved" })
  end

  def test_depth
    chain = 3.times.each_with_object([@replies[0]]) do |i, replies|
      replies << Reply.create!(body: i.to_s, reply_id: replies.last.id)
    end
    root = -> { Reply.where(id: chain[0].id) }
    assert_equal(1, added { 2.times { json(TreeSerializer, root.call) } })
    chain[3].update!(body: "too deep to be written")
    assert_equal(0, added { json(TreeSerializer, root.call) })
    chain[2].update!(body: "written")
    assert_equal(1, added { 2.times { json(TreeSerializer, root.call) } })
  end

  def test_polymorphic
    replies = -> { Reply.where(id: @replies.map(&:id)).order(:id) }
    assert_equal(3, added { 2.times { json(SubjectSerializer, replies.call) } })
    @notes[1].update!(title: "changed")
    assert_equal(1, added { 2.times { json(SubjectSerializer, replies.call) } })
  end

  def test_the_rule_is_inherited
    assert_equal(3, added { 2.times { json(ShoutSerializer) } })
    assert_equal(3, added { 2.times { json(ShoutChildSerializer) } })
    assert_equal(0, added { json(UncachedChildSerializer) })
  end

  # Keys of several shards differ.
  def test_shards
    records = notes.to_a
    json(ShoutSerializer, records)
    Note.define_singleton_method(:current_shard) { :north }
    assert_equal(3, added { json(ShoutSerializer, records) })
  ensure
    Note.singleton_class.send(:remove_method, :current_shard)
  end

  # What a model says of its versions is believed.
  class Owned < ActiveRecord::Base
    self.table_name = "cached_stamps"
    def cache_version = note_id.to_s
    self.cache_versioning = true
  end

  class OwnedSerializer < Katsu::Serializer
    cache
    attributes :id, :note_id
  end

  def test_versions_of_the_models_own
    owned = Owned.where(id: Owned.create!(note_id: 1).id)
    assert_equal(1, added { 2.times { json(OwnedSerializer, owned) } })
    owned.update_all(note_id: 2)
    assert_equal(1, added { 2.times { json(OwnedSerializer, owned.reload) } })
  end

  # An error of the cached plan of a class that the block declares.
  def refused(name, &body)
    serializer = Class.new(Katsu::Serializer) do
      define_singleton_method(:to_s) { name }
      define_singleton_method(:name) { name }
      cache
      class_eval(&body)
    end
    error = assert_raises(Katsu::Error) { serializer.many(@notes).to_json }
    error.message.sub(/\A#{name}(?:\.more)? is cached, or written by a cached serializer: /, "")
  end

  def test_what_cannot_be_cached
    assert_match(/\Athe objects of replies come from Ruby code.*by needs:, or write cache touch: \[:replies\]/m,
                 refused("A") { has_many(:replies, serializer: ReplySerializer) { |note| note.replies } })
    assert_match(/\ACachingTest::Stamp has no updated_at .*; write cache touch: with the name/,
                 refused("B") { has_many(:stamps) { attributes :id } }.sub(/.*: Caching/, "Caching"))
    assert_match(/\Astars is no column or method of CachingTest::Note/, refused("C") { attributes :stars })
    assert_match(/\Atitel is no column or method of CachingTest::Note/, # which is never read without a cache
                 refused("E") { attributes :titel, if: -> { false } })
    assert_match(/touch: names :replie, which is no association.*Did you mean replies\?/,
                 refused("D") do
                   cache touch: :replie
                   has_many :replies, serializer: ReplySerializer
                 end)
    misspelt = Class.new(NoteSerializer) { attributes :titel }
    self.class.const_set(:MisspeltSerializer, misspelt)
    error = assert_raises(Katsu::UnknownAttributeError) { misspelt.many(@notes).to_json }
    assert_match(/declares titel, but CachingTest::Note has no such column, method or key\. Did you mean title\?\z/,
                 error.message)
    Stamp.create!
    anonymous = Class.new(Katsu::Serializer) { cache && attributes(:id) }
    anonymous.attributes :id
    assert_match(/a serializer that is cached needs a name/,
                 assert_raises(Katsu::Error) { anonymous.many(@notes).to_json }.message)
    Katsu.configure { |config| config.cache_store = nil }
    assert_match(/is cached and there is no store; name one: cache store:/,
                 assert_raises(Katsu::Error) { NoteSerializer.many(@notes).to_json }.message)
    Katsu.configure { |config| config.cache_store = -> { 1 } }
    assert_match(/store: gave a Integer; accepted/,
                 assert_raises(Katsu::Error) { NoteSerializer.many(@notes).to_json }.message)
  end

  class LikedSerializer < Katsu::Serializer
    cache vary: -> { scope }
    attributes :liked
  end

  # What a controller sets, for one viewer.
  def test_variables_of_records
    skip "only CRuby shows what is an attr_reader" unless defined?(RubyVM::InstructionSequence)
    {"V" => proc { attributes :liked }, "W" => proc { nested(:more) { attributes :liked } },
     "X" => proc { attribute :liked, default: 0 }}.each do |name, body|
      assert_match(/\Aliked is a variable of each CachingTest::Note, an attr_reader.*; say by vary:/,
                   refused(name, &body))
    end
    liked = [true, false].map { |like| json(LikedSerializer, notes.each { |note| note.liked = like }, scope: like) }
    assert_equal [true, false], liked.map { |text| JSON.parse(text)[0]["liked"] }
  end

  def test_declarations_without_a_meaning
    {{expires: 1} => /unknown option: :expires; known are expires_in, vary, store, touch\. Did you mean expires_in\?/,
     {expires_in: -1} => /expires_in: -1; accepted are seconds/, {expires_in: "1"} => /accepted are seconds/,
     {expires_in: Object.new} => /accepted are seconds/, {expires_in: 0} => /accepted are seconds/,
     {vary: 1} => /vary: 1; accepted are a callable/, {store: 1} => /store: 1; accepted are an object with read_multi/,
     {vary: ->(_context, _scope) {}} => /takes \(_context, _scope\); it is given the context, or nothing/,
     {touch: 1} => /touch:: 1 is no name/}.each do |options, message|
      error = assert_raises(ArgumentError, options.inspect) { Class.new(Katsu::Serializer) { cache(**options) } }
      assert_match message, error.message
    end
    assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { cache false, expires_in: 1 } }
    assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { cache nil } }
    assert_raises(ArgumentError) { Katsu.configure { |config| config.cache_store = 1 } }
  end

  # The serializer's file, and that of one within it, or that may be within it.
  def test_a_changed_file_changes_the_key
    Dir.mktmpdir do |folder|
      file = File.join(folder, "inner.rb")
      written = lambda do |method|
        File.write(file, "Class.new(Katsu::Serializer) { attribute(:id); def id = #{method} }")
        eval(File.read(file), binding, file)
      end
      inner = written.call(1)
      outer = Class.new(Katsu::Serializer) { has_one :person, serializer: inner }
      chosen = Class.new(Katsu::Serializer) { has_one :person, serializer: {"Hash" => inner} }
      all = [inner, outer, chosen, Class.new(Katsu::Serializer) { has_one :note, serializer: {"Hash" => chosen} },
             Class.new(Katsu::Serializer) { has_one :note, serializer: {"Hash" => outer} }]
      viewed = Class.new(Katsu::Serializer) { view(:full) { has_one :person, serializer: inner } }
      all << Class.new(Katsu::Serializer) { has_one :note, serializer: {"Hash" => viewed}, view: :full }
      before = all.map { |serializer| Katsu::Plan::Digest.of(serializer.plan) }
      written.call(2)
      Katsu::Plan::Digest.forget
      assert_empty before & all.map { |serializer| Katsu::Plan::Digest.of(serializer.plan) }
    end
  end

  # Of a callable, what it makes of the keys is in the key; it is another object in each process.
  def test_transformed_keys_of_polymorphic_associations_are_in_the_key
    inner = Class.new(Katsu::Serializer) { attributes :first_name }
    outer = Class.new(Katsu::Serializer) { has_one :person, serializer: {"Hash" => inner} }
    digest = lambda do |kind|
      Katsu::Plan::Digest.of(outer.form(nil, kind).plan)
    end
    prefixed = %w[a a b].map { |prefix| digest.call(->(key) { "#{prefix}_#{key}" }) }
    assert_equal prefixed[0], prefixed[1]
    digests = [*prefixed.uniq, digest.call(nil), digest.call(:camel), digest.call(:dash)]
    assert_equal 5, digests.uniq.size
  end

  # Those that are configured, too.
  def test_configured_keys_of_polymorphic_associations_are_in_the_key
    inner = Class.new(Katsu::Serializer) { attributes :first_name }
    outer = Class.new(Katsu::Serializer) { has_one :person, serializer: {"Hash" => inner} }
    digests = [nil, :lower_camel, :dash, nil].map do |kind|
      Katsu.configure { |config| config.transform_keys = kind }
      Katsu::Plan::Digest.of(outer.plan)
    end
    assert_equal digests[0], digests[3]
    assert_equal 3, digests.uniq.size
  ensure
    Katsu.configure { |config| config.transform_keys = nil }
  end

  # A model that is loaded again may read a column in another way.
  def test_types_of_columns_are_in_the_key
    note = Note.create!(title: "1")
    keys = [ActiveModel::Type::String, ActiveModel::Type::Integer, ActiveModel::Type::String].map do |type|
      model = Class.new(ActiveRecord::Base) do
        self.table_name = "cached_notes"
        define_singleton_method(:name) { "CachingTest::Note" }
        attribute :title, type.new
      end
      Katsu::Caching::Keys.new(OtherSerializer.plan, OtherSerializer.cache_rule, nil, nil).of(model.find(note.id))
    end
    assert_equal keys[0], keys[2]
    refute_equal keys[0], keys[1]
  end

  # Of a relation whose columns may have other values the records are not kept, however it is handed over.
  def test_streams_of_relations_with_other_values
    plain = Note.where(id: @notes.map(&:id))
    relation = plain.select("id, created_at, updated_at, upper(title) AS title")
    loud = @notes.map { |note| note.title.upcase }
    titles = ->(json) { JSON.parse(json).map { |note| note["title"] } }
    3.times do
      [Katsu::ArraySerializer.new(Katsu::Stream.new(relation), each_serializer: OtherSerializer),
       Katsu::ArraySerializer.new(relation, each_serializer: OtherSerializer)].each do |list|
        assert_equal loud, titles.call(list.to_json)
        assert_equal loud, titles.call(list.write_to(StringIO.new).string)
      end
      lines = OtherSerializer.many(Katsu::Stream.new(relation)).write_to(StringIO.new, format: :ndjson).string.lines
      assert_equal loud, lines.map { |line| JSON.parse(line)["title"] }
      assert_equal @notes.map(&:title), titles.call(OtherSerializer.many(plain).to_json)
      assert_equal loud, titles.call(OtherSerializer.many(relation).to_json)
    end
  end

  # Which of many records a field failed in.
  def test_failures_here_and_there
    notes = Array.new(30) { |i| Note.create!(title: (i % 7).zero? || i > 27 ? "x" : i.to_s) }
    2.times do
      halves = JSON.parse(RuledSerializer.many(notes.map(&:reload)).to_json).map { |note| note["half"] }
      assert_equal notes.map { |note| Integer(note.title, exception: false)&.div(2) }, halves
    end
    assert_equal notes.count { |note| note.title != "x" }, @store.texts.size
  end

  # What may be written within itself, however deep, is looked at once.
  def test_polymorphic_associations_that_lead_back
    chain = Class.new(Katsu::Serializer) { attributes :id }
    chain.has_one :next, serializer: {"Hash" => chain}
    assert_match(/\A\h{32}\z/, Katsu::Plan::Digest.of(chain.plan))
  end

  # Which serializers there are, and for which classes, what is written of them, and in which view.
  def test_what_a_polymorphic_association_may_choose_is_in_the_key
    one, two = Array.new(2) { |i| Class.new(Katsu::Serializer) { define_singleton_method(:to_s) { "Serializer#{i}" } } }
    [one, two].each { |serializer| serializer.attributes(:id) && serializer.view(:short) { exclude :id } }
    given = [{serializer: {"Hash" => one, "Array" => two}}, {serializer: {"Hash" => two, "Array" => one}},
             {serializer: {"Hash" => one, "Struct" => two}}, {serializer: {"Hash" => one, "Array" => two}, only: [:id]},
             {serializer: {"Hash" => one, "Array" => two}, view: :short}]
    digests = given.map do |options|
      Katsu::Plan::Digest.of(Class.new(Katsu::Serializer) { has_one(:any, **options) && def self.to_s = "Same" }.plan)
    end
    assert_equal digests, digests.uniq
  end

  # A type that has no more than ActiveRecord asks of it.
  class PlainType
    def type = nil
    def cast(value) = value
    def deserialize(value) = value
    def serialize(value) = value
    def changed_in_place?(*) = false
  end

  class PlainNote < Note
    attribute :title, PlainType.new
  end

  def test_types_that_tell_no_size
    digests = [PlainNote, Note].map { |model| Katsu::Plan::ModelDigest.of(OtherSerializer.plan, model) }
    assert_match(/\A\h{32}\z/, digests.first)
    refute_equal(*digests)
  end

  # A model, or a file of serializers, whose loading writes what is cached and asks for digests.
  class LoadingNote < Note
    class << self
      attr_accessor :loading

      def attribute_types
        hook = loading
        self.loading = nil
        hook&.call
        super
      ensure
        self.loading = hook
      end
    end
  end

  module Late
    def self.const_missing(name)
      return super unless name == :LateSerializer

      Katsu::Plan::Digest.of(PersonSerializer.plan)
      const_set(name, Class.new(PersonSerializer))
    end

    class MiddleSerializer < Katsu::Serializer
      has_one :person, serializer: "LateSerializer"
    end

    class OuterSerializer < Katsu::Serializer
      has_one :note, serializer: {"Hash" => MiddleSerializer}
    end
  end

  class LoadedPersonSerializer < PersonSerializer
    cache
  end

  def test_what_is_loaded_when_a_key_is_made_may_write_what_is_cached
    person = Person.create!(name: "P")
    note = LoadingNote.find(Note.create!(title: "1").id)
    written = []
    LoadingNote.loading = -> {
      written << LoadedPersonSerializer.new.serialize_to_json(person)
      Katsu::Plan::ModelDigest.of(LoadedPersonSerializer.plan, Person)
    }
    assert_equal note.id, JSON.parse(OtherSerializer.new.serialize_to_json(note))["id"]
    assert_match(/\A\h{32}\z/, Katsu::Plan::ModelDigest.of(OtherSerializer.plan, LoadingNote))
    assert_equal [%({"id":#{person.id},"name":"P"})], written.uniq
    refute Late.const_defined?(:LateSerializer, false)
    assert_match(/\A\h{32}\z/, Katsu::Plan::Digest.of(Late::OuterSerializer.plan))
    assert Late.const_defined?(:LateSerializer, false)
  ensure
    LoadingNote.loading = nil
  end

  # Which of two callables a condition is may be chosen when the class is loaded; their file is the same.
  def test_the_place_of_a_condition_is_in_the_key
    one = -> { true }
    two = -> { false }
    digests = [one, two, one].map do |condition|
      serializer = Class.new(Katsu::Serializer) { attribute :title, if: condition }
      serializer.define_singleton_method(:to_s) { "Same" }
      Katsu::Plan::Digest.of(serializer.plan)
    end
    assert_equal [true, false], [digests[0] == digests[2], digests[0] == digests[1]]
  end

  # Their files are those of Ruby's libraries.
  def test_methods_of_all_objects_are_in_no_key
    before = Katsu::Plan::Digest.of(OtherSerializer.plan)
    Dir.mktmpdir do |folder|
      file = File.join(folder, "all.rb")
      File.write(file, "def of_all_objects = 1\nprivate def hidden_in_all_objects = 1")
      Object.class_eval(File.read(file), file)
      Katsu::Plan::Digest.forget
      assert_equal before, Katsu::Plan::Digest.of(OtherSerializer.plan)
    end
  ensure
    %i[of_all_objects hidden_in_all_objects].each { |name| Object.send(:remove_method, name) }
  end

  def test_vary_by_a_method
    serializer = Class.new(Katsu::Serializer) do
      define_singleton_method(:name) { "ByMethodSerializer" }
      cache vary: :role
      attributes :id
      def role = scope.name
    end
    assert_equal(3, added { 2.times { json(serializer, scope: @person) } })
    assert_equal(3, added { json(serializer, scope: Person.new(name: "Bo")) })
  end

  # Once a call, as filters_for: no field makes it.
  def test_queries_of_vary_are_no_lazy_loads
    serializer = Class.new(Katsu::Serializer) do
      define_singleton_method(:name) { "CountingSerializer" }
      cache vary: -> { [scope, Note.count] }
      attributes :id
      attribute(:all) { scope == :all ? Note.count : 1 }
    end
    Katsu.configure { |config| config.on_lazy_load = :raise }
    assert_equal(3, added { 2.times { serializer.many(notes).to_json } })
    assert_equal @notes.first.id, serializer.one(@notes.first).to_h["id"]
    error = assert_raises(Katsu::LazyLoadError) { serializer.many(notes, scope: :all).to_json }
    assert_includes error.message, "a query in all while it was written"
  ensure
    Katsu.configure { |config| config.on_lazy_load = :allow }
  end

  def test_explain_says_why_records_are_made
    explained = NoteSerializer.many(notes).explain.to_h
    assert_equal :records, explained[:way]
    assert_includes explained[:reasons].map { |reason| reason[:why] },
                    "#{NoteSerializer} is cached, by the versions of records"
    assert_equal :rows, OtherSerializer.many(notes, scope: 1).explain.to_h[:way]
  end
end
