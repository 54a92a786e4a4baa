# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Records whose values are not, or no longer, what their row says. as_json makes a record build all its Attribute
# objects, so here it is asked last, or values are given.
class RowsTest < TestCase
  class Tag < ActiveRecord::Base
    establish_connection(adapter: "sqlite3", database: ":memory:")
    connection.create_table(:tags) do |t|
      t.references :subject, polymorphic: true
      t.string :name
      t.integer :weight
    end
    belongs_to :subject, polymorphic: true, optional: true
  end

  class TitleSerializer < Katsu::Serializer
    attributes :title, :body, :data
  end

  class NameSerializer < Katsu::Serializer
    attributes :name
  end

  class TagSerializer < Katsu::Serializer
    has_one :subject, serializer: {Author => NameSerializer, Post => TitleSerializer}
  end

  class ColumnsSerializer < Katsu::Serializer
    COLUMNS = %w[id title views draft rating day created_at data].freeze
    attributes(*COLUMNS.map(&:to_sym))
  end

  class WeightSerializer < Katsu::Serializer
    attributes :name, :weight
  end

  def teardown
    [Tag, Post, Author].each(&:delete_all)
  end

  def create(**values)
    Post.find(Post.create!({title: "t", body: "b", data: [1]}.merge(values)).id)
  end

  def json(records, serializer = TitleSerializer)
    JSON.parse(watched { Katsu::ArraySerializer.new(records, each_serializer: serializer).to_json })
  end

  def hashes(records, serializer = TitleSerializer)
    JSON.parse(JSON.generate(watched { Katsu::ArraySerializer.new(records, each_serializer: serializer).to_a }))
  end

  def row(title, body, data)
    {"title" => title, "body" => body, "data" => data}
  end

  # Of one class, but each result has its columns in another order; as with MySQL, none tells the columns' types.
  def test_records_of_several_results
    values = {"id" => 1, "title" => "a", "body" => "b", "data" => "[2]"}
    types = {}.freeze
    records = [%w[id title body data], %w[data body title id], %w[body id data title]].map do |columns|
      result = ActiveRecord::Result.new(columns, [values.values_at(*columns)])
      Post.instantiate(result.respond_to?(:indexed_rows) ? result.indexed_rows[0] : result.first, types)
    end
    assert_equal [row("a", "b", [2])] * 12, json(records * 4)
    assert_equal [row("a", "b", [2])] * 12, hashes(records * 4)
  end

  # What a condition writes is read by the fields after it.
  def test_columns_that_a_condition_writes_in_between
    serializer = Class.new(Katsu::Serializer) do
      attribute(:body, if: -> { object.title = "new" })
      attributes :title
    end
    2.times { create }
    expected = [{"body" => "b", "title" => "new"}] * 2
    assert_equal expected, JSON.parse(watched { serializer.many(Post.order(:id).to_a).to_json })
    assert_equal expected, watched { serializer.many(Post.order(:id).to_a).to_a }
  end

  class Loud < String
    def as_json(*) = upcase
  end

  def classes(hashes) = hashes.map { |hash| hash.values.map(&:class) }

  # What a database's driver does not give, an application may.
  def test_columns_of_text_with_other_values
    [Loud.new("a"), 1e300, 2**70, BigDecimal("1.5"), Date.new(2026, 1, 2), :a, true].each do |raw|
      make = -> { Array.new(2) { |id| Post.instantiate({"id" => id, "title" => raw, "body" => raw, "data" => "1"}) } }
      fresh = Katsu::ArraySerializer.new(make.call, each_serializer: TitleSerializer).to_a
      records = make.call
      actual = [json(records), hashes(records)]
      expected = records.map { |record| record.as_json(only: %i[title body data]) }
      assert_equal [expected] * 2, actual, raw.class.name
      built = Katsu::ArraySerializer.new(records, each_serializer: TitleSerializer).to_a
      assert_equal [classes(expected)] * 2, [classes(fresh), classes(built)], raw.class.name
    end
  end

  # Hashes read fewer columns from a row than JSON does: bin/fuzz queries found that they shared the columns' places.
  def test_json_and_hashes_of_the_same_result_in_turn
    2.times { create }
    records = Post.order(:id).to_a
    expected = [row("t", "b", [1])] * 2
    [method(:hashes), method(:json), method(:hashes), method(:json)].each do |write|
      assert_equal expected, write.call(records)
    end
  end

  def assert_columns(expected, ids)
    [method(:json), method(:hashes)].each do |write|
      assert_equal expected, write.call(Post.find(ids), ColumnsSerializer)
    end
  end

  # An attribute set that is not one of ActiveRecord's answers for itself, before and after one that is.
  def test_attribute_sets_of_another_class
    loud = Class.new(ActiveModel::LazyAttributeSet) { def fetch_value(name) = name == "title" ? "loud" : super }
    records = Array.new(3) { create }
    [0, 2].each do |at|
      set = records[at].instance_variable_get(:@attributes)
      other = loud.allocate
      set.instance_variables.each { |name| other.instance_variable_set(name, set.instance_variable_get(name)) }
      records[at].instance_variable_set(:@attributes, other)
    end
    expected = %w[loud t loud].map { |title| row(title, "b", [1]) }
    assert_equal [expected, expected], [json(records), hashes(records)]
  end

  # A record keeps the types that its class had when it was loaded.
  def test_types_that_are_declared_later
    loud = Class.new(ActiveRecord::Type::String) { def deserialize(value) = value.upcase }.new
    model = Class.new(Post) { def self.name = "RetypedPost" }
    create
    [method(:json), method(:hashes)].each do |write|
      model.attribute(:title, loud)
      loaded = model.all.to_a
      model.attribute(:title, :string)
      assert_equal %w[t T t], write.call([*model.all, *loaded, *model.all]).map { |values| values["title"] }
    end
  end

  # Only types of numbers are asked for their size.
  def test_a_type_without_a_size
    loud = Class.new(ActiveRecord::Type::String) do
      def deserialize(value) = value.upcase
      def precision = raise("not a number")
      alias_method :scale, :precision
    end.new
    model = Class.new(Post) do
      def self.name = "LoudPost"
      attribute(:title, loud)
    end
    create
    [method(:json), method(:hashes)].each do |write|
      assert_equal %w[T], write.call(model.all.to_a).map { |values| values["title"] }
    end
  end

  def test_values_that_were_read_and_changed_in_place
    [method(:json), method(:hashes)].each do |write|
      post = create.tap { |record| record.title << "!" }
      assert_equal [row("t!", "b", [1])], write.call([post])
      post.data << 2
      assert_equal [row("t!", "b", [1, 2])], write.call([post])
      assert_equal row("t!", "b", [1, 2]), post.as_json(only: %w[title body data])
    end
  end

  # The records of a batch have mostly read the same columns, but not always.
  def test_other_columns_were_read_of_the_next_record
    [method(:json), method(:hashes)].each do |write|
      first = create.tap { |record| record.title << "!" }
      second = create.tap { |record| record.body << "?" }
      third = create.tap { |record| record.data << 2 }
      expected = [row("t!", "b", [1]), row("t", "b?", [1]), row("t", "b", [1, 2])]
      assert_equal expected * 2, write.call([first, second, third] * 2)
    end
  end

  def test_other_columns_were_written_of_the_next_record
    [method(:json), method(:hashes)].each do |write|
      first = create.tap { |record| record.title = "w" }
      second = create.tap { |record| record.body = "w" }
      third = create.tap { |record| record.data = "w" }
      expected = [row("w", "b", [1]), row("t", "w", [1]), row("t", "b", "w")]
      assert_equal expected * 2, write.call([first, second, third] * 2)
    end
  end

  # Only ActiveRecord knows whether the target of a polymorphic association is still the right one.
  def test_a_loaded_polymorphic_association_whose_key_was_written
    one, two = %w[one two].map { |name| Author.create!(name: name) }
    tag = Tag.create!(subject: one)
    load_tag = -> { Tag.includes(:subject).find(tag.id) }
    assert_equal [{"subject" => {"name" => "one"}}], json([load_tag.call], TagSerializer)
    assert_equal [{"subject" => {"name" => "two"}}], json([load_tag.call.tap do |record|
      record.subject_id = two.id
    end], TagSerializer)
    changed = load_tag.call.tap do |record|
      record.assign_attributes(subject_type: "Post", subject_id: create(title: "post").id)
    end
    assert_equal [{"subject" => row("post", "b", [1])}], json([changed], TagSerializer)
    assert_equal [{"subject" => nil}], hashes([load_tag.call.tap { |record| record.subject_id = 0 }], TagSerializer)
    same_id = load_tag.call.tap { |record| record.subject_type = "Post" }
    Post.delete_all
    create(id: one.id, title: "same id")
    assert_equal [{"subject" => row("same id", "b", [1])}], json([same_id], TagSerializer)
  end

  def test_a_polymorphic_association_with_one_serializer
    Tag.insert_all!(Array.new(20) { |at| {name: "n", subject_type: "Author", subject_id: Author.create!(name: at).id} })
    serializer = Class.new(NameSerializer) { has_one :subject, serializer: NameSerializer }
    expected = Array.new(20) { |at| {"name" => "n", "subject" => {"name" => at.to_s}} }
    assert_equal expected, json(Tag.includes(:subject).order(:id).to_a, serializer)
    assert_equal expected, hashes(Tag.includes(:subject).order(:id).to_a, serializer)
  end

  class Note < ActiveRecord::Base
    self.table_name = "comments"
    belongs_to :post, optional: true
    has_one :author, through: :post
  end

  class NoteSerializer < Katsu::Serializer
    has_one :author, serializer: NameSerializer
  end

  # The same of an association that leads through another one.
  def test_a_loaded_association_through_one_whose_key_was_written
    posts = %w[one two].map { |name| create(author: Author.create!(name: name)) }
    note = Note.includes(:author).find(Note.create!(post: posts[0]).id)
    note.post_id = posts[1].id
    assert_equal [{"author" => {"name" => "two"}}], json([note], NoteSerializer)
    assert_equal [{"author" => {"name" => "two"}}], hashes([note], NoteSerializer)
  ensure
    Note.delete_all
  end

  # After that, rows are read by the new types, and not by public readers.
  def test_a_schema_that_is_loaded_again_is_bound_again
    id = Tag.create!(name: "n", weight: 5).id
    bindings = lambda do
      count = 0
      trace = TracePoint.new(:call) do |point|
        count += 1 if point.method_id == :bind && point.self.equal?(Katsu::Source)
      end
      [trace.enable { json(Array.new(3) { Tag.find(id) }, WeightSerializer) }.first["weight"], count]
    end
    first, = bindings.call
    assert_equal [5, 0], [first, bindings.call.last]
    Tag.attribute :weight, :string
    assert_equal [["5", 1], ["5", 0]], [bindings.call, bindings.call]
    assert_equal "5", Tag.find(id).as_json["weight"]
  ensure
    Tag.attribute :weight, :integer
  end

  # nil, text with escapes and what is not as its column says, each beside values that are as expected.
  def test_values_of_a_row_that_are_not_as_expected
    skip "rows of ActiveRecord 7 are Hashes" unless defined?(ActiveRecord::Result::IndexedRow)
    values = [{title: nil}, {title: "\"ü\\\n"}, {created_at: nil}, {views: nil}, {draft: true}, {rating: -0.0},
              {day: Date.new(2024, 2, 29)}, {created_at: Time.utc(2024, 2, 29, 23, 59, 59.5r)}, {data: nil}]
    ids = values.map { |given| create(created_at: Time.utc(2026), draft: false, **given).id }
    expected = Post.find(ids).map { |post| post.as_json(only: ColumnsSerializer::COLUMNS) }
    assert_columns(expected, ids)
    own = Post.find(ids).each { |post| def post.title = "own" }
    assert_equal ["own"], json(own, ColumnsSerializer).map { |row| row["title"] }.uniq
  end

  # Days and times that do not exist, and forms that Rails reads and Katsu does not know.
  def test_texts_of_times_in_a_row
    texts = ["2023-02-29 00:00:00", "2024-02-29 00:00:00", "2024-04-31 00:00:00", "2024-13-01 00:00:00",
             "2024-00-01 00:00:00", "2024-01-00 00:00:00", "2024-01-01 24:00:00", "2024-01-01 23:60:00",
             "2024-01-01 23:59:60", "2024-01-01 23:59:59.", "2024-01-01 23:59:59.1", "2024-01-01 23:59:59.12",
             "2024-01-01 23:59:59.1239999", "2024-01-01T23:59:59", "1599-12-31 00:00:00", "1600-02-29 00:00:00",
             "1900-02-29 00:00:00", "0024-01-01 00:00:00", "2O24-01-01 00:00:00", "2024-01-0/ 00:00:00",
             "2024-01-01 00:00:00.12x", "2024-01-01 00:00", "", "2024-01-01", "2024-01-01 00:00:00 +0200"]
    ids = texts.map do |text|
      create.id.tap { |id| Post.where(id: id).update_all(["created_at = ?, day = ?", text, text[0, 10]]) }
    end
    expected = Post.find(ids).map { |post| post.as_json(only: ColumnsSerializer::COLUMNS) }
    assert_columns(expected, ids)
  end

  # As pg makes of a timestamp, and others. A year of more than four digits makes the text longer.
  def test_times_in_a_row
    times = [Time.utc(2024, 2, 29, 1, 2, 3.1239), Time.utc(9999, 12, 31), Time.utc(12_026), Time.utc(0), Time.utc(-43),
             Time.utc(999), Time.new(2024, 1, 1, 0, 0, 0, "+02:00"), Time.at(0), nil, 5,
             Date.new(2024, 1, 2), DateTime.new(2024, 1, 2, 3, 4, 5), Class.new(Time).utc(2024, 1, 2)]
    result = ActiveRecord::Result.new(%w[id created_at], times.each_with_index.map { |time, id| [id, time] })
    rows = result.respond_to?(:indexed_rows) ? result.indexed_rows : result.to_a
    make = -> { rows.map { |row| Post.instantiate(row) } }
    serializer = Class.new(Katsu::Serializer) { attributes :id, :created_at }
    expected = make.call.map { |post| post.as_json(only: %i[id created_at]) }
    assert_equal expected, JSON.parse(watched { serializer.many(make.call).to_json })
    assert_equal expected, watched { serializer.many(make.call).to_a }
  end

  # As an application may make them: the Hash of a row's names, not frozen, says something else the next time.
  def test_names_of_rows_that_change
    skip "rows of ActiveRecord 7 are Hashes" unless defined?(ActiveRecord::Result::IndexedRow)
    positions = {"id" => 0, "title" => 1, "body" => 2}
    row = ActiveRecord::Result::IndexedRow.new(positions, [1, "a", "b"])
    serializer = Class.new(Katsu::Serializer) { attributes :title, :id }
    written = -> { JSON.parse(watched { serializer.many([Post.instantiate(row)]).to_json }) }
    assert_equal [{"title" => "a", "id" => 1}], written.call
    positions["title"] = 2
    assert_equal [{"title" => "b", "id" => 1}], written.call
  end

  # As an application may make them. What was taken off a row is still in its memory.
  def test_rows_that_end_early
    given = [[1, "a", "b"], [2, "a", "b"], [3, "a", "b"], [4, "a", "b"]]
    given.each_with_index { |row, index| row.pop(index) }
    result = ActiveRecord::Result.new(%w[id title body], given)
    rows = result.respond_to?(:indexed_rows) ? result.indexed_rows : result.to_a
    make = -> { rows.map { |row| Post.instantiate(row) } }
    serializer = Class.new(Katsu::Serializer) { attributes :id, :title, :body }
    expected = make.call.map { |post| post.as_json(only: %i[id title body]) }
    assert_equal [2, "a", nil], expected[1].values
    2.times do
      assert_equal expected, JSON.parse(watched { serializer.many(make.call).to_json })
      assert_equal expected, watched { serializer.many(make.call).to_a }
    end
  end

  # From some number of variations on, Ruby keeps the variables of a class's objects in tables.
  def test_records_with_variables_of_their_own
    posts = Array.new(40) do |index|
      create(title: "t#{index}").tap do |post|
        post.instance_variable_set("@own_#{index}", index)
      end
    end
    late = Array.new(40) do |index|
      Post.allocate.tap do |post|
        post.instance_variable_set("@first_#{index}",
                                   5)
      end.init_with_attributes(posts[index].instance_variable_get(:@attributes))
    end
    expected = Array.new(40) { |index| row("t#{index}", "b", [1]) }
    2.times do
      assert_equal expected, json(posts)
      assert_equal expected, hashes(late)
      assert_equal expected.zip(expected).flatten, json(posts.zip(late).flatten)
    end
  end
end
