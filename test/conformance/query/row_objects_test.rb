# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

# Row objects, which stand for records in fields with needs:, answer as those do or raise.
class RowObjectsTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:row_object_letters, id: false) { |t| t.string(:letter, primary_key: true) && t.string(:above_id) }
    create_table :row_object_notes do |t|
      t.string :type
      t.string :title
      t.integer :state
      t.integer :amount
      t.references :parent
    end
  end

  class Owner < ActiveRecord::Base
    self.table_name = "row_object_notes"
  end

  class Note < ActiveRecord::Base
    self.table_name = "row_object_notes"
    belongs_to :owner, class_name: "RowObjectsTest::Owner", foreign_key: :parent_id, optional: true
    enum :state, {draft: 0, live: 1}
    enum :amount, {none: 0, some: 1}, prefix: true
    alias_attribute :headline, :title
    belongs_to :parent, class_name: "RowObjectsTest::Note", optional: true
    has_many :parts, -> { order(:id) }, class_name: "RowObjectsTest::Note", foreign_key: :parent_id
  end

  class Memo < Note; end
  class Diary < Memo; end

  class Titled < Note
    self.inheritance_column = nil
    def to_s = title.to_s
    def to_param = "note-#{id}"
    def to_label = "note"
    def present? = false
  end

  def setup
    parent = Note.create!(title: "parent", state: :live, amount: :some)
    [Note, Memo, Diary].each_with_index do |model, index|
      model.create!(title: [nil, "", "0"][index], state: [nil, 0, 1][index], amount: index % 2, parent: parent)
    end
  end

  def teardown
    Note.delete_all
  end

  def serializer(needs, **options, &block)
    Class.new(Katsu::Serializer) { attribute(:value, needs: needs, **options, &block) }
  end

  def records(serializer, relation) = Katsu::ArraySerializer.new(relation.to_a, each_serializer: serializer).to_json

  # Watched are those of two tests: what is watched takes seconds.
  def watched_in_some(&block)
    %w[test_enums test_equal_rows].include?(name) && !@watched ? watched(&(@watched = block)) : yield
  end

  # The same for rows as for records.
  def assert_alike(needs, relation = Note.order(:id), &block)
    serializer = serializer(needs, &block)
    document = serializer.many(relation.spawn)
    assert_equal [:rows, []], document.explain.to_h.values_at(:way, :reasons)
    assert_equal records(serializer, relation.spawn), watched_in_some { document.to_json }
  end

  # What a record answers, a row refuses with the name.
  def assert_refused(name, needs, relation = Note.order(:id), &block)
    serializer = serializer(needs, &block)
    assert_kind_of String, records(serializer, relation.spawn)
    error = assert_raises(Katsu::NeedsError) { serializer.many(relation.spawn).to_json }
    assert_match(/\A#{Regexp.escape(name)} of \S+ is not loaded/, error.message)
  end

  def test_aliases
    assert_alike(:headline, &:headline)
    assert_alike("headline", &:title)
    assert_alike(:title) { |note| [note.headline, note[:headline], note["title"]] }
    assert_alike({parent: :headline}) { |note| note.parent&.headline }
    assert_alike(:headline) { |note| note.headline? }
  end

  # Its readers are made when they are looked at.
  def test_a_model_of_which_there_was_no_record
    assert_alike({owner: :title}) { |note| note.owner&.title }
  end

  def test_enums
    assert_alike(:state, &:state)
    assert_alike(:state) { |note| [note[:state], note.draft?, note.live?, note.state?] }
    assert_alike(:amount) { |note| [note.amount_none?, note.amount_some?, note.amount?] }
    assert_refused("state_for_database", :title) { |note| note.live? }
  end

  def test_predicates_of_columns
    assert_alike(%i[title parent_id id]) { |note| [note.title?, note.parent_id?, note.id?] }
    assert_alike(%i[title parent]) { |note| [note.title.present?, note.parent.present?, note.blank?, note.nil?] }
    assert_alike(:id) { |note| [note.persisted?, note.new_record?] }
  end

  def test_classes
    assert_alike(:title) { |note| [note.class.name, note.class.to_s, note.class == Memo, note.class <= Memo] }
    assert_alike(:title) { |note| [note.is_a?(Note), note.is_a?(Memo), note.kind_of?(Diary), note.is_a?(Titled)] }
    assert_alike(:title) { |note| [note.instance_of?(Memo), note.class.model_name.to_s, note.class.table_name] }
    assert_alike({parent: :title, parts: :title}) { |note| [note.parent.class.to_s, note.parts.map { _1.class.to_s }] }
  end

  def test_collections
    assert_alike({parts: :title}) { |note| [note.parts.count, note.parts.size, note.parts.any?, note.parts.empty?] }
    assert_alike({parts: :id}) { |note| [note.parts.sum(&:id), note.parts.sum(10, &:id), note.parts.count(&:id)] }
    assert_alike({parts: :id}) { |note| note.parts.find { |part| part.id.positive? }&.id }
    assert_alike({parts: :title}) { |note| note.parts.sum("") { |part| part.title.to_s } }
    assert_alike({parts: :id}) { |note| note.parts.find(-> { "none" }) { false } }
    assert_alike({parts: :id}) { |note| note.parts.to_a << 1 && 1 }
    assert_alike({parts: :title}) { |note| note.parts.select { |part| part.title }.map(&:title) }
    assert_alike({parts: :title}) { |note| [note.parts.map(&:title), note.parts.first&.title] }
    assert_alike({parts: :title}) { |note| note.parts.pluck(:title) }
  end

  # What a relation asks the database, or means by a method that an Array has too.
  def test_what_collections_refuse
    calls = {count: -> { _1.count(:id) }, sum: -> { _1.sum(:id) }, find: -> { _1.none? || _1.find(_1.first.id) },
             select: -> { _1.select(:id) }, where: -> { _1.where(title: "a") }, order: -> { _1.order(:id).to_a },
             exists?: -> { _1.exists? }, ids: -> { _1.ids }, average: -> { _1.average(:id) },
             find_by: -> { _1.find_by(id: 1) }, in_order_of: -> { _1.in_order_of(:id, [1, 2]).to_a },
             minimum: -> { _1.minimum(:state) }, maximum: -> { _1.maximum(:state) }}
    calls.each do |name, call|
      serializer = serializer({parts: :id}) { |note| call.call(note.parts) && 1 }
      assert_kind_of String, records(serializer, Note.order(:id))
      error = assert_raises(Katsu::NeedsError) { serializer.many(Note.order(:id)).to_json }
      assert_match(/\Aparts of \S+ is an Array of rows, and #{Regexp.escape(name.name)} is a question/, error.message)
    end
    assert_raises(Katsu::NeedsError) { serializer({parts: :id}) { |note| note.parts.count(1) }.many(Note.all).to_json }
  end

  def test_a_collection_says_what_it_is_not
    error = assert_raises(NoMethodError) do
      serializer({parts: :id}) { |note| note.parts.quux }.many(Note.order(:id)).to_json
    end
    refute_kind_of Katsu::NeedsError, error
    assert_match(/undefined method 'quux' for the parts of a /, error.message)
    assert_raises(FrozenError) { serializer({parts: :id}) { |note| note.parts.clear }.many(Note.order(:id)).to_json }
  end

  # As a record's, so that a value is made once and a change in place shows in what reads it later.
  def test_values_are_made_once
    made = 0
    type = Class.new(ActiveRecord::Type::String) { define_method(:deserialize) { |value| (made += 1) && value.dup } }
    model = Class.new(Titled) { attribute :title, type.new }
    read = serializer(%i[title headline]) { |note| note.title && [note.title << "!", note[:title], note.headline] }
    [model.order(:id), model.order(:id).to_a].each do |source|
      made = 0
      expected = ["parent!", nil, "!", "0!"].map { |text| {"value" => text && [text] * 3} }
      assert_equal expected, read.many(source).to_a
      assert_operator made, :<=, 8
    end
  end

  # What the model overrides is refused, and is not called to read a column.
  def test_a_model_with_a_method_that_all_objects_have
    model = Class.new(Titled) do
      attribute :parent_id, ActiveRecord::Type::Boolean.new
      def frozen? = title == "parent"
    end
    read = serializer(%i[title parent_id]) { |note| [note.title, note[:title], note.parent_id, note.parent_id] }
    assert_equal read.many(model.order(:id).to_a).to_a, read.many(model.order(:id)).to_a
    refused = serializer(:title) { |note| note.frozen? }
    assert_raises(Katsu::NeedsError) { refused.many(model.order(:id)).to_json }
  end

  def test_rows_that_no_driver_reads
    drivers = Katsu::Query::Drivers.singleton_class
    drivers.alias_method(:kept_select, :select)
    drivers.define_method(:select) { |*| nil }
    assert_alike(:title, &:title)
    assert_alike({parts: :title}) { |note| [note.id, note.parts.map(&:title)] }
  ensure
    drivers.remove_method(:select)
    drivers.alias_method(:select, :kept_select)
    drivers.remove_method(:kept_select)
  end

  # A document that is read in batches gives the memory of its rows back.
  def test_rows_that_fields_keep_are_read_after_the_document
    kept = []
    list = serializer({title: [], parts: [], parent: :id}) { |note| kept.push(note).size }
    list.many(Note.all).write_to(StringIO.new)
    notes = Note.order(:id).to_a
    read = ->(note) { [note.id, note.class.name, note.title, note.parent&.id, note.parts.map(&:id)] }
    assert_equal(notes.map(&read), kept.sort_by(&:id).map(&read))
  end

  # As tools do that look for the subclasses of a class.
  def test_all_classes_can_be_asked_what_they_are
    assert_alike(:title, &:title)
    classes = ObjectSpace.each_object(Class)
    assert_includes(classes.select { |klass| klass < Note }, Memo)
    assert_equal(["Katsu::Query::Row"], [Katsu::Query::Row.name, Katsu::Query::Row.to_s].uniq)
    assert_raises(NoMethodError) { Katsu::Query::Row.table_name }
  end

  def test_equal_rows
    assert_alike({parts: {parent: :title}}) { |note| note.parts.map(&:parent).uniq.size }
    assert_alike({parts: {parent: :id}}) { |note| note.parts.map { |part| part.parent == note } }
    assert_alike({parent: :id}) { |note| [note == note.parent, note.parent.eql?(note.parent), note == 1] }
  end

  def test_rows_and_their_records_are_equal
    [Note, Diary].each do |model|
      records = model.order(:id).to_a
      same = serializer(:title) do |note|
        record = records.find { |one| one.id == note.id }
        [note == record, record == note, note.eql?(record), {record => 1}[note], {note => 1}[record],
         records.include?(note), ([record] - [note]).size, note == records.find { |one| one.id != note.id }]
      end
      seen = same.many(model.order(:id)).to_a.map { |hash| hash["value"] }.uniq
      assert_equal [[true, true, true, 1, 1, true, 0, false]], seen
    end
  end

  def test_the_order_of_rows
    sorted = Sorted.order(:id)
    assert_alike({parts: :title}, sorted) { |note| note.parts.sort.map(&:title) + [note.parts.max&.title] }
    assert_alike({parts: :title}, sorted) { |note| [note <=> note.itself, note <=> 1, note <=> note.parts.first] }
    records = Note.order(:id).to_a
    assert_alike(:title) { |note| records.map { |record| [record <=> note, note <=> record] } }
    assert_alike(:title, Paired.order(:title, :parent_id)) { |note| note <=> note.itself }
    assert_refused("to_key", :title, Numbered.order(:id)) { |note| note <=> Numbered.new }
    assert_refused("<=>", :title, Ordered.order(:id)) { |note| note <=> note.itself }
  end

  # By the name of another column, or by the columns of a composite key.
  def test_the_id_of_another_key
    assert_alike(:title, Coded.order(:id), &:id)
    assert_alike(:title, Coded.order(:id)) { |note| [note == Coded.find_by(title: "0"), Coded.find("0") == note] }
    assert_alike(:title, Paired.order(:title, :parent_id), &:id)
  end

  # The serializer's document reads of the row what needs: does not name.
  def test_documents_of_rows_that_have_not_the_column
    %i[state parent_id].each { |column| assert_document_refused(column) }
  end

  def assert_document_refused(column)
    inner = Class.new(Katsu::Serializer) { attributes :id, column }
    outer = serializer({parent: :title}) { |note| note.parent && context.call(inner, note.parent) }
    calls = [->(klass, row) { klass.one(row) }, ->(klass, row) { klass.new.serialize(row) },
             ->(klass, row) { Katsu::ArraySerializer.new([row], each_serializer: klass) }]
    calls.each do |call|
      %i[to_json to_a].each do |way|
        error = assert_raises(Katsu::NeedsError) { outer.many(Note.order(:id), context: call).public_send(way) }
        assert_match(/\A#{column} of .*Note is not loaded; loaded are id, .*title/, error.message)
      end
    end
  end

  def test_what_a_model_overrides_is_refused
    titled = Titled.order(:id)
    assert_refused("to_s", :title, titled) { |note| "#{note}" }
    assert_refused("to_param", :id, titled, &:to_param)
    assert_refused("present?", :id, titled, &:present?)
    assert_refused("title", :id) { |note| note.respond_to?(:title) }
    assert_refused("title_was", :title, &:title_was)
    assert_refused("dup", :title) { |note| note.dup.id }
    assert_refused("to_label", :title, titled, &:to_label)
  end

  # What helpers for URLs ask.
  def test_what_rails_asks_of_a_record
    assert_alike(:title) { |note| [note.to_param, note.to_key, note.persisted?, note.new_record?] }
    assert_alike(:title) { |note| note.model_name.name }
    assert_alike(:title) { |note| [note.to_model.to_param, note.to_model == note, note.model_name.route_key] }
    assert_alike(:title) { |note| %i[to_param to_key to_model persisted?].map { |name| note.respond_to?(name) } }
    assert_alike({parent: :title}) { |note| note.parent && [note.parent.to_param, note.parent.model_name.singular] }
    assert_alike(:title, Coded.order(:id)) { |note| [note.to_param, note.to_key] }
    assert_refused("to_param", :title, Keyless.order(:id), &:to_param)
    assert_alike(:title, Paired.order(:title, :parent_id)) { |note| [note.to_param, note.to_key] }
  end

  class Plain < ActiveRecord::Base
    self.abstract_class = true
    self.table_name = "row_object_notes"
    self.inheritance_column = nil
  end

  class Coded < Plain
    self.primary_key = "title"
  end

  class Keyless < Plain
    self.primary_key = nil
  end

  class Paired < Plain
    self.primary_key = %w[title parent_id] if ActiveRecord.version >= "7.1"
  end

  class Slugged < Plain
    to_param :title
    def persisted? = false
    def to_model = 1
    def to_key = [title]
    def self.model_name = ActiveModel::Name.new(self, nil, "Other")
  end

  class Numbered < Plain
    def id = super.to_i + 1
  end

  def test_what_rails_asks_and_a_model_overrides
    {to_param: :to_param, to_key: :to_key, to_model: :to_model, persisted?: :persisted?}.each do |name, call|
      assert_refused(name.name, :title, Slugged.order(:id), &call)
    end
    assert_alike(:title, Slugged.order(:id)) { |note| [note.model_name.name, note.new_record?] }
    %i[to_param to_key].each { |name| assert_refused(name.name, :title, Numbered.order(:id), &name) }
    assert_alike(:title, Numbered.order(:id), &:persisted?)
  end

  class Sorted < Plain
    has_many :parts, -> { order(id: :desc) }, class_name: "RowObjectsTest::Sorted", foreign_key: :parent_id
  end

  class Ordered < Plain
    def <=>(_) = 0
  end

  class Masked < Plain
    belongs_to :owner, class_name: "RowObjectsTest::Owner", foreign_key: :parent_id, optional: true
    def parent_id = "secret"
  end

  # The column is there as a key of the row or of an association.
  def test_a_key_whose_reader_the_model_overrides_is_refused
    assert_refused("id", :title, Numbered.order(:id), &:id)
    assert_refused("parent_id", {owner: :title}, Masked.order(:id), &:parent_id)
    assert_refused("parent_id?", {owner: :title}, Masked.order(:id), &:parent_id?)
    assert_alike({owner: :title}, Masked.order(:id)) { |note| [note[:parent_id], note.owner&.title] }
  end

  class Lettered < ActiveRecord::Base
    self.table_name = "row_object_letters"
    self.primary_key = "letter"
    belongs_to :above, class_name: "RowObjectsTest::Lettered", optional: true
  end

  class Marked < Lettered
    def id = "no. #{super}"
  end

  # It is no column.
  def test_the_id_of_a_model_with_another_key
    [["a", nil], ["b", "a"]].each { |letter, above| Lettered.create!(letter: letter, above_id: above) }
    letters = Lettered.order(:letter)
    assert_alike(:id, letters) { |note| [note.id, note.letter, note.to_param] }
    assert_alike({above: :id}, letters) { |note| note.above&.id }
    ids = serializer(:id, &:id)
    document = ids.many(Marked.order(:letter))
    assert_equal records(ids, Marked.order(:letter)), document.to_json
    assert_equal :records, document.explain.to_h[:way]
  ensure
    Lettered.delete_all
  end

  class Translated < Plain
    enum :state, {draft: 0, live: 1}
    def read_attribute(name) = name.to_s == "title" ? "titel" : super
  end

  class Starred < Plain
    def [](name) = name.to_s == "title" ? "***" : super
  end

  class Counted < Plain
    enum :state, {draft: 0, live: 1}
    def state_for_database = -1
  end

  def test_a_model_that_reads_attributes_in_its_own_way
    assert_refused("state_for_database", :state, Counted.order(:id), &:state_for_database)
    [Translated, Starred].each { |model| assert_refused("[]", :title, model.order(:id)) { |note| note[:title] } }
    assert_alike(%i[id title state], Translated.order(:id)) { |note| [note.title, note.live?, note.state_for_database] }
    assert_alike(:title, Starred.order(:id)) { |note| [note.title, note.to_param, note.id, note == note.itself] }
  end

  # Errors tell it, though no field names it.
  def test_conditions_are_given_the_primary_key
    [{}, {needs: :title}].each do |needs|
      serializer = Class.new(Katsu::Serializer) { attribute :title, if: -> { object.title.center("x") }, **needs }
      document = serializer.many(Note.where(title: "parent"))
      assert_equal :rows, document.explain.to_h[:way]
      error = assert_raises(TypeError) { document.to_json }
      assert_equal ["[0].title", Note.find_by(title: "parent").id], [error.field_path, error.field_id]
    end
  end

  def test_what_is_refused_is_no_error_of_the_field
    serializer = serializer(:id, on_error: :null) { |note| note.title }
    assert_raises(Katsu::NeedsError) { serializer.many(Note.order(:id)).to_json }
  end

  def test_rules_for_nil_read_their_own_attribute_only
    options = [{default: "none"}, {omit_nil: true}, {default: [1]}]
    options.each do |rule|
      serializer = Class.new(Katsu::Serializer) { attributes :title, :state, :headline, **rule }
      document = serializer.many(Note.order(:id))
      assert_equal :rows, document.explain.to_h[:way]
      assert_equal records(serializer, Note.order(:id)), document.to_json
      assert_equal JSON.parse(document.to_json), document.to_a
    end
    code = Class.new(Katsu::Serializer) { attribute :title, default: -> { object.id } }
    assert_equal :records, code.many(Note.order(:id)).explain.to_h[:way]
    assert_equal records(code, Note.order(:id)), code.many(Note.order(:id)).to_json
  end

  def test_rules_for_nil_beside_needs_and_conditions
    serializer = Class.new(Katsu::Serializer) { attribute :title, default: "none", needs: [], if: -> { scope } }
    assert_equal :rows, serializer.many(Note.order(:id), scope: true).explain.to_h[:way]
    assert_equal "none", serializer.many(Note.where(title: nil), scope: true).to_a[0]["title"]
    loose = Class.new(Katsu::Serializer) { attribute :title, default: "none", if: -> { object.id } }
    assert_equal :records, loose.many(Note.order(:id)).explain.to_h[:way]
  end

  # Documents of row objects, as the guide to a Hash by key makes them.
  def test_documents_of_row_objects_in_a_hash
    inner = Class.new(Katsu::Serializer) { attributes :id, :title, :state }
    outer = Class.new(Katsu::Serializer) do
      attributes :id
      attribute(:parts, needs: {parts: %i[id title state]}) do |note|
        note.parts.to_h { |part| [part.id, inner.one(part, except: [:state])] }
      end
    end
    relation = Note.where(title: "parent")
    ids = Note.where.not(parent_id: nil).order(:id).pluck(:id)
    expected = ids.zip([nil, "", "0"]).to_h { |id, title| [id.to_s, {"id" => id, "title" => title}] }
    queries = queries { assert_equal expected, JSON.parse(outer.many(relation).to_json)[0]["parts"] }
    assert_equal 2, queries.size, queries
    assert_equal expected, outer.many(relation).to_a[0]["parts"]
    assert_equal outer.many(relation).to_json, records(outer, relation)
  end

  # They need not be read as records are, whose key tells whether a loaded association is out of date.
  def test_documents_of_row_objects_with_associations
    inner = Class.new(Katsu::Serializer) do
      attributes :title
      has_one(:parent) { attributes :title }
      has_many(:parts) { attributes :state }
    end
    needs = [:title, :parent_id, {parent: %i[id title], parts: %i[id state parent_id]}]
    outer = Class.new(Katsu::Serializer) { attribute(:same, needs: needs) { |note| inner.one(note).to_h } }
    relation = Note.order(:id)
    assert_equal :rows, outer.many(relation).explain.to_h[:way]
    assert_equal records(outer, relation), outer.many(relation).to_json
    text = Class.new(Katsu::Serializer) { attribute(:same, needs: needs) { |note| inner.one(note).to_json } }
    assert_equal records(text, relation), text.many(relation).to_json
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :data
  end

  # The text of a JSON column is copied, as a record's is, or refused.
  # The objects of one document of which some are no rows, and those that are rows are of two models.
  def test_documents_of_row_objects_and_others
    small = Class.new(Katsu::Serializer) { attributes :id, :title }
    needs = [:id, :title, {owner: %i[id title]}]
    mixed = serializer(needs) do |note|
      objects = [note, note, note.owner, {id: 1, title: "h"}, note, note.owner, note]
      [small.many(objects).to_a, JSON.parse(small.many(objects * 40).to_json)]
    end
    assert_equal records(mixed, Note.order(:id)), mixed.many(Note.order(:id)).to_json
  end

  def test_json_columns_by_another_serializer
    inner = PostSerializer
    outer = Class.new(Katsu::Serializer) do
      attribute(:text, needs: %i[id data]) { |post| Katsu::Fragment.new(inner.one(post).to_json) }
      attribute(:hash, needs: %i[id data]) { |post| inner.one(post).to_h }
    end
    ['{"a":  1.50}', "null", "[1, {}]", nil].each { |text| Post.create!.tap { |post| json(post, text) } }
    %i[to_json to_a].each do |way|
      assert_equal outer.many(Post.order(:id).load).public_send(way), outer.many(Post.order(:id)).public_send(way)
    end
    assert_includes outer.many(Post.order(:id)).to_json, '"data":{"a":  1.50}'
    json(Post.last, '{"a":  1.')
    [Post.order(:id), Post.order(:id).load].each do |source|
      error = assert_raises(Katsu::GeneratorError) { outer.many(source).to_json }
      assert_includes error.message, "data of Post with id #{Post.last.id} is not JSON"
    end
  ensure
    Post.delete_all
  end

  def test_a_json_column_that_the_rows_lack_by_another_serializer
    outer = Class.new(Katsu::Serializer) do
      attribute(:hash, needs: :id) { |post| PostSerializer.one(post).to_h }
    end
    Post.create!
    error = assert_raises(Katsu::NeedsError) { outer.many(Post.order(:id)).to_json }
    assert_match(/data of Post is not loaded; loaded are id/, error.message)
  ensure
    Post.delete_all
  end

  class AliasedPost < Post
    self.table_name = "posts"
    alias_attribute :info, :data
  end

  class InfoSerializer < Katsu::Serializer
    attributes :info
  end

  def test_json_columns_under_another_name
    outer = Class.new(Katsu::Serializer) do
      attribute(:text, needs: :info) { |post| Katsu::Fragment.new(InfoSerializer.one(post).to_json) }
    end
    json(Post.create!, '{"a":  1.50}')
    posts = AliasedPost.order(:id)
    assert_equal '[{"text":{"info":{"a":  1.50}}}]', outer.many(posts).to_json
    assert_equal outer.many(posts).to_json, outer.many(posts.load).to_json
  ensure
    Post.delete_all
  end

  class KeylessPost < Post
    self.primary_key = nil
  end

  # Without the primary key, the message says what is wrong all the same.
  def test_json_columns_that_are_none_in_rows_without_a_primary_key
    serializer = Class.new(Katsu::Serializer) { attribute(:data, if: -> { object.title }, needs: :title) }
    json(post = Post.create!(title: "t"), '{"a":  1.')
    keyed = "Post with id #{post.id}"
    {Post.order(:title) => keyed, KeylessPost.order(:title) => "KeylessPost",
     Post.select(:data, :title).load => "Post"}.each do |source, name|
      error = assert_raises(Katsu::GeneratorError) { serializer.many(source).to_json }
      assert_includes error.message, "#{name} is not JSON, or nested too deep: "
    end
  ensure
    Post.delete_all
  end

  # Code of the serializer is given the value, however the column is declared, and Hashes have it, however deep it is.
  def test_json_columns_with_rules_and_deep_ones
    json(Post.create!, '{"a":  1.50}')
    Post.create!
    [{format: ->(value) { value["a"] }}, {default: {}}, {omit_nil: true}, {type: :string}].each do |rule|
      ruled = Class.new(Katsu::Serializer) { attribute :data, **rule }
      block = Class.new(Katsu::Serializer) do
        attribute(:value, needs: %i[id data]) { |post| ruled.one(post).to_h }
      end
      [ruled, block].product(%i[to_json to_a]).each do |serializer, way|
        expected = serializer.many(Post.order(:id).load).public_send(way)
        assert_equal expected, serializer.many(Post.order(:id)).public_send(way), rule.keys
      end
    end
    json(Post.last, "#{"[" * 500}#{"]" * 500}")
    outer = Class.new(Katsu::Serializer) do
      attribute(:hash, needs: %i[id data]) { |post| PostSerializer.one(post).to_h.fetch("data").flatten }
    end
    assert_equal [], outer.many(Post.order(:id).last(1)).to_a[0]["hash"]
    assert_equal [], outer.many(Post.where(id: Post.last.id)).to_a[0]["hash"]
  ensure
    Post.delete_all
  end

  def json(post, text)
    Post.connection.execute("UPDATE posts SET data = #{Post.connection.quote(text)} WHERE id = #{post.id}")
  end
end
