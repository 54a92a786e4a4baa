# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/tables"
require "stringio"

# The rows of queries through a plan, compared with the records of the same queries.
class QueryTablesTest < TestCase
  include Tables

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :body, :data, :views, :big, :draft, :rating, :price, :day, :clock, :created_at, :short_at
    has_one :author, serializer: AuthorSerializer
    has_many :comments, serializer: CommentSerializer
  end

  class FieldSerializer < Katsu::Serializer
    attributes :id, :loud, :shout
    attribute(:seen) { |post| context[:seen] << post.id }
    attribute :views, if: -> { object.views.to_i > 1 }
    attribute(:left) { SKIP }
    has_many :comments, serializer: CommentSerializer
    def loud = "#{object.title}!"
    def comments = object.comments.to_a.first(1)
  end

  class AuthorTreeSerializer < Katsu::Serializer
    attributes :name
    has_many :pupils, serializer: "QueryTablesTest::AuthorTreeSerializer", depth: 2
  end

  class MentionedSerializer < Katsu::Serializer
    attributes :name, :mentions
  end

  def setup
    skip "the ruby backend has no tables yet" unless Katsu::Plan.method_defined?(:generate_table)
    teardown
    fill
  end

  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def fill
    ada = Author.create!(name: "Ada \"é漢\"")
    bob = Author.create!(name: "Bob", mentor: ada)
    Author.create!(name: "Cy", mentor: bob)
    4.times do |i|
      post = Post.create!(title: "T#{i}\n", body: i.odd? ? nil : "ü" * 40, author: [ada, bob, nil, ada][i],
                          data: [{"a" => i}, nil, "x", [1.5]][i], views: i,
                          big: 2**40 + i, draft: [true, false, nil, true][i], rating: [1.5, -2.25e-7, nil, 1e20][i],
                          price: ["1.50", nil, "-12.25", "0"][i],
                          day: Date.new(2024, 2, 27) + i, clock: "12:30:00",
                          created_at: Time.utc(2026, 1, 2, 3, 4, 5, 678_901 + i),
                          short_at: i.zero? ? nil : Time.utc(1500 + i))
      (i % 3).times { |j| Comment.create!(post: post, body: "c#{i}#{j}") }
    end
  end

  def posts_table
    posts = table(Post.order(:id))
    posts.edges[:author] = edge(table(Author.all), "author_id", "id", parent: posts)
    posts.edges[:comments] = edge(table(Comment.order(id: :desc)), "id", "post_id", parent: posts, many: true)
    posts
  end

  def posts
    Post.order(:id).preload(:author).to_a.each do |post|
      post.association(:comments).target = post.comments.order(id: :desc).to_a
    end
  end

  def plan(serializer = PostSerializer) = serializer.new.send(:plan)

  def generate_table(plan, table, context = nil, scope = nil) = watched { plan.generate_table(table, context, scope) }

  def test_documents_are_those_of_the_records
    plan = Katsu::Plan.for(PostSerializer, nil, nil)
    expected = plan.generate_all(posts, nil, nil)
    assert_equal expected, generate_table(plan, posts_table)
    assert_equal plan.build_all(posts, nil, nil), watched { plan.build_table(posts_table, nil, nil) }
    assert_equal Encoding::UTF_8, generate_table(plan, posts_table).encoding
  end

  def test_filters
    plan = Katsu::Plan.for(PostSerializer, {instance: [:id, :author], author: [:name]}, nil)
    assert_equal plan.generate_all(posts, nil, nil), generate_table(plan, posts_table)
  end

  def test_chunks_and_lines
    plan = Katsu::Plan.for(PostSerializer, nil, nil)
    array = StringIO.new
    assert_same array, watched { plan.write_table(posts_table, nil, nil, array, false) }
    assert_equal plan.generate_all(posts, nil, nil), array.string
    lines = watched { plan.write_table(posts_table, nil, nil, StringIO.new, true).string }
    assert_equal posts.map { |post| "#{plan.generate(post, nil, nil)}\n" }.join, lines
  end

  def test_method_fields_blocks_and_conditions_are_given_the_object_of_the_row
    plan = Katsu::Plan.for(FieldSerializer, nil, nil)
    seen = []
    Tables.made.clear
    posts = Post.order(:id).to_a
    expected = plan.generate_all(posts, {seen: []}, nil)
    assert_equal expected, generate_table(plan, table(Post.order(:id)), {seen: seen})
    assert_equal Post.ids.sort, seen
    assert_equal posts.size, Tables.made[:row_object], "one a row"
    hashes = watched { plan.build_table(table(Post.order(:id)), {seen: []}, nil) }
    assert_equal plan.build_all(posts, {seen: []}, nil), hashes
  end

  def test_associations_within_themselves
    tree = table(Author.order(:id))
    inner = tree
    3.times do
      child = table(Author.order(:id))
      inner.edges[:pupils] = edge(child, "id", "mentor_id", parent: inner, many: true)
      inner = child
    end
    plan = Katsu::Plan.for(AuthorTreeSerializer, nil, nil)
    assert_equal plan.generate_all(Author.order(:id).to_a, nil, nil), generate_table(plan, tree)
    assert_equal plan.build_all(Author.order(:id).to_a, nil, nil), plan.build_table(tree, nil, nil)
  end

  def test_columns_that_only_the_query_has
    scope = Author.order(:id).select("authors.*, id * 2 AS mentions")
    plan = Katsu::Plan.for(MentionedSerializer, nil, nil)
    assert_equal plan.generate_all(scope.to_a, nil, nil), generate_table(plan, table(scope))
  end

  def test_keys_of_several_columns
    posts = table(Post.order(:id))
    posts.edges[:author] =
