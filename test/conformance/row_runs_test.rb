# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Many records that are written from their rows: the ruby backend writes them together, looks afterwards whether their
# text needed escapes, and writes anew those whose text does.
class RowRunsTest < TestCase
  class TitleSerializer < Katsu::Serializer
    attributes :id, :title, :body, :created_at
  end

  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class CommentSerializer < Katsu::Serializer
    attributes :body
  end

  # Their objects are written together with the post.
  class WithObjectsSerializer < Katsu::Serializer
    attributes :id, :title
    has_one :author, serializer: AuthorSerializer
    has_one :first_comment, serializer: CommentSerializer
    attributes :body
  end

  class Haunted < ActiveRecord::Base
    self.table_name = "posts"
    belongs_to :ghost, class_name: "RowRunsTest::Ghost", foreign_key: :author_id, optional: true
  end

  class Ghost < ActiveRecord::Base; end

  class HauntedSerializer < Katsu::Serializer
    attributes :id
    has_one :ghost, serializer: AuthorSerializer
  end

  # More than are ever written together.
  COUNT = 300

  def setup
    @plain = Array.new(COUNT) { |index| {title: "title #{index}", body: "body #{index}", created_at: Time.utc(2026)} }
  end

  def teardown
    Post.delete_all
  end

  # Records that differ from the others at these places.
  def records(changes = {})
    Post.insert_all!(@plain)
    ids = Post.order(:id).ids
    changes.each { |index, values| Post.where(id: ids[index]).update_all(values) }
    Post.order(:id).to_a
  end

  def assert_written(records)
    expected = JSON.generate(records.map { |record| record.as_json(only: %i[id title body created_at]) })
    2.times do
      fresh = Post.order(:id).to_a
      assert_equal expected, json(fresh)
      assert_equal json(fresh), chunks(fresh)
      assert_equal json(fresh), TitleSerializer.many(Post.order(:id)).to_json
    end
  end

  def pick(values, random) = values[random.rand(values.size)]

  def json(records)
    Katsu::ArraySerializer.new(records, each_serializer: TitleSerializer).to_json
  end

  def chunks(records)
    io = StringIO.new
    TitleSerializer.many(records).write_to(io)
    io.string.force_encoding(Encoding::UTF_8)
  end

  def test_unescaped_text
    assert_written records
  end

  def test_text_that_needs_escapes
    ["\"", "\\", "\n", "\u0000", "\u001f"].each_with_index do |character, index|
      [0, 20, COUNT - 1].each do |place|
        assert_written records(place => {body: "a#{character}b"}, index + 30 => {title: character})
        teardown
      end
    end
  end

  # Few of them are written anew; if many are, they are written one by one.
  def test_many_texts_that_need_escapes
    [1, 2, 3, 5, 10].each do |every|
      assert_written records((0...COUNT).step(every).to_h { |place| [place, {body: "a \"#{place}\"\n"}] })
      teardown
    end
  end

  TEXTS = ["a", "", "\"", "\n", "\\", "ü", "日本\t", "x" * 300, "#{"x" * 300}\"", "y" * 40_000, nil].freeze

  def test_texts_by_chance
    random = Random.new(5)
    4.times do |round|
      many = TEXTS + (["plain"] * (round * 15))
      changes = (0...COUNT).to_h { |place| [place, {title: pick(many, random), body: pick(many, random)}] }
      assert_written records(changes)
      teardown
    end
  end

  # What is next to a character that needs an escape, and to what ranges in a set of characters are written with.
  def test_text_that_needs_no_escapes
    assert_written records(5 => {title: "-^ !#[]\u007f"}, 6 => {title: ""})
  end

  def test_text_that_is_not_ascii
    assert_written records((0...COUNT).step(3).to_h { |place| [place, {title: "für #{place} 日本"}] })
    teardown
    assert_written records(7 => {title: "für \"alle\""})
  end

  def test_nil
    assert_written records((3...COUNT).step(7).to_h { |place| [place, {body: nil}] })
    teardown
    assert_written records(9 => {created_at: nil})
  end

  def test_text_that_is_not_utf8
    records(70 => "title = CAST(x'74ff' AS TEXT)")
    assert_raises(Katsu::GeneratorError) { json(Post.order(:id).to_a) }
  end

  def test_records_that_were_changed_or_have_methods_of_their_own
    records = records()
    records[2].title = "changed"
    records[40].body << " in place"
    records[41].define_singleton_method(:title) { "own" }
    written = JSON.parse(json(records))
    assert_equal ["title 1", "changed", "title 3"], written[1..3].map { |post| post["title"] }
    assert_equal ["body 40 in place", "body 41"], written[40..41].map { |post| post["body"] }
    assert_equal ["title 40", "own", "title 42"], written[40..42].map { |post| post["title"] }
  end

  Basic = Class.new(BasicObject) { %i[id title body created_at].each { |name| define_method(name) { 1 } } }

  # One among records, where those before it were all written together.
  OTHERS = {
    "struct" => -> { Struct.new(:id, :title, :body, :created_at).new(1, "struct") },
    "basic" => -> { Basic.new },
    "new" => -> { Post.new(title: "new") },
    "written" => ->(record) { record.tap { record.title = "written" } },
    "in place" => ->(record) { record.tap { record.title.replace("in place") } },
    "own" => ->(record) { record.tap { record.define_singleton_method(:title) { "own" } } },
    "retyped" => lambda do |record|
      type = Class.new(ActiveRecord::Type::String) { def deserialize(_) = "retyped" }.new
      Class.new(Post) { attribute(:title, type) }.find(record.id)
    end,
    "selected" => ->(record) { Post.select("id, created_at, body, 'selected' AS title").find(record.id) }
  }.freeze

  def test_one_other_object_among_records
    records
    OTHERS.each do |title, make|
      records = Post.order(:id).to_a
      records[20] = make.arity.zero? ? make.call : make.call(records[20])
      written = JSON.parse(json(records))
      assert_equal [*(0..19).map { |index| "title #{index}" }, title == "basic" ? 1 : title, "title 21"],
                   written.first(22).map { |post| post["title"] }
      assert_equal "title #{COUNT - 1}", written.last["title"]
    end
  end

  # None of their methods is called: some have none.
  def test_objects_of_other_classes_among_records
    other = Struct.new(:id, :title, :body, :created_at)
    records = records()
    records[20] = other.new(1, "other \"one\"", nil, 3)
    records[21] = nil
    records[22] = Basic.new
    written = JSON.parse(json(records))
    assert_equal [{"id" => 1, "title" => "other \"one\"", "body" => nil, "created_at" => 3}, nil,
                  {"id" => 1, "title" => 1, "body" => 1, "created_at" => 1}], written[20..22]
    assert_equal COUNT, written.size
    assert_equal "title 23", written[23]["title"]
  end

  def test_an_error_says_at_which_record
    records = records()
    records[100] = Post.select(:id).find(records[100].id)
    error = assert_raises(Katsu::UnknownAttributeError) { json(records) }
    assert_match(/title/, error.message)
  end

  # Posts of which some have an author and some a comment, with text that needs escapes in one of ten, and nil in some.
  def posts_with_objects
    names = @plain.each_index.map { |index| index % 10 == 9 ? "\"#{index}\"" : "Author #{index}" }
    Author.insert_all!(names.each_with_index.map { |name, index| {name: index % 11 == 5 ? nil : name} })
    authors = Author.order(:id).ids
    Post.insert_all!(@plain.zip(authors).each_with_index.map do |(values, author), index|
      {**values, author_id: index % 7 == 3 ? nil : author}
    end)
    commented = Post.order(:id).ids.each_with_index.select { |_, index| index.even? }
    Comment.insert_all!(commented.map { |id, index| {post_id: id, body: "comment #{index}"} })
    with_objects
  end

  def with_objects = Post.includes(:author, :first_comment).order(:id).to_a

  # What the readers return.
  def read(records)
    JSON.generate(records.map do |record|
      author = record.author
      comment = record.first_comment
      {id: record.id, title: record.title, body: record.body, author: author && {id: author.id, name: author.name},
       first_comment: comment && {body: comment.body}}
    end)
  end

  def write(records)
    Katsu::ArraySerializer.new(records, each_serializer: WithObjectsSerializer).to_json
  end

  def assert_as_read(records)
    written = write(records)
    assert_equal read(records), written
    assert_equal written, write(records) # their values were read by now
  end

  def test_associations_of_one_object
    assert_as_read posts_with_objects
  end

  def test_associations_that_were_changed
    records = posts_with_objects
    other = Author.create!(name: "other")
    records[0].author_id = other.id
    records[20].author = Author.new(name: "new")
    records[21].author = nil
    records[30].author.name = "changed"
    records[33].author.name << " in place"
    records[40].author.define_singleton_method(:name) { "own" }
    records[60].association(:author).reset
    records[61].first_comment = Comment.new(body: "built")
    assert_as_read records
    authors = JSON.parse(write(records)).map { |post| post["author"] }
    assert_equal ["other", "new", nil], authors.values_at(0, 20, 21).map { |author| author&.fetch("name") }
  end

  CHANGES = [
    ->(record, other) { record.author_id = other.id },
    ->(record, _) { record.author = Author.new(name: "new") },
    ->(record, _) { record.author = nil },
    ->(record, _) { record.author.name = "changed" },
    ->(record, _) { record.author.name << " in place" },
    ->(record, _) { record.author.define_singleton_method(:name) { "own" } },
    ->(record, _) { record.association(:author).reset },
    ->(record, _) { record.first_comment = Comment.new(body: "built") },
    ->(record, other) { record.author = Editor.find(other.id) },
    ->(record, other) { record.author = Author.select("id, 'selected' AS name").find(other.id) }
  ].freeze

  # Each where the records before it were all written together.
  def test_one_association_that_was_changed
    posts_with_objects
    other = Editor.create!(name: "other")
    CHANGES.each do |change|
      records = with_objects
      change.call(records[20], other)
      assert_as_read records
    end
  end

  def test_associations_of_a_subclass
    posts_with_objects
    Author.where(id: Author.order(:id).ids.each_slice(5).map(&:first)).update_all(type: "Editor")
    records = with_objects
    assert_as_read records
    assert_match(/"Ed\. /, write(records))
  end

  # Not all of these can be written together.
  DECLARATIONS = {
    nothing: -> {},
    key: -> { attribute :title, name: "a \"title\"" },
    columns: -> { attributes :id, :title, :data, :views, :big, :draft, :rating, :price, :day, :clock, :created_at },
    alias: -> { attributes :headline, :stars, :shout },
    condition: -> { attribute :title, if: ->(post) { post.id.even? } },
    method: -> { attribute(:title) { |post| post.title.upcase } },
    method_of_json: -> { attribute(:data) { |post| [post.id, post.data] } },
    method_of_a_day: -> { attribute(:day) { |post| post.id.even? ? post.day : post.title } },
    skip: -> { attribute(:title) { |post| post.id.even? ? post.title : Katsu::Serializer::SKIP } },
    object: -> { has_one :author, serializer: AuthorSerializer },
    renamed: -> { has_one :author, name: :writer, serializer: AuthorSerializer },
    object_if: -> { has_one :author, serializer: AuthorSerializer, if: ->(post) { post.id.even? } },
    object_of_a_method: -> { has_one(:author, serializer: AuthorSerializer) { |post| post.author if post.id.even? } },
    depth: -> { has_one :author, serializer: AuthorSerializer, depth: 1 },
    by_class: -> { has_one :author, serializer: {Author => AuthorSerializer} },
    objects: -> { has_many :comments, serializer: CommentSerializer },
    two_objects: lambda do
      has_one :author, serializer: AuthorSerializer
      has_one :first_comment, serializer: CommentSerializer
    end,
    empty_object: -> { has_one(:author, serializer: Class.new(Katsu::Serializer)) },
    object_with_condition: lambda do
      has_one(:author, serializer: Class.new(Katsu::Serializer) { attribute :name, if: ->(author) { author.id.even? } })
    end,
    object_with_method: lambda do
      has_one(:author, serializer: Class.new(Katsu::Serializer) { attribute(:name) { |author| author.name.to_s * 2 } })
    end,
    object_with_object: lambda do
      mentored = Class.new(Katsu::Serializer) do
        attributes :name
        has_one :mentor, serializer: AuthorSerializer
      end
      has_one :author, serializer: mentored
    end
  }.freeze

  # In many, in another place of the document, and with Hashes, each record is written as it is by itself.
  def test_each_declaration_among_columns
    posts_with_objects
    Post.update_all("views = id, rating = id / 3.0, price = id, day = '2026-01-02', data = '[1]', draft = id % 2")
    DECLARATIONS.each do |name, declaration|
      [[], [:body]].each do |columns|
        serializer = Class.new(Katsu::Serializer) { attributes(*columns) }
        serializer.class_exec(&declaration)
        load = -> { Post.includes(:comments, :first_comment, author: :mentor).order(:id).limit(40).to_a }
        expected = load.call.map { |post| JSON.parse(serializer.one(post).to_json) }
        assert_equal expected, JSON.parse(serializer.many(load.call).to_json), name
        assert_equal expected, JSON.parse(JSON.generate(serializer.many(load.call).to_a)), name
      end
    end
  end

  # A query for each, as the readers make.
  def test_associations_that_are_not_loaded
    posts_with_objects
    assert_as_read Post.order(:id).limit(30).to_a
  end

  def test_associations_without_a_table
    Haunted.insert_all!(Array.new(20) { {title: "a"} })
    records = Haunted.order(:id).to_a
    expected = records.map { |record| {"id" => record.id, "ghost" => nil} }
    assert_equal expected, JSON.parse(Katsu::ArraySerializer.new(records, each_serializer: HauntedSerializer).to_json)
  end

  # Associations of the serializer that are methods of the model.
  class Written < ActiveRecord::Base
    self.table_name = "posts"
    belongs_to :author, optional: true
    def author = Author.new(name: "of #{id}")
    def writer = author
  end

  class WrittenSerializer < Katsu::Serializer
    attributes :id
    has_one :author, serializer: AuthorSerializer
    has_one :writer, serializer: AuthorSerializer
  end

  def test_objects_that_methods_give
    Written.insert_all!(Array.new(20) { {title: "a"} })
    records = Written.includes(:author).order(:id).to_a
    [[:author], [:writer], %i[author writer]].each do |names|
      expected = records.map do |record|
        {id: record.id, **names.to_h { |name| [name, {id: nil, name: "of #{record.id}"}] }}
      end
      assert_equal JSON.generate(expected),
                   Katsu::ArraySerializer.new(records, each_serializer: WrittenSerializer, only: [:id, *names]).to_json
    end
  end

  def hashes(changes = {})
    Array.new(COUNT) do |index|
      {"id" => index, "title" => "title #{index}", "body" => "body"}.merge(changes.fetch(index, {}))
    end
  end

  # all: with a field for each key; otherwise some keys are not written.
  def assert_hashes_written(hashes, expected = hashes)
    all = Class.new(Katsu::Serializer) { attributes :id, :title, :body }
    some = Class.new(Katsu::Serializer) { attributes :id, :title }
    2.times do
      assert_equal JSON.generate(expected), Katsu::ArraySerializer.new(hashes, each_serializer: all).to_json
      assert_equal JSON.generate(expected.map { |hash| hash.first(2).to_h }),
                   Katsu::ArraySerializer.new(hashes, each_serializer: some).to_json
    end
  end

  def test_hashes
    assert_hashes_written hashes
    assert_hashes_written hashes.map { |hash| hash.transform_keys(&:to_sym) }
    assert_hashes_written hashes.map { |hash| hash["id"] % 5 == 4 ? hash.transform_keys(&:to_sym) : hash }
  end

  def test_hashes_with_escapes_and_other_values
    [1, 7, 40].each do |every|
      ["\"", nil, 1.5, [1], "ü\n"].each do |value|
        assert_hashes_written hashes((0...COUNT).step(every).to_h { |index| [index, {"title" => value}] })
      end
    end
  end

  def test_hashes_with_defaults_and_keys_of_both_kinds
    hashes = hashes()
    hashes[20].delete("title")
    hashes[20].default = "by default"
    hashes[21].delete("body")
    hashes[21].default_proc = ->(_, key) { "no #{key}" }
    hashes[22] = hashes[22].merge(title: "by Symbol")
    hashes[23] = {"id" => 23, "title" => "title", "body" => "body", "more" => 1}
    hashes[24] = Class.new(Hash) { def [](key) = "own #{key}" }.new.merge!(hashes[24])
    expected = JSON.parse(Katsu::ArraySerializer.new(hashes[19, 6], each_serializer: PairSerializer).to_json)
    written = JSON.parse(Katsu::ArraySerializer.new(hashes, each_serializer: PairSerializer).to_json)
    assert_equal expected, written[19, 6]
    assert_equal "by Symbol", expected[3]["title"]
  end

  class PairSerializer < Katsu::Serializer
    attributes :id, :title
  end

  # One among Hashes, where those before it were all written together, and what is written of it.
  OTHER_PAIRS = [
    [nil, nil],
    [Struct.new(:id, :title).new(1, "struct"), {"id" => 1, "title" => "struct"}],
    [Basic.new, {"id" => 1, "title" => 1}],
    [Class.new(Hash) { def [](key) = "own #{key}" }.new.merge!("id" => 1, "title" => "a"), {"id" => 1, "title" => "a"}],
    [Hash.new("default").merge!("id" => 1), {"id" => 1, "title" => "default"}],
    [Hash.new { |_, key| key.class.name }.merge!("id" => 1), {"id" => 1, "title" => "Symbol"}],
    [{"id" => 1, title: "b"}, {"id" => 1, "title" => "b"}],
    [{"id" => 1, "title" => "a", id: 2, title: "b"}, {"id" => 2, "title" => "b"}],
    [{"id" => 1, "title" => "a", title: "b"}, {"id" => 1, "title" => "b"}],
    [{"title" => "a", "id" => 1, more: 1}, {"id" => 1, "title" => "a"}],
    [{"id" => 1, title: nil}, {"id" => 1, "title" => nil}],
    [{"id" => 1, "title" => "\"", title: :b}, {"id" => 1, "title" => "b"}]
  ].freeze

  def test_one_other_object_among_hashes
    OTHER_PAIRS.each do |other, pair|
      [hashes, hashes.each { |hash| hash.delete("body") }].each do |hashes|
        expected = hashes.map { |hash| hash.slice("id", "title") }
        hashes[20] = other
        expected[20] = pair
        serializer = Class.new(PairSerializer)
        2.times do
          assert_equal expected, JSON.parse(Katsu::ArraySerializer.new(hashes, each_serializer: serializer).to_json)
        end
      end
    end
  end

  # How many a call of the generated code writes, and how many the next would: more if all of one were written. With a
  # serializer that has met no others.
  def written_together(parent, objects)
    serializer = Class.new(parent)
    serializer.many(objects).to_json
    writer = Katsu::Portable::Codegen.for(serializer.plan, objects.first.class)
    batch = Katsu::Portable::Batch.new(nil, nil)
    count = writer.rows(objects.first).call(batch, objects, 0, objects.size, +"", [0], "".b, [])
    [count, writer.pace.size]
  end

  # What the other tests are about happens.
  def test_objects_are_written_together
    skip "the native backend writes each object by itself" if native?
    skip "Ruby before 3.4 does" unless String.method_defined?(:append_as_bytes)
    skip "rows of ActiveRecord 7 are Hashes" unless defined?(ActiveRecord::Result::IndexedRow)
    posts = posts_with_objects
    row = Katsu::Query::Row.for(Post, {"id" => 0, "title" => 1}, Post.attribute_types, [])
    rows = Array.new(COUNT) { |index| row.new(nil, [index, index == 5 ? nil : "title"]) }
    [[posts, TitleSerializer], [rows, PairSerializer], [hashes, PairSerializer],
     [hashes.map { |hash| hash.transform_keys(&:to_sym) }, PairSerializer]].each do |objects, serializer|
      assert_equal [COUNT, 64], written_together(serializer, objects), objects.first.class
    end
    assert_equal [COUNT, 16], written_together(WithObjectsSerializer, posts) # one of ten has a quote
  end

  def test_a_serializer_without_fields
    empty = Class.new(Katsu::Serializer)
    [posts_with_objects, hashes].each do |objects|
      assert_equal "[#{(["{}"] * COUNT).join(",")}]", watched { empty.many(objects).to_json }
    end
  end

  def test_long_documents_are_written_in_chunks
    @plain.each { |values| values[:body] = "long " * 500 }
    assert_written records
  end
end
