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
  end

  # After that, rows are read by the new types, and not by public readers.
  def test_a_schema_that_is_loaded_again_is_bound_again
    id = Tag.create!(name: "n", weight: 5).id
    bindings = lambda do
      count = 0
      trace = TracePoint.new(:call) { |point| count += 1 if point.method_id == :bind && point.self.equal?(Katsu::Source) }
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
