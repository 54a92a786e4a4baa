# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/tables"

# Rows of texts as mysql2 gives them, made here: no server is needed. test/databases compares those of servers.
class Mysql2RowsTest < TestCase
  include Tables

  Rows = defined?(Katsu::Native) ? Katsu::Native::Mysql2Rows : nil
  TYPES = ["bigint(20)", "varchar(255)", "decimal(10,2)", "double", "datetime(6)", "date", "int unsigned"].freeze
  TEXTS = ["12", "é", "-1.50", "1.5e-05", "2026-11-28 13:24:35.678901", "2026-11-28", nil].freeze

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :price, :rating, :created_at, :day, :views
  end

  def setup
    skip "drivers' rows are read natively" unless native?
  end

  def read(texts, types = TYPES) = Rows.read(texts, Rows.kinds(types))

  def test_values
    rows = read([TEXTS, [nil] * 7])
    assert_equal [12, "é", BigDecimal("-1.5"), 1.5e-05, Time.utc(2026, 11, 28, 13, 24, 35, 678_901),
                  Date.new(2026, 11, 28), nil], rows[0]
    assert_equal [nil] * 7, rows[1]
  end

  def test_documents
    names = %w[id title price rating created_at day views]
    table = Tables::Table.new(Post, names.each_with_index.to_h, Post.attribute_types, read([TEXTS]), {})
    plan = Katsu::Plan.for(PostSerializer, nil, nil)
    record = Post.instantiate(names.zip(read([TEXTS])[0]).to_h)
    assert_equal plan.generate_all([record], nil, nil), watched { plan.generate_table(table, nil, nil) }
    assert_equal plan.build_all([record], nil, nil), watched { plan.build_table(table, nil, nil) }
  end

  # Integers of keys, as texts; those of more than 18 digits are read in another way.
  def test_keys
    ids = ["1", "11", "-1", nil, "#{10**17}", "#{10**18 + 5}"]
    posts = Tables::Table.new(Post, {"id" => 0}, Post.attribute_types,
                              read(ids.map { |id| [id, nil] }, %w[bigint datetime]), {})
    children = [["5", "11"], ["6", "-1"], ["7", nil], ["8", "1"], ["9", "11"], ["10", "#{11 * 10**17}"],
                ["11", "#{10**18 + 5}"]]
    comments = Tables::Table.new(Comment, {"id" => 0, "post_id" => 1, "at" => 2}, Comment.attribute_types,
                                 read(children.map { |row| [*row, nil] }, %w[bigint bigint datetime]), {})
    posts.edges[:comments] = edge(comments, "id", "post_id", parent: posts, many: true)
    child = Class.new(Katsu::Serializer) { attributes :id }
    serializer = Class.new(Katsu::Serializer) { has_many :comments, serializer: child }
    plan = Katsu::Plan.for(serializer, nil, nil)
    expected = [[8], [5, 9], [6], [], [], [11]].map { |ids| {comments: ids.map { |id| {id: id} }} }
    assert_equal JSON.generate(expected), watched { plan.generate_table(posts, nil, nil) }
  end

  def test_texts_that_are_not_of_their_kinds
    TEXTS.each_index do |column|
      read = read([TEXTS.dup.tap { |texts| texts[column] = "1e+" }])
      column == 1 ? assert(read) : assert_nil(read, TYPES[column])
    end
    assert_nil read([TEXTS.drop(1)])
    assert_nil Rows.kinds(%w[datetime time])
    assert_nil Rows.kinds(%w[bigint int]), "texts would gain nothing"
  end

  def test_cleared_rows_are_an_error
    rows = read([TEXTS])
    2.times { assert_nil rows.clear }
    assert_raises(Katsu::Error) { rows.value(0, 0) }
    assert_raises(Katsu::Error) { Rows.allocate.size }
  end
end
