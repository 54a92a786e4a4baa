# frozen_string_literal: true

require "support/test_case"
require "conformance/differential_test"
require "support/tables"
require "objspace"
require "timeout"

# SQLite's rows read without Ruby objects, compared with records.
class SqliteRowsTest < TestCase
  Rows = defined?(Katsu::Native) ? Katsu::Native::SqliteRows : nil
  Drivers = Katsu::Query::Drivers

  # A database of its own.
  class Base < ActiveRecord::Base
    self.abstract_class = true
    establish_connection(adapter: "sqlite3", database: ":memory:", timeout: 100)
    connection.create_table(:driver_posts) do |t|
      t.string :title
      t.text :body
      t.float :rating
      t.decimal :price, precision: 10, scale: 2
      t.boolean :draft
      t.datetime :made_at
      t.binary :blob
      t.json :data
    end
    connection.create_table(:driver_comments) do |t|
      t.references :post
      t.string :body
    end
    connection.create_table(:driver_shelves, id: :string)
    connection.create_table(:driver_books) { |t| t.string :shelf_id }
  end

  class Comment < Base
    self.table_name = "driver_comments"
  end

  class Post < Base
    self.table_name = "driver_posts"
    has_many :comments, -> { order(:id) }, class_name: "SqliteRowsTest::Comment", foreign_key: :post_id
  end

  class Book < Base
    self.table_name = "driver_books"
  end

  # Runs code of the application for each key.
  class Hooked < ActiveRecord::Type::String
    class << self
      attr_accessor :hook
    end

    def deserialize(value)
      self.class.hook&.call
      super
    end
  end

  class HookedBook < Book
    attribute :shelf_id, Hooked.new
  end

  class Shelf < Base
    self.table_name = "driver_shelves"
    has_many :books, -> { order(:id) }, class_name: "SqliteRowsTest::Book", foreign_key: :shelf_id
    has_many :hooked_books, -> { order(:id) }, class_name: "SqliteRowsTest::HookedBook", foreign_key: :shelf_id
  end

  # Its keys are integers in the database and text in the model.
  class TextPost < Base
    self.table_name = "driver_posts"
    attribute :id, :string
    has_many :books, -> { order(:id) }, class_name: "SqliteRowsTest::Book", foreign_key: :shelf_id
  end

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :body, :rating, :price, :draft, :made_at, :data
    has_many :comments, serializer: CommentSerializer
  end

  class RaisingSerializer < Katsu::Serializer
    attributes :id
    attribute(:title, needs: [:title]) { |post| post.title == "t3" ? raise("stop") : post.title }
  end

  # Counts the results that are read as driver's rows, and keeps them if a test wants them.
  module Counted
    def read(*)
      super.tap do |rows|
        SqliteRowsTest.served += 1
        SqliteRowsTest.read&.push(rows)
      end
    end
  end
  Rows&.singleton_class&.prepend(Counted)

  class << self
    attr_accessor :served, :read
  end
  self.served = 0

  def setup
    skip "drivers' rows are read natively" unless native?
    fill
  end

  def teardown
    [Comment, Post, Book, Shelf].each(&:delete_all)
  end

  def fill
    8.times do |i|
      post = Post.create!(title: i.zero? ? nil : "t#{i}", body: "é \"漢\" #{i}\n",
                          rating: [1.5, nil, -2.25e-7, 1e20, 3.0][i % 5], data: [[i], nil][i % 2],
                          price: ["1.50", nil, "-12.25", "0"][i % 4], draft: [true, false, nil][i % 3],
                          made_at: Time.utc(2026, 1, 2, 3, 4, 5, 678_901), blob: "\x00\xFF")
      (i % 3).times { |j| Comment.create!(post_id: post.id, body: "c#{j}") }
    end
  end

  def connection = Base.connection
  def posts = Post.order(:id)
  def records = Katsu::ArraySerializer.new(posts.preload(:comments).to_a, each_serializer: PostSerializer).to_json

  def served
    before = self.class.served
    yield
    self.class.served - before
  end

  def read(sql)
    raw = connection.raw_connection
    statement = known(raw, sql)
    Rows.read(Drivers::Sqlite.handle(raw), statement)
  ensure
    statement&.close
  end

  def known(raw, sql)
    raw.prepare(sql).tap { |statement| Rows.know(Drivers::Sqlite.handle(raw), statement, sql) }
  end

  def test_documents_are_those_of_the_records
    written = nil
    assert_equal(2, served { written = watched { PostSerializer.many(posts).to_json } })
    assert_equal records, written
    assert_equal JSON.parse(records), JSON.parse(JSON.generate(watched { PostSerializer.many(posts).to_a }))
    assert_equal "[]", PostSerializer.many(posts.where("1 = 0")).to_json
  end

  # A first row that is not as it lies in SQLite's memory leaves all rows to the gem.
  def test_a_first_row_that_is_another
    raw = connection.raw_connection
    [[1, "a"], ["1", "a"], [1, "b"], [1], [1, "a", nil]].each do |first|
      statement = known(raw, "SELECT 1 AS x, 'a' AS y")
      statement.define_singleton_method(:step) { super() && first }
      read = Rows.read(Drivers::Sqlite.handle(raw), statement)
      assert_equal first == [1, "a"], read ? true : false, first.inspect
    ensure
      statement&.close
    end
  end

  # One character that is not ASCII, or a byte that is no text, at each place of the blocks that are looked at.
  def test_texts_that_are_not_ascii
    40.times do |at|
      post = Post.create!(title: "#{"a" * at}é#{"b" * (40 - at)}")
      text = PostSerializer.many(Post.where(id: post.id), only: [:title]).to_json
      assert_equal %([{"title":"#{post.title}"}]), text
      refute_predicate text, :ascii_only?
      Post.where(id: post.id).update_all("title = CAST(x'#{"61" * at}c3#{"62" * (40 - at)}' AS TEXT)")
      assert_raises(Katsu::GeneratorError) { PostSerializer.many(Post.where(id: post.id), only: [:title]).to_json }
    end
    Post.update_all("title = CAST(x'80' AS TEXT)")
    assert_raises(Katsu::GeneratorError) { PostSerializer.many(Post.limit(1), only: [:title]).to_json }
  end

  # SQLite keeps text in a column of integers that is no number.
  def test_integers_that_are_text
    comment = Comment.create!(body: "c", post_id: 7)
    serializer = Class.new(Katsu::Serializer) { attributes :post_id }
    rows = -> { serializer.many(Comment.where(id: comment.id)) }
    assert_equal [{"post_id" => 7}], rows.call.to_a
    Comment.where(id: comment.id).update_all("post_id = '12 posts'")
    assert_equal [{"post_id" => 12}], rows.call.to_a
    assert_equal '[{"post_id":12}]', rows.call.to_json
  end

  # A database that keeps texts as UTF-16.
  def test_texts_of_another_encoding
    raw = SQLite3::Database.new(":memory:")
    raw.execute("PRAGMA encoding = 'UTF-16le'")
    raw.execute("CREATE TABLE texts (text TEXT)")
    raw.execute("INSERT INTO texts VALUES ('a漢z'), ('b'), ('')")
    statement = known(raw, "SELECT text FROM texts")
    assert_equal [["a漢z"], ["b"], [""]], Rows.read(Drivers::Sqlite.handle(raw), statement).each.to_a
  ensure
    statement&.close
    raw&.close
  end

  # Text of a JSON column that is JSON but for a byte that is no text.
  def test_json_that_is_no_text
    post = Post.create!(title: "p")
    Post.where(id: post.id).update_all("data = CAST(x'5b22c3225d' AS TEXT)")
    rows = PostSerializer.many(Post.where(id: post.id), only: %i[id data])
    error = assert_raises(Katsu::GeneratorError) { watched { rows.to_json } }
    assert_match(/data of #{Post} with id #{post.id} is not JSON/, error.message)
  end

  def test_keys_of_text
    keys = ["a", "A", "ab", "ba", "ü", "\u{65e5}", "x" * 300, "#{"x" * 299}y"]
    keys.each { |key| Shelf.create!(id: key) }
    (keys * 2).push("b", "", nil).each { |key| Book.create!(shelf_id: key) }
    item = Class.new(Katsu::Serializer) { attributes :id }
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      has_many :books, serializer: item
    end
    expected = Katsu::ArraySerializer.new(Shelf.order(:id).preload(:books).to_a, each_serializer: serializer).to_json
    assert_equal(2, served { assert_equal expected, watched { serializer.many(Shelf.order(:id)).to_json } })
  end

  def test_keys_that_are_text_to_their_types_only
    TextPost.order(:id).each_slice(3) { |post, *| Book.create!(shelf_id: post.id) }
    item = Class.new(Katsu::Serializer) { attributes :id, :shelf_id }
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      has_many :books, serializer: item
    end
    relation = TextPost.order(:id)
    expected = Katsu::ArraySerializer.new(relation.preload(:books).to_a, each_serializer: serializer).to_json
    assert_equal 3, expected.scan("shelf_id").size
    assert_equal(2, served { assert_equal expected, watched { serializer.many(relation).to_json } })
  end

  # What reads the key of a child may clear the rows of the parents, of whose key the text is compared then.
  def test_rows_that_are_cleared_while_keys_are_compared
    Shelf.create!(id: "k" * 30_000)
    Book.create!(shelf_id: "k" * 30_000)
    item = Class.new(Katsu::Serializer) { attributes :id }
    serializer = Class.new(Katsu::Serializer) { has_many :hooked_books, serializer: item }
    expected = %([{"hooked_books":[{"id":#{Book.last.id}}]}])
    outcomes = (1..4).map do |at|
      self.class.read = []
      Hooked.hook = -> { self.class.read.each(&:clear) if (at -= 1).zero? }
      serializer.many(Shelf.all).to_json
    rescue Katsu::Error => e
      e.message
    end
    assert_equal ["the rows have been cleared", expected], outcomes.uniq
  ensure
    self.class.read = Hooked.hook = nil
  end

  def test_every_type
    SqliteDifferentialTest.models.each do |model|
      SqliteDifferentialTest.serializers.each do |name, serializer|
        expected = outcome { Katsu::ArraySerializer.new(model.order(:id).to_a, each_serializer: serializer).to_json }
        actual = nil
        assert_equal(1, served { actual = outcome { serializer.many(model.order(:id)).to_json } }, name.inspect)
        assert_equal expected, actual, name.inspect
      end
    end
  end

  # The document, or :error.
  def outcome
    yield
  rescue StandardError
    :error
  end

  def test_values_are_those_of_active_record
    sql = "SELECT *, 1 AS one, 9223372036854775807 AS big, x'00ff' AS bytes, '' AS empty FROM driver_posts"
    expected = connection.select_all(sql)
    rows = watched { read(sql) }
    assert_equal expected.columns, rows.columns
    assert_equal expected.rows, rows.to_a
    assert_equal expected.rows, rows.each.to_a
    assert_equal expected.rows.flatten.map { |value| value.is_a?(String) ? value.encoding : nil },
                 rows.to_a.flatten.map { |value| value.is_a?(String) ? value.encoding : nil }
    assert_equal expected.rows.map(&:first), rows.column(0)
    [rows.size, -1].each { |row| assert_nil rows[row] }
    [rows.size, -1].each { |row| assert_raises(IndexError) { rows.value(row, 0) } }
    [rows.columns.size, -1].each { |column| assert_raises(IndexError) { rows.value(0, column) } }
  end

  def test_cleared_rows_are_an_error
    rows = read("SELECT 1 AS a")
    2.times { assert_nil rows.clear }
    assert_raises(Katsu::Error) { rows.value(0, 0) }
    assert_raises(Katsu::Error) { Rows.allocate.size }
    assert_equal ObjectSpace.memsize_of(Rows.allocate), ObjectSpace.memsize_of(rows)
  end

  def title_table(rows, position = 0)
    Tables::Table.new(Post, {"title" => position}, Post.attribute_types, rows, {})
  end

  def title_plan = Katsu::Plan.for(PostSerializer, [:title], nil)

  def test_columns_that_the_rows_have_not
    [1, 2, -1].each do |position|
      table = title_table(read("SELECT 'a' AS title"), position)
      error = assert_raises(Katsu::Error) { title_plan.generate_table(table, nil, nil) }
      assert_equal "a column is at position #{position}, which the rows have not", error.message
    end
  end

  def test_a_column_with_another_type_than_the_models
    type = Class.new(ActiveRecord::Type::String) { def deserialize(value) = value.upcase }.new
    table = Tables::Table.new(Post, {"title" => 0}, {"title" => type}, read("SELECT 'a' AS title"), {})
    assert_equal '[{"title":"A"}]', title_plan.generate_table(table, nil, nil)
    assert_equal [{"title" => "A"}], title_plan.build_table(table, nil, nil)
  end

  # Of parents and of children, of which the last have no columns at all.
  def test_keys_that_the_rows_have_not
    one = -> { read("SELECT 1 AS id") }
    none = -> { read("DROP TABLE IF EXISTS none") }
    [[one, 1, one, 0], [one, 0, one, 1], [one, -1, one, 0], [one, 0, none, 0]].each do |parents, key, rows, child_key|
      inner = Tables::Table.new(Comment, {}, Comment.attribute_types, rows.call, {})
      table = Tables::Table.new(Post, {"id" => 0}, Post.attribute_types, parents.call, {})
      table.edges[:comments] = Tables::Edge.new(inner, key, child_key, true)
      plan = Katsu::Plan.for(PostSerializer, {instance: [:id, :comments], comments: [:id]}, nil)
      error = assert_raises(Katsu::Error) { plan.generate_table(table, nil, nil) }
      assert_match(/an edge's key is at position -?\d, which the rows have not/, error.message)
    end
  end

  # In Hashes, of a column of text.
  def test_hashes_of_what_is_no_text
    ["7", "1.5", "CAST(x'80' AS TEXT)", "CAST(x'c3a9' AS TEXT)", "NULL"].each do |value|
      rows = read("SELECT #{value} AS title")
      title = Post.instantiate("title" => rows.value(0, 0)).title
      built = title_plan.build_table(title_table(rows), nil, nil).first.values.first
      title.nil? ? assert_nil(built) : assert_equal(title, built)
      assert_equal title.valid_encoding?, built.valid_encoding? if title
    end
  end

  # In Hashes, of a column of integers.
  def test_hashes_of_what_is_no_integer
    ["7", "1.5", "-2.0", "'12'", "'x'", "''", "x'31'", "NULL"].each do |value|
      rows = read("SELECT #{value} AS id")
      table = Tables::Table.new(Post, {"id" => 0}, Post.attribute_types, rows, {})
      built = Katsu::Plan.for(PostSerializer, [:id], nil).build_table(table, nil, nil).first.values
      assert_equal [Post.instantiate("id" => rows.value(0, 0)).id], built, value
    end
  end

  def test_many_rows_are_read
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, 'text ' || i FROM n"
    rows = read(sql)
    assert_equal 5000, rows.size
    assert_equal [4999, "text 4999"], rows[4998]
  end

  def test_a_statement_that_is_not_known_is_read_by_the_gem
    raw = connection.raw_connection
    handle = Drivers::Sqlite.handle(raw)
    one = raw.prepare("SELECT 1")
    Rows.know(handle, one, "SELECT 2")
    refute Rows.known?(one)
    assert_nil Rows.read(handle, one)
    two = known(raw, "SELECT 2")
    assert Rows.known?(two)
    one.reset!
    one.instance_variable_set(:@katsu_address, two.instance_variable_get(:@katsu_address))
    assert_nil Rows.read(handle, one), "two has no row"
    two.step
    one.reset!
    assert_nil Rows.read(handle, one), "two has another row"
  ensure
    [one, two].each { |statement| statement&.close }
  end

  # As the adapter does.
  def test_statements_are_prepared_once
    prepared = 0
    connection.raw_connection.define_singleton_method(:prepare) { |*args| super(*args).tap { prepared += 1 } }
    titles = ->(scope) { PostSerializer.many(scope, only: %i[id title]).to_a.map { |post| post["title"] } }
    counts = %w[t1 t2 t3].map do |title|
      assert_equal [title], titles.call(posts.where(title: title))
      prepared
    end
    assert_equal 1, counts.uniq.size
    assert_equal 8, titles.call(posts.where("id > 0")).size
    assert_equal counts.last + 1, prepared
  ensure
    connection.raw_connection.singleton_class.send(:remove_method, :prepare)
  end

  # ActiveRecord has prepared a statement for the same query.
  def test_statements_of_active_record_are_prepared_again
    scope = posts.where(title: "t2")
    expected = scope.select(:id, :title).map { |post| {"id" => post.id, "title" => "t2"} }
    2.times do
      assert_equal(1, served { assert_equal expected, PostSerializer.many(scope, only: %i[id title]).to_a })
      assert_equal expected, scope.select(:id, :title).map { |post| {"id" => post.id, "title" => "t2"} }
    end
  end

  def test_loading_extensions_is_allowed_for_this_one_only
    assert Drivers.available?(connection)
    assert_raises(SQLite3::SQLException) { connection.raw_connection.load_extension("/nowhere") }
    raw = SQLite3::Database.new(":memory:")
    refused = -> { assert_raises(SQLite3::Exception) { raw.load_extension("/nowhere") }.message }
    before = refused.call # an SQLite may be built to allow it
    assert Drivers::Sqlite.handle(raw)
    assert_equal before, refused.call
    raw.enable_load_extension(false)
    raw.remove_instance_variable(:@katsu_handle)
    assert Drivers::Sqlite.handle(raw)
    assert_match(/not authorized/, refused.call)
    raw.enable_load_extension(true)
    raw.remove_instance_variable(:@katsu_handle)
    assert Drivers::Sqlite.handle(raw)
    refute_match(/not authorized/, refused.call)
    raw.close
    refute Drivers::Sqlite.handle(raw)
  end

  # A database with a function in Ruby.
  class Number < ActiveRecord::Base
    def self.connect
      establish_connection(adapter: "sqlite3", database: ":memory:")
      connection.create_table(:numbers)
      3.times { create! }
      connection.raw_connection.create_function("katsu_one", 0) { |function| function.result = 1 }
      self
    end
  end

  class NumberSerializer < Katsu::Serializer
    attributes :id
  end

  def test_connections_that_call_ruby_code_take_another_way
    numbers = Number.connect.where("katsu_one() = 1")
    refute Drivers.available?(Number.connection)
    assert_equal(0, served { assert_equal 3, JSON.parse(NumberSerializer.many(numbers).to_json).size })
  end

  def test_errors_of_a_step_are_the_adapters
    ["abs(-9223372036854775808) > 0", "nothing = 1"].each do |condition|
      assert_raises(ActiveRecord::StatementInvalid) { PostSerializer.many(posts.where(condition)).to_json }
    end
    later = "(CASE WHEN id = (SELECT max(id) FROM driver_posts) THEN abs(-9223372036854775808) ELSE 1 END) > 0"
    error = assert_raises(ActiveRecord::StatementInvalid) { PostSerializer.many(posts.where(later)).to_json }
    assert_match(/integer overflow/, error.message)
    assert_equal records, PostSerializer.many(posts).to_json
  end

  # Each row takes some milliseconds.
  SLOW_ROWS = <<~SQL
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    SELECT (WITH RECURSIVE m(j) AS (SELECT i UNION ALL SELECT j + 1 FROM m WHERE j < 50000) SELECT max(j) FROM m) FROM n
  SQL

  def test_a_statement_that_another_thread_closes_is_read_no_further
    raw = connection.raw_connection
    statement = known(raw, SLOW_ROWS)
    closing = Thread.new do
      sleep 0.01
      statement.close
    end
    assert_nil Rows.read(Drivers::Sqlite.handle(raw), statement)
    closing.join
    assert_equal records, PostSerializer.many(posts).to_json
  end

  def test_functions_of_another_version
    raw = SQLite3::Database.new(":memory:")
    Drivers::Sqlite.send(:load_into, raw)
    assert_nil Rows.handle("3.0.0")
    assert Rows.handle(SQLite3::SQLITE_LOADED_VERSION)
  ensure
    raw&.close
  end

  def test_functions_that_are_missing
    lines = []
    Drivers.define_singleton_method(:warn) { |line| lines << line }
    Drivers.instance_variable_set(:@reported, {})
    assert_nil Rows.handle(SQLite3::SQLITE_LOADED_VERSION), "no connection has loaded it since"
    raw = SQLite3::Database.new(":memory:")
    raw.define_singleton_method(:load_extension) { |_| raise SQLite3::Exception, "not for you" }
    2.times { refute Drivers::Sqlite.handle(raw) }
    assert_equal ["katsu: SQLite results are read as Ruby objects, which is slower: not for you"], lines
  ensure
    Drivers.singleton_class.send(:remove_method, :warn)
    raw&.close
  end

  def test_notifications_are_those_of_the_adapter
    payloads = lambda do |&query|
      found = []
      note = ->(*, payload) { found << payload.slice(:sql, :name, :row_count, :affected_rows) }
      ActiveSupport::Notifications.subscribed(note, "sql.active_record", &query)
      found
    end
    selected = posts.select(:id, :title, :body, :rating, :price, :draft, :made_at, :data)
    expected = payloads.call { selected.spawn.to_a }
    assert_equal expected, payloads.call { PostSerializer.many(posts, except: [:comments]).to_json }
    Post.cache do
      selected.to_a
      seen = nil
      assert_equal(0, served { seen = payloads.call { PostSerializer.many(posts, except: [:comments]).to_json } })
      assert_equal 1, seen.size, "from the query cache"
    end
  end

  def test_documents_that_are_interrupted_leave_the_connection_usable
    times = GC_MODE == "normal" ? 300 : 5
    before = records
    one = ObjectSpace.memsize_of(read(posts.to_sql))
    GC.start
    open = open_statements
    slow = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT max(i) FROM n) > 0"
    times.times do |i|
      assert_raises(RuntimeError) { RaisingSerializer.many(posts).to_json }
      killed { PostSerializer.many(posts.where(slow)).to_json } if (i % 50).zero?
    end
    assert_equal before, PostSerializer.many(posts).to_json
    GC.start
    assert_operator memory_of(Rows), :<, times * one
    assert_operator open_statements, :<, open + 10
  end

  def open_statements = ObjectSpace.each_object(SQLite3::Statement).count { |statement| !statement.closed? }

  # In this thread, as it has the connection.
  def killed(&work)
    Timeout.timeout(0.0005, &work)
  rescue Timeout::Error
    nil
  end

  def test_rows_of_batches_give_their_memory_back
    Post.insert_all(Array.new(1_500) { |i| {title: "t#{i}"} })
    Comment.insert_all([{post_id: Post.maximum(:id), body: "last"}])
    expected = PostSerializer.many(Post.order(:id)).to_json
    self.class.read = made = []
    text, lines = Post.cache do
      document = PostSerializer.many(Post.all)
      [document.write_to(StringIO.new).string, document.write_to(StringIO.new, format: :ndjson).string]
    end
    assert_equal expected, text
    assert_equal expected[1...-1], lines.chomp.gsub("}\n{", "},{")
    assert_equal 8, made.size # the posts and comments of two batches, twice
    made.each { |rows| assert_raises(Katsu::Error) { rows.value(0, 0) } unless rows.size.zero? }
  ensure
    self.class.read = nil
  end

  def test_objects_allocated_do_not_grow_with_the_rows
    skip "counts objects" unless normal_run?

    document = -> { PostSerializer.many(posts, except: [:comments]).to_json }
    few = allocations(&document)
    Post.insert_all(Array.new(2_000) { |i| {title: "t#{i}"} })
    assert_in_delta few, allocations(&document), 2, "but for the result"
  end
end