Tables::Edge.new(table(Author.all), [posts.columns["author_id"], posts.columns["author_id"]], [0, 0], false)
    posts.edges[:comments] = edge(table(Comment.all), "id", "post_id", parent: posts, many: true)
    plan = Katsu::Plan.for(PostSerializer, nil, nil)
    expected = plan.generate_all(Post.order(:id).preload(:author, :comments).to_a, nil, nil)
    assert_equal expected, generate_table(plan, posts)
  end

  def test_a_key_of_eight_columns
    posts = posts_table
    posts.edges[:comments] = edge(table(Comment.all), ["id"] * 8, ["post_id"] * 8, parent: posts, many: true)
    plan = Katsu::Plan.for(PostSerializer, nil, nil)
    expected = plan.generate_all(Post.order(:id).preload(:author, :comments).to_a, nil, nil)
    assert_equal expected, generate_table(plan, posts)
  end

  # The field drops the last row.
  def test_rows_that_end_too_early
    posts = table(Post.order(:id))
    dropping = Class.new(Katsu::Serializer) do
      attributes :id
      attribute(:dropped) { |_, rows| rows.pop && 1 }
    end
    error = assert_raises(Katsu::Error) { Katsu::Plan.for(dropping, nil, nil).generate_table(posts, posts.rows, nil) }
    assert_match(/the rows end before row \d+/, error.message)
  end

  def test_many_keys
    rows = Array.new(5_000) { |i| [i, i / 3 * 7] }
    parents = Tables::Table.new(Post, {"id" => 0}, Post.attribute_types, Array.new(2_000) { |i| [i * 7] }, {})
    children = Tables::Table.new(Comment, {"id" => 0, "post_id" => 1}, Comment.attribute_types, rows, {})
    parents.edges[:comments] = edge(children, "id", "post_id", parent: parents, many: true)
    plan = Katsu::Plan.for(PostSerializer, {instance: [:id, :comments], comments: [:id]}, nil)
    written = JSON.parse(plan.generate_table(parents, nil, nil))
    by_post = rows.group_by(&:last)
    assert_equal Array.new(2_000) { |i|
      by_post.fetch(i * 7, []).map(&:first)
    }, written.map { |post|
         post.fetch("comments").map { |comment|
           comment["id"]
         }
       }
  end

  def test_no_rows
    empty = table(Post.none)
    plan = Katsu::Plan.for(PostSerializer, nil, nil)
    assert_equal "[]", generate_table(plan, empty)
    assert_equal [], plan.build_table(empty, nil, nil)
    assert_equal "", plan.write_table(empty, nil, nil, StringIO.new, true).string
  end

  def test_rows_by_their_numbers
    plan = Katsu::Plan.for(PostSerializer, {instance: [:id, :title, :comments]}, nil)
    all = JSON.parse(plan.generate_table(posts_table, nil, nil))
    [[], [0], [3, 1, 1, 2], [2, 0]].each do |numbers|
      texts = watched { plan.row_texts(posts_table, numbers, nil, nil) }
      assert_equal all.values_at(*numbers), texts.map { |text| JSON.parse(text) }
      assert_equal texts.map { |text| text.dup.force_encoding("UTF-8").ascii_only? }, texts.map(&:ascii_only?)
      assert_equal all.values_at(*numbers), watched { plan.build_rows(posts_table, numbers, nil, nil) }
    end
    %i[row_texts build_rows].each do |call|
      [4, -1, 2**40].each do |number|
        error = assert_raises(Katsu::Error) { plan.public_send(call, posts_table, [0, number], nil, nil) }
        assert_equal "there is no row #{number}", error.message
      end
      assert_raises(TypeError) { plan.public_send(call, posts_table, "0", nil, nil) }
      assert_raises(TypeError) { plan.public_send(call, posts_table, [nil], nil, nil) }
    end
  end

  def test_errors_have_the_path
    Comment.last.update!(body: "boom")
    raising = Class.new(Katsu::Serializer) do
      attributes :id, :body
      def self.name = "RaisingSerializer"
      def body = object.body == "boom" ? raise(KeyError, "no") : object.body
    end
    outer = Class.new(Katsu::Serializer) do
      attributes :id
      def self.name = "OuterSerializer"
      has_many :comments, serializer: raising
    end
    plan = Katsu::Plan.for(outer, nil, nil)
    expected = assert_raises(KeyError) { plan.generate_all(posts, nil, nil) }
    [:generate_table, :build_table].each do |call|
      error = assert_raises(KeyError) { plan.public_send(call, posts_table, nil, nil) }
      assert_equal expected.detailed_message, error.detailed_message
    end
  end

  def test_text_that_is_no_json
    Post.connection.execute("UPDATE posts SET data = '{no' WHERE id = #{Post.ids.min}")
    plan = Katsu::Plan.for(PostSerializer, [:id, :data], nil)
    expected = assert_raises(Katsu::GeneratorError) { plan.generate_all(posts, nil, nil) }
    [:generate_table, :build_table].each do |call|
      error = assert_raises(Katsu::GeneratorError) { plan.public_send(call, posts_table, nil, nil) }
      assert_equal expected.message, error.message
    end
  end

  # Integers as a driver may give them: as text, on one side of an edge or on both.
  def test_keys_that_their_types_read
    plan = Katsu::Plan.for(PostSerializer, {instance: [:id, :author, :comments], author: [:name]}, nil)
    expected = plan.generate_all(posts, nil, nil)
    [[true, false], [false, true], [true, true]].each do |outer, inner|
      table = posts_table
      author = table.columns["author_id"]
      table.rows = table.rows.map { |row| row.dup.tap { |copy| copy[author] &&= copy[author].to_s } } if outer
      table.edges[:author].table.rows.map! { |row| [row[0].to_s, *row.drop(1)] } if inner
      assert_equal expected, generate_table(plan, table)
    end
  end

  # Integers to be that are no text at all: nil to their type, on both sides of an edge.
  def test_keys_that_are_nil_to_their_types
    posts = posts_table
    author = posts.columns["author_id"]
    posts.rows = posts.rows.map { |row| row.dup.tap { |copy| copy[author] = "" } }
    posts.edges[:author].table.rows.map! { |row| ["", *row.drop(1)] }
    plan = Katsu::Plan.for(PostSerializer, {instance: [:author], author: [:name]}, nil)
    assert_equal JSON.generate([{author: nil}] * 4), generate_table(plan, posts)
  end

  def test_what_is_no_table
    plan = Katsu::Plan.for(PostSerializer, nil, nil)
    without_edges = assert_raises(Katsu::Error) { plan.generate_table(table(Post.all), nil, nil) }
    assert_includes without_edges.message,
                    "QueryTablesTest::PostSerializer: there are no rows for its association author"
    no_hash = posts_table.tap { |posts| posts.edges = :none }
    assert_equal without_edges.message, assert_raises(Katsu::Error) { plan.generate_table(no_hash, nil, nil) }.message
    by_class = Class.new(Katsu::Serializer) { has_one :author, serializer: {Author => AuthorSerializer} }
    assert_match(/there are no rows for its association author/, assert_raises(Katsu::Error) {
      Katsu::Plan.for(by_class, nil, nil).generate_table(posts_table, nil, nil)
    }.message)
    uneven = posts_table.tap { |posts| posts.edges[:author].key = [0, 1] }
    assert_includes assert_raises(Katsu::Error) {
      plan.generate_table(uneven, nil, nil)
    }.message, "an edge's keys have 2 and 1 columns"
    assert_raises(NoMethodError) { plan.generate_table(Object.new, nil, nil) }
    without = posts_table.tap { |posts| posts.columns = posts.columns.except("title") }
    assert_raises(Katsu::UnknownAttributeError) { plan.generate_table(without, nil, nil) }
    %i[columns types].each do |name|
      other = posts_table.tap { |posts| posts.public_send(:"#{name}=", [5]) }
      assert_raises(TypeError) { plan.generate_table(other, nil, nil) }
    end
    short = posts_table.tap { |posts| posts.rows = [[1]] }
    assert_includes assert_raises(Katsu::Error) {
      plan.generate_table(short, nil, nil)
    }.message, "row 0 has no value at position 1"
    [5, nil, "text", Object.new].each do |row|
      other = posts_table.tap { |posts| posts.rows = [row] }
      error = assert_raises(Katsu::Error) { plan.generate_table(other, nil, nil) }
      assert_includes error.message, "row 0 has no value at position"
    end
    before = posts_table.tap { |posts| posts.columns = {**posts.columns, "title" => -1} }
    assert_includes assert_raises(Katsu::Error) {
      plan.generate_table(before, nil, nil)
    }.message, "a column is at position -1, which the rows have not"
    wrong = posts_table.tap { |posts| posts.rows = 5 }
    assert_raises(TypeError) { plan.generate_table(wrong, nil, nil) }
  end

  def test_objects_allocated_do_not_grow_with_the_rows
    skip "counts objects" unless normal_run? && native?

    plan = Katsu::Plan.for(PostSerializer, {instance: [:id, :title, :created_at, :author], author: [:id, :name]}, nil)
    few = measured(plan, 100)
    assert_operator few, :<, 100
    assert_equal few, measured(plan, 10_000)
  end

  def measured(plan, count)
    rows = Array.new(count) { |i| [i, "title", "2026-01-02 03:04:05.678901", i % 10] }
    posts = Tables::Table.new(Post, {"id" => 0, "title" => 1, "created_at" => 2, "author_id" => 3},
                              Post.attribute_types, rows, {})
    authors = Tables::Table.new(Author, {"id" => 0, "name" => 1}, Author.attribute_types, Array.new(10) do |i|
      [i, "n"]
    end, {})
    posts.edges[:author] = edge(authors, "author_id", "id", parent: posts)
    allocations { plan.generate_table(posts, nil, nil) }
  end
end
