# frozen_string_literal: true

require "support/test_case"
require "objspace"
require "support/time_settings"
require "databases/postgresql_test"

# PostgreSQL's results read without Ruby objects, compared with records.
class PostgresqlRowsTest < TestCase
  include TimeSettings

  Rows = defined?(Katsu::Native) ? Katsu::Native::PostgresqlRows : nil

  COLUMNS = PostgresqlTest::COLUMNS
  SETTINGS = [[:utc, nil, 3, true], [:utc, "Europe/Berlin", 3, true], [:local, "America/St_Johns", 3, true],
              [:utc, nil, 0, true], [:utc, "UTC", 3, false]].freeze

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :draft, :rating, :price, :made_at, :day, :data
    has_many :comments, serializer: CommentSerializer
  end

  class << self
    def base = PostgresqlTest.models.first.superclass

    def blog
      @blog ||= begin
        base.connection.execute(<<~SQL)
          DROP TABLE IF EXISTS blog_posts, blog_comments;
          CREATE TABLE blog_posts (id bigserial PRIMARY KEY, title text, draft boolean, rating float8,
                                   price numeric(10, 2), made_at timestamp, day date, data jsonb);
          CREATE TABLE blog_comments (id bigserial PRIMARY KEY, post_id bigint, body varchar);
          INSERT INTO blog_posts (title, draft, rating, price, made_at, day, data)
            SELECT 'é "' || i, i % 2 = 0, i / 7.0, i / 4.0,
                   timestamp '2026-01-02 03:04:05.678' + i * interval '1 hour', date '2026-01-02' + i, '{"a": [1]}'
            FROM generate_series(1, 300) i;
          INSERT INTO blog_comments (post_id, body) SELECT i % 100 + 1, 'c' || i FROM generate_series(1, 500) i;
        SQL
        const_set(:Comment, Class.new(base) { self.table_name = "blog_comments" })
        const_set(:Post, Class.new(base) do
          self.table_name = "blog_posts"
          has_many :comments, -> { order(:id) }, class_name: "PostgresqlRowsTest::Comment", foreign_key: :post_id
        end)
      end
    end
  end

  def setup
    skip "drivers' rows are read natively" unless native?
    @settings = current_settings
    self.class.blog
    assert Katsu::Query::Drivers.available?(connection)
  end

  def teardown
    apply(*@settings) if @settings
  end

  def connection = self.class.base.connection
  def result(sql) = connection.raw_connection.exec(sql)
  def rows(sql) = Rows.new(result(sql))

  # Counts the results that are read as driver's rows.
  module Counted
    def new(*)
      PostgresqlRowsTest.served += 1
      super
    end
  end
  Rows&.singleton_class&.prepend(Counted)

  class << self
    attr_accessor :served
  end
  self.served = 0

  # How many of them there were in the block.
  def served
    before = self.class.served
    yield
    self.class.served - before
  end

  # The document, or :error.
  def document
    yield
  rescue StandardError
    :error
  end

  def test_every_type_under_every_setting
    compared = 0
    before = self.class.served
    settings = GC_MODE == "normal" ? SETTINGS : SETTINGS.first(1)
    settings.each do |setting|
      apply(*setting)
      PostgresqlTest.models.each do |model|
        scope = GC_MODE == "normal" ? model.order(:id) : model.order(:id).where("id % 10 = 0")
        PostgresqlTest.serializers.each do |name, serializer|
          expected = document { Katsu::ArraySerializer.new(scope.spawn.to_a, each_serializer: serializer).to_json }
          actual = document { watched { serializer.many(scope).to_json } }
          assert_equal expected, actual, [name, model.name, setting].inspect
          expected = JSON.parse(expected) unless expected == :error
          hashes = document { JSON.parse(JSON.generate(serializer.many(scope).to_a)) }
          assert_equal expected, hashes, name.inspect
          compared += 1
        end
      end
    end
    assert_operator compared, :>, 50
    assert_operator self.class.served - before, :>, compared, "as driver's rows"
  end

  def test_associations_and_the_way_that_is_taken
    posts = self.class::Post.order(:id)
    expected = Katsu::ArraySerializer.new(posts.preload(:comments).to_a, each_serializer: PostSerializer).to_json
    written = nil
    assert_equal(2, served { written = watched { PostSerializer.many(posts).to_json } })
    assert_equal expected, written
    io = StringIO.new
    PostSerializer.many(posts.limit(50)).write_to(io, format: :ndjson)
    assert_equal JSON.parse(expected).first(50), io.string.lines.map { |line| JSON.parse(line) }
  end

  # PostgreSQL refuses a statement that was prepared before its table changed.
  def test_a_table_that_changes_after_a_statement_was_prepared
    connection.execute("DROP TABLE IF EXISTS changing; CREATE TABLE changing (id bigint, note text);" \
                       "INSERT INTO changing VALUES (1, 'é')")
    model = Class.new(self.class.base) { self.table_name = "changing" }
    serializer = Class.new(Katsu::Serializer) { attributes :id, :note }
    ways = [-> { serializer.many(model.where(id: 1)).to_json }, -> { model.where(id: 1).map(&:note) }]
    change = ->(type) { connection.execute("ALTER TABLE changing ALTER note TYPE #{type}") }
    ways.each do |way|
      change.call("text")
      expected = way.call
      change.call("varchar")
      assert_equal expected, way.call
      assert_raises(ActiveRecord::PreparedStatementCacheExpired) do
        connection.transaction do
          change.call("text")
          way.call
        end
      end
      assert_equal expected, way.call
    end
    assert_equal 1, served(&ways[0])
  end

  # The casts write what is in the results' memory, of few rows and of many.
  def test_no_values_are_made
    made = 0
    trace = TracePoint.new(:c_call) { |point| made += 1 if point.method_id == :getvalue }
    [1, 300].each do |count|
      posts = self.class::Post.order(:id).limit(count)
      document = -> { PostSerializer.many(posts, except: [:comments]).to_json } # whose keys are made
      text = document.call # ActiveRecord may ask for types
      assert_equal text, trace.enable(&document)
      assert_equal [count, 0], [JSON.parse(text).size, made]
    end
    assert_equal "é \"1", trace.enable { rows("SELECT title FROM blog_posts ORDER BY id").value(0, 0) }
    assert_equal 1, made
  end

  # A time with its offset is written from its text too, in any zone of the session.
  def test_times_with_their_offsets
    connection.create_table(:seen_things, force: true) { |t| t.timestamptz :seen_at }
    base = self.class::Post.superclass
    seen = Class.new(base) { self.table_name = "seen_things" }
    self.class.const_set(:Seen, seen)
    seen.create!(seen_at: Time.utc(2026, 7, 1, 22, 30, 15, 123_456))
    serializer = Class.new(Katsu::Serializer) { attributes :seen_at }
    made = 0
    trace = TracePoint.new(:c_call) { |point| made += 1 if point.method_id == :getvalue }
    zones = %w[UTC Asia/Kathmandu Europe/London].map do |zone|
      connection.execute("SET SESSION timezone TO '#{zone}'")
      made = 0
      found = [seen.all, seen.all.load].map { |source| serializer.many(source) }
      assert_equal found[1].to_json, trace.enable { found[0].to_json }
      assert_equal found[1].to_a, found[0].to_a
      made
    end
    assert_equal [0, 1, 1], zones
  ensure
    connection.execute("SET SESSION timezone TO 'UTC'")
    connection.drop_table(:seen_things)
    self.class.send(:remove_const, :Seen)
  end

  # As a process has it that runs while a column is changed.
  def test_times_with_offsets_in_a_column_that_was_another_one
    connection.execute("CREATE TABLE changed_things (id bigserial PRIMARY KEY, made_at timestamp)")
    connection.execute("INSERT INTO changed_things (made_at) VALUES ('2026-01-02 03:04:05.678')")
    changed = self.class.const_set(:Changed, Class.new(self.class.base) { self.table_name = "changed_things" })
    serializer = Class.new(Katsu::Serializer) { attributes :made_at }
    changed.load_schema
    connection.execute("ALTER TABLE changed_things ALTER COLUMN made_at TYPE timestamptz")
    assert_equal serializer.many(changed.all.load).to_json, serializer.many(changed.all).to_json
    changed.reset_column_information
    assert_equal serializer.many(changed.all.load).to_json, serializer.many(changed.all).to_json
  ensure
    connection.drop_table(:changed_things)
    self.class.send(:remove_const, :Changed)
  end

  # Values in the text of a query would be of other types.
  def test_keys_of_several_columns
    connection.create_table(:keyed_things, force: true) do |t|
      t.column :small, :float4
      t.column :paid, :money
      t.decimal :wide, precision: 30, scale: 0
      t.integer :part, default: 1
    end
    keyed = self.class.const_set(:Keyed, Class.new(self.class.base) { self.table_name = "keyed_things" })
    keyed.create!(small: 0.1, paid: 1.5, wide: 10**25)
    id = Class.new(Katsu::Serializer) { attributes :id }
    %i[small paid wide].each do |name|
      keyed.has_many(:"by_#{name}", class_name: "PostgresqlRowsTest::Keyed", foreign_key: [name, :part],
                                    primary_key: [name, :part])
      serializer = Class.new(Katsu::Serializer) { has_many :"by_#{name}", serializer: id }
      expected = %([{"by_#{name}":[{"id":1}]}])
      [keyed.all, keyed.all.load].each { |source| assert_equal expected, serializer.many(source).to_json }
    end
  ensure
    connection.drop_table(:keyed_things)
    self.class.send(:remove_const, :Keyed)
  end

  def test_values_are_those_of_active_record
    sql = "SELECT * FROM katsu_values ORDER BY id"
    read = rows(sql)
    expected = connection.select_all(sql)
    assert_equal expected.columns, read.columns
    assert_equal expected.rows.size, read.size
    assert_equal expected.rows.inspect, read.map(&:itself).inspect
    assert_equal expected.rows.map(&:first), read.column(0)
    assert_equal expected.rows[3].inspect, read[3].inspect
    assert_nil read[read.size]
    assert_nil read[-1]
    [read.size, -1].each { |row| assert_raises(IndexError) { read.value(row, 0) } }
    assert_raises(IndexError) { read.value(0, read.columns.size) }
    assert_equal read.size, read.each.count
  end

  def test_results_without_rows_or_columns
    assert_equal [0, ["a"]], rows("SELECT 1 AS a WHERE false").then { |read| [read.size, read.columns] }
    assert_equal [3, []], rows("SELECT FROM generate_series(1, 3)").then { |read| [read.size, read.columns] }
    assert_equal [0, []], rows("SET application_name = 'katsu'").then { |read| [read.size, read.columns] }
    assert_equal [[], [], []], rows("SELECT FROM generate_series(1, 3)").to_a
    assert_equal "[]", PostSerializer.many(self.class::Post.where("false")).to_json
  end

  def test_a_cleared_result_is_an_error
    read = rows("SELECT 1 AS a")
    assert_nil read.clear
    assert_nil read.clear
    assert_equal 1, read.size
    assert_raises(PG::Error) { read.value(0, 0) }
    plan = Katsu::Plan.for(PostSerializer, [:id], nil)
    posts = self.class::Post
    table = Struct.new(:model, :columns, :types, :rows, :edges)
    table = table.new(posts, {"id" => 0}, posts.attribute_types.to_h, read, {})
    assert_raises(PG::Error) { plan.generate_table(table, nil, nil) }
  end

  # Values in binary are made by the gem: the bytes of this integer are those of the text 1234.
  def test_values_in_binary
    map = PG::TypeMapByOid.new
    map.add_coder(PG::TextDecoder::Integer.new(oid: 23))
    map.add_coder(PG::BinaryDecoder::Integer.new(oid: 23, format: 1))
    posts = self.class::Post
    table = Struct.new(:model, :columns, :types, :rows, :edges)
    table = table.new(posts, {"id" => 0}, posts.attribute_types.to_h, nil, {})
    [0, 1].each do |format|
      made = connection.raw_connection.exec_params("SELECT 825373492::int4 AS id", [], format)
      table.rows = Rows.new(made.map_types!(map))
      assert_equal '[{"id":825373492}]', Katsu::Plan.for(PostSerializer, [:id], nil).generate_table(table, nil, nil)
    end
  end

  # Values of a type map that is not known are made by the gem.
  def test_values_of_another_type_map
    map = Class.new(PG::TypeMapInRuby) { def typecast_result_value(*) = 42 }.new
    posts = self.class::Post
    table = Struct.new(:model, :columns, :types, :rows, :edges)
    table = table.new(posts, {"id" => 0}, posts.attribute_types.to_h, nil, {})
    [map, PG::TypeMapByOid.new.with_default_type_map(map)].each do |one|
      table.rows = Rows.new(result("SELECT 1::int4 AS id").map_types!(one))
      assert_equal '[{"id":42}]', Katsu::Plan.for(PostSerializer, [:id], nil).generate_table(table, nil, nil)
    end
  end

  def test_what_is_no_result
    assert_raises(TypeError) { Rows.new([[1]]) }
    assert_raises(TypeError) { Rows.new(nil) }
    assert_raises(Katsu::Error) { Rows.allocate.size }
    assert_equal [[], nil], [Rows.allocate.columns, Rows.allocate.clear]
    assert_raises(Katsu::Error) { rows("SELECT 1").send(:initialize, result("SELECT 1")) }
  end

  def test_encodings_that_are_not_utf8
    posts = self.class::Post.order(:id).limit(5)
    expected = Katsu::ArraySerializer.new(posts.spawn.to_a, each_serializer: PostSerializer, only: %i[id title]).to_json
    connection.raw_connection.set_client_encoding("LATIN1")
    assert_equal expected, PostSerializer.many(posts, only: %i[id title]).to_json
  ensure
    connection.raw_connection.set_client_encoding("UTF8")
  end

  def test_functions_that_are_missing
    library = $LOADED_FEATURES.grep(/stringio/).first
    assert_equal "pgresult_get", Rows.look_in(library)
    assert_equal "pgresult_get", Rows.look_in("/nowhere/pg_ext.so")
    drivers = Katsu::Query::Drivers
    lines = []
    drivers.define_singleton_method(:warn) { |line| lines << line }
    drivers.instance_variable_set(:@reported, {})
    assert_equal %i[some some], Array.new(2) { drivers::Postgresql.look(library) }
    reason = "PostgreSQL results are read as Ruby objects, which is slower: pgresult_get is not found"
    assert_equal ["katsu: #{reason}"], lines
    assert_equal :all, drivers::Postgresql.look
    assert_equal 300, JSON.parse(PostSerializer.many(self.class::Post.all).to_json).size
  ensure
    drivers.singleton_class.send(:remove_method, :warn)
  end

  def test_documents_that_are_interrupted_leave_the_connection_usable
    times = GC_MODE == "normal" ? 200 : 5
    raising = Class.new(Katsu::Serializer) do
      attributes :id
      attribute(:title, needs: [:title]) { |post| post.id == 5 ? raise("stop") : post.title }
      def self.name = "RaisingSerializer"
    end
    posts = self.class::Post.order(:id)
    one = ObjectSpace.memsize_of(result(posts.to_sql))
    times.times do |i|
      if i.even?
        assert_raises(RuntimeError) { raising.many(posts).to_json }
      else
        thread = Thread.new { Thread.stop && raising.many(posts).to_json }
        thread.kill.join
      end
    end
    GC.start
    assert_operator memory_of(PG::Result), :<, (times / 2 + 10) * one
    assert_equal 300, JSON.parse(PostSerializer.many(posts).to_json).size
  end
end
