# frozen_string_literal: true

require "support/test_case"
require "support/database"

# The keys of cached records: many at once, one by one, and those that Rails' readers give are the same.
class CacheKeysTest < TestCase
  ActiveRecord::Schema.define do
    create_table(:keyed_texts, id: :string) do |t|
      t.string :name
      t.json :data
      t.timestamps
    end
    create_table(:keyed_integers) { |t| t.string(:name) && t.integer(:updated_at) }
    create_table(:keyed_floats) { |t| t.string(:name) && t.float(:updated_at) }
  end

  class Text < ActiveRecord::Base
    self.table_name = "keyed_texts"
  end

  # Seconds since 1970.
  class Numbered < ActiveRecord::Base
    self.abstract_class = true
    self.record_timestamps = false
  end

  class IntegerTime < Numbered
    self.table_name = "keyed_integers"
  end

  class FloatTime < Numbered
    self.table_name = "keyed_floats"
  end

  class Loud < ActiveRecord::Type::String
    def deserialize(value) = value&.upcase
    def changed_in_place?(raw, value) = deserialize(raw) != value
  end

  class LoudText < ActiveRecord::Base
    self.table_name = "keyed_texts"
    attribute :name, Loud.new
  end

  # A number in the database, and a text in Ruby.
  class Ordinal < ActiveRecord::Type::Integer
    def deserialize(value) = +"#{value}."
    def changed_in_place?(raw, value) = deserialize(raw) != value
  end

  class OrdinalAuthor < ActiveRecord::Base
    self.table_name = "authors"
    self.inheritance_column = nil
    attribute :mentor_id, Ordinal.new
  end

  class AuthorSerializer < Katsu::Serializer
    cache store: ActiveSupport::Cache::MemoryStore.new
    attributes :id, :name
  end

  class TextSerializer < Katsu::Serializer
    cache store: ActiveSupport::Cache::MemoryStore.new
    attributes :id, :name
  end

  def setup
    3.times { |i| Author.create!(name: "author #{i}") }
    Editor.create!(name: "editor")
    Text.delete_all
    Text.create!(id: "a", name: "x", data: {"b" => 1})
    Text.create!(id: "ü", name: "x")
    Text.create!(id: "l" * 600, name: "x")
    AuthorSerializer.many(Author.all).to_json # what is found out once
  end

  # Rails makes no version of them.
  def test_times_that_are_numbers
    {IntegerTime => 1_767_225_600, FloatTime => 1_767_225_600.25}.each do |model, at|
      model.insert_all([{name: "a", updated_at: at}, {name: "b", updated_at: 5}])
      2.times do
        assert_equal '[{"id":1,"name":"a"},{"id":2,"name":"b"}]', TextSerializer.many(model.order(:id)).to_json
      end
      keys = -> { keys_of(TextSerializer, model.order(:id).to_a) }
      before = keys.call
      assert_equal 2, before.compact.uniq.size
      model.find(2).update_columns(name: "c", updated_at: at)
      assert_equal [true, false], before.zip(keys.call).map { |one, other| one == other }
      assert_equal '[{"id":1,"name":"a"},{"id":2,"name":"c"}]', TextSerializer.many(model.order(:id)).to_json
    end
  end

  def keys(serializer)
    Katsu::Caching::Keys.new(serializer.plan, serializer.cache_rule, nil, nil)
  end

  # The keys, which are those that each object gets by itself.
  def keys_of(serializer, objects)
    keys = keys(serializer)
    one_by_one = objects.map { |object| keys.of(object) }
    at_once = watched { keys(serializer).all(objects) }
    assert_equal one_by_one, at_once
    assert_equal one_by_one.map { |key| key&.encoding }, at_once.map { |key| key&.encoding }
    at_once
  end

  SOURCES = {
    loaded: -> { Author.order(:id).to_a },
    joined: -> { Author.eager_load(:mentor).order("authors.id").to_a },
    without_updated_at: -> { Author.select(:id, :name, :type).order(:id).to_a },
    with_more: -> { Author.select("authors.*, 1 AS more").order(:id).to_a },
    with_another_name: -> { Author.select("id, type, updated_at, 'x' AS name").order(:id).to_a },
    created: -> { [Author.create!(name: "c")] },
    new: -> { [Author.new(name: "n")] },
    others: -> { [nil, 1, {}, *Author.order(:id), Text.first, nil] },
    texts: -> { Text.order(:id).to_a },
    none: -> { [] }
  }.freeze

  # What is done with a record, and whether it has a key afterwards.
  STATES = {
    untouched: ->(_) {},
    read: ->(record) { record.name },
    all_read: ->(record) { record.attributes },
    changed_in_place: ->(record) { record.name << "!" if record.has_attribute?(:name) && record.name },
    assigned: ->(record) { record.name = "other" if record.has_attribute?(:name) },
    assigned_the_same: ->(record) { record.name = record.name if record.has_attribute?(:name) },
    destroyed: ->(record) { record.destroy if record.persisted? && record.has_attribute?(:name) },
    with_a_method: ->(record) { record.define_singleton_method(:name) { "own" } },
    with_a_class: ->(record) { record.singleton_class },
    frozen: ->(record) { record.freeze }
  }.freeze

  SOURCES.each do |source, load|
    STATES.each do |state, change|
      define_method(:"test_#{source}_#{state}") do
        objects = load.call
        objects.grep(ActiveRecord::Base).each { |object| change.call(object) if object.respond_to?(:name) }
        serializer = source == :texts ? TextSerializer : AuthorSerializer
        found = keys_of(serializer, objects)
        assert_equal objects.size, found.size
        assert(found.all?) if %i[loaded joined].include?(source) && %i[untouched read all_read].include?(state)
        assert(found.none?) if source == :loaded && %i[assigned destroyed with_a_method].include?(state)
        assert(found.compact.none? { |key| key.start_with?("other") })
      end
    end
  end

  # A text that was read and changed in place is not what the database gave.
  def test_changes_in_place
    record = Author.first
    before = keys_of(AuthorSerializer, [record]).first
    record.name
    assert_equal before, keys_of(AuthorSerializer, [record]).first
    record.name << "!"
    assert_nil keys_of(AuthorSerializer, [record]).first
    number_behind = Author.first.tap { |author| author.name << "!" }.tap(&:id)
    assert_equal [nil], keys(AuthorSerializer).all([number_behind])
    others = Array.new(2) { Text.find("a") } # with a text that was read after it or before it, and is as it was
    others[0].tap { |other| other.name << "!" }.id
    others[1].tap(&:id).name << "!"
    assert_equal [nil, nil], keys(TextSerializer).all(others)
    Text.create!(id: "n", name: "x")
    other = Text.find("n").tap { |changed| changed.name.replace("n") } # which is what stands first in the row
    assert_equal [nil], keys(TextSerializer).all([other])
    text = Text.find("a")
    text.data["b"] = 2
    assert_nil keys_of(TextSerializer, [text]).first
  end

  # The record holds an object for the number that was read as it was in the row, and behind it that of the change.
  def test_a_change_behind_a_number_that_was_read_before_it_was_cast
    unchanged, changed = Array.new(2) { Author.order(:id).first.tap(&:id_before_type_cast) }
    changed.name = "other"
    found = keys(AuthorSerializer).all([unchanged, changed])
    assert_equal [false, true], found.map(&:nil?)
    assert_equal found, keys_of(AuthorSerializer, [unchanged, changed])
  end

  def test_changes_in_place_of_a_text_that_is_a_number_in_the_row
    Author.update_all(mentor_id: 7)
    changed, read = Array.new(2) { OrdinalAuthor.first.tap(&:mentor_id_before_type_cast) }
    assert_equal %w[7. 7.], [changed, read].map(&:mentor_id)
    changed.mentor_id << "!"
    at_once = keys(AuthorSerializer).all([changed, read])
    assert_equal [true, false], at_once.map(&:nil?)
    assert_equal at_once, keys_of(AuthorSerializer, [changed, read])
  end

  # A type that the query gave, and what it made of the text, which was then changed to that.
  def test_changes_in_place_of_a_column_with_a_type_of_its_own
    row = {"id" => 1, "type" => nil, "name" => "ann", "updated_at" => Time.utc(2026)}
    record = Author.instantiate(row, {"name" => Loud.new})
    other = Author.instantiate(row, {"id" => ActiveRecord::Type::Integer.new})
    assert_equal %w[ANN ann], [record, other].map(&:name)
    record.name.replace("ann")
    at_once = keys(AuthorSerializer).all([record, other]) # before each is asked by itself whether it has changed
    assert_equal [true, false], at_once.map(&:nil?)
    assert_equal at_once, keys_of(AuthorSerializer, [record, other])
  end

  # The same of a type that the model gave.
  def test_changes_in_place_of_a_column_with_a_type_of_the_models
    changed, read = Array.new(2) { LoudText.find("a") }
    assert_equal %w[X X], [changed, read].map(&:name)
    changed.name.replace("x")
    at_once = keys(TextSerializer).all([changed, read])
    assert_equal [true, false], at_once.map(&:nil?)
    assert_equal at_once, keys_of(TextSerializer, [changed, read])
  end

  def test_records_that_are_no_more_or_not_yet
    %i[@new_record @destroyed].each do |name|
      record = Author.first
      record.instance_variable_set(name, true)
      assert_nil keys_of(AuthorSerializer, [record]).first, name
    end
  end

  def test_keys_of_other_values
    at = Time.utc(2026, 1, 2, 3, 4, 5, 678_901)
    given = [2**70, BigDecimal("7.5"), 7.5, DateTime.new(2026, 1, 2)].map { |id| [id, at] }
    given += [at.to_datetime, at.to_date].map { |time| [1, time] }
    given.each do |id, time|
      keys_of(AuthorSerializer, [Author.instantiate({"id" => id, "type" => nil, "name" => "n", "updated_at" => time})])
    end
  end

  # Reading what the native backend and the fallback read makes no difference, and each record has a key of its own.
  def test_keys_differ
    found = keys_of(AuthorSerializer, Author.order(:id).to_a) + keys_of(TextSerializer, Text.order(:id).to_a)
    assert_equal found, found.uniq
    Author.first.touch(time: Time.now + 10)
    assert_equal 1, (keys_of(AuthorSerializer, Author.order(:id).to_a) - found).size
  end

  # Records further on are prefetched: of each kind, in turns, and with those that were read or changed among them.
  def test_many_of_all_kinds
    objects = SOURCES.values.flat_map(&:call).cycle.first(200) + SOURCES.fetch(:joined).call.cycle.first(100)
    objects += Array.new(70) { |i| Author.first.tap { |author| author.name << "!" if i.odd? } }
    objects.shuffle!(random: Random.new(1))
    assert_equal objects.size, keys_of(AuthorSerializer, objects).size
    authors = objects.grep(Author)
    assert_operator authors.size, :>, 200
    keys_of(AuthorSerializer, authors)
  end

  def test_keys_of_long_texts
    ids = [60, 300, 450, 600, 5000].map { |length| "k" * length }
    records = ids.map { |id| Text.create!(id: id) && Text.find(id) }
    keys_of(TextSerializer, records).zip(ids) { |key, id| assert_includes key, "/#{id}-" if key }
    assert_equal 5, JSON.parse(TextSerializer.many(records).to_json).size
  end

  def test_keys_of_models_with_long_names
    [100, 250, 300, 420, 440, 460, 480, 500, 5000].each do |length|
      model = Class.new(Text) do
        self.table_name = "keyed_texts"
        define_singleton_method(:name) { "L#{"m" * length}" }
      end
      ids = ["k", "k" * 60, "k" * 300]
      records = ids.map { |id| model.instantiate({"id" => id, "updated_at" => "2026-01-02 03:04:05"}) }
      assert_equal ids, keys_of(TextSerializer, records).map { |key| key[%r{m/([^/]*)-2026}, 1] }
    end
  end

  def test_keys_of_texts_in_other_encodings
    ids = ["ü".encode("ISO-8859-1"), "ü".b, "a".encode("US-ASCII"), "", "ü", "\xFF"]
    records = ids.map { |id| Text.instantiate({"id" => id, "updated_at" => "2026-01-02 03:04:05"}) }
    assert_equal ids.map(&:b), keys_of(TextSerializer, records).map { |key| key.b[%r{/([^/]*)-2026}, 1] }
  end

  def test_code_ranges_of_texts
    Author.create!(name: "ü")
    texts = AuthorSerializer.plan.texts(Author.order(:id).to_a, nil, nil)
    fresh = texts.map { |text| text.b.force_encoding("UTF-8") }
    assert_equal fresh.map { |text| [text.ascii_only?, text.valid_encoding?] },
                 texts.map { |text| [text.ascii_only?, text.valid_encoding?] }
    assert_equal [true, false], [texts.first.ascii_only?, texts.last.ascii_only?]
  end

  # A document of which some objects' JSON was found, in each pattern, and what it gives to the store.
  def test_documents_of_found_and_missing
    Author.create!(name: "ü")
    authors = [*Author.order(:id).first(2), nil, Author.order(:id).last]
    plan = AuthorSerializer.plan
    expected = plan.texts(authors, nil, nil)
    [0b0000, 0b0101, 0b1010, 0b1000, 0b0111, 0b1111].each do |pattern|
      texts = expected.each_with_index.map { |text, index| text if pattern[index] == 1 }
      document = watched { plan.generate_filling(authors, nil, nil, texts) }
      assert_equal "[#{expected.join(",")}]", document
      assert_equal [false, true, Encoding::UTF_8], [document.ascii_only?, document.valid_encoding?, document.encoding]
      assert_equal expected, texts
      assert_equal [true, true, true, false], texts.map(&:ascii_only?)
    end
    assert_equal "[]", plan.generate_filling([], nil, nil, [])
  end

  # What comes first decides as well as what comes last.
  def test_a_code_range_of_a_document_with_other_text_first
    Author.create!(name: "ü")
    authors = Author.order(:id).to_a.reverse
    document = AuthorSerializer.plan.generate_filling(authors, nil, nil, Array.new(authors.size))
    assert_equal [false, true], [document.ascii_only?, document.valid_encoding?]
  end

  # What lies in memory before the first value of a row, or behind the last one, is none of it.
  def test_rows_that_have_not_the_columns_of_a_key
    skip "short cuts are the native backend's" unless Katsu.backend == :native
    skip "rows of ActiveRecord 7 are Hashes" unless defined?(ActiveRecord::Result::IndexedRow)

    names = Array.new(100) { |index| "more_#{index}" }
    long = [7, 1, *names][1..]
    short = [1, "2026-01-02 03:04:05"].tap(&:pop)
    {["id", *names] => long, %w[id updated_at] => short}.each do |columns, values|
      record = Author.instantiate(ActiveRecord::Result.new(columns, [values]).indexed_rows.first)
      keys = Katsu::Native.record_keys([record], Author, "p", "s", %w[id updated_at], {})
      assert_equal [nil], keys, columns.size
    end
  end

  # Its text is "5" after that, which is not what the row has.
  def test_a_number_that_was_read_as_text
    skip "short cuts are the native backend's" unless Katsu.backend == :native

    records = [5, "5"].map do |name|
      Author.instantiate({"id" => 1, "name" => name, "updated_at" => "2026-01-02 03:04:05"}).tap(&:name)
    end
    texts = Author.column_names.grep("name").to_h { |name| [name, true] }
    first, second = Katsu::Native.record_keys(records, Author, "p", "s", %w[id updated_at], texts)
    assert_nil first
    assert_equal "p1-2026-01-02 03:04:05s", second
  end

  def test_a_record_without_attributes_has_no_key_here
    skip "short cuts are the native backend's" unless Katsu.backend == :native

    record = Author.allocate.init_with_attributes(ActiveModel::AttributeSet.new({}))
    assert_equal [nil], Katsu::Native.record_keys([record], Author, "p", "s", %w[id updated_at], {})
  end

  # Longer than the piece of the stack with which the output begins.
  def test_long_documents
    authors = Author.order(:id).to_a * 200
    texts = Array.new(authors.size)
    document = AuthorSerializer.plan.generate_filling(authors, nil, nil, texts)
    assert_equal "[#{texts.join(",")}]", document
    assert_equal JSON.generate(authors.map { |author| {id: author.id, name: author.name} }), document
  end

  class TimeSerializer < Katsu::Serializer
    cache store: ActiveSupport::Cache::MemoryStore.new
    attributes :created_at
  end

  class ZonedText < ActiveRecord::Base
    self.table_name = "keyed_texts"
    self.time_zone_aware_attributes = true
  end

  # A record that has read its times in another zone writes them as they are there.
  def test_times_that_were_read_in_another_zone
    Time.use_zone("UTC") do
      record = ZonedText.find("a")
      Time.use_zone("Asia/Tokyo") { record.created_at }
      saved = ZonedText.find("a")
      Time.use_zone("Asia/Tokyo") { saved.update!(name: "y") && saved.created_at }
      assert_equal [nil, nil], keys_of(TimeSerializer, [record, saved])
      same = ZonedText.find("a")
      same.created_at
      assert keys_of(TimeSerializer, [same]).first
      assert_match(/\+09:00/, TimeSerializer.new.serialize_to_json(record))
      assert_match(/Z"/, TimeSerializer.new.serialize_to_json(ZonedText.find("a")))
    end
  end
end
