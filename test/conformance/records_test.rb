# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "active_support/core_ext/kernel/reporting"

# ActiveRecord records in every state, against record.as_json.
class RecordsTest < TestCase
  COLUMNS = Post.column_names.map(&:to_sym).freeze

  class AllSerializer < Katsu::Serializer
    attributes(*COLUMNS)
  end

  class NameSerializer < Katsu::Serializer
    attributes :id, :name
  end

  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def rows(*records, serializer: AllSerializer)
    JSON.parse(watched { Katsu::ArraySerializer.new(records, each_serializer: serializer).to_json })
  end

  # Through Rails' own encoder, as a JSON column holds parsed values there too.
  def reference(record)
    JSON.parse(ActiveSupport::JSON.encode(record.as_json(only: COLUMNS)))
  end

  def assert_as_json(*records)
    references = records.map { |record| reference(record) }
    assert_equal references, rows(*records)
    assert_equal references, JSON.parse(JSON.generate(watched {
      Katsu::ArraySerializer.new(records, each_serializer: AllSerializer).to_a
    }))
  end

  def create(**values)
    Post.find(Post.create!({title: "t", body: "b"}.merge(values)).id)
  end

  VALUES = {
    title: ["", "plain", "quote\" \\ \n", "ü漢😀", "x" * 300, nil], views: [0, -1, 2**31 - 1, nil],
    big: [2**62, -(2**63), 2**63 - 1],
    draft: [true, false, nil], rating: [0.0, 1.5, -2.25e-7, 1e20, 3.0, nil], price: ["12.50", "0", "-99999999.99", nil],
    day: ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31", "1582-10-14", nil], clock: ["23:59:59", nil],
    data: [{"a" => [1, nil, "ü"]}, [], "text", 5, nil, {"k" => {"deep" => 1.5}}],
    created_at: [Time.utc(2026, 1, 2, 3, 4, 5, 678_901), Time.utc(1, 1, 1), Time.utc(2024, 2, 29, 23, 59, 59),
                 Time.utc(9999, 12, 31), Time.utc(1900, 2, 28), nil],
    short_at: [Time.utc(2026, 1, 2, 3, 4, 5), nil]
  }.freeze

  VALUES.each do |column, values|
    define_method(:"test_values_of_#{column}") { assert_as_json(*values.map { |value| create(column => value) }) }
  end

  # SQLite keeps decimals as doubles; Rails makes them decimals of the column's precision and scale.
  def test_decimals_of_every_precision_and_scale
    random = Random.new(7)
    numbers = [0, -0.0, 1, 12.5, 99.99, 1e15, 1e16, 1e20, 1e-4, 1e-5, 0.1 + 0.2, 2**53, -(2**62), 1e300, 5e-324, 0.005,
               1.005, 2.675, 999_999_999_999_999.9]
    numbers += Array.new(200) do
      (random.rand(10**random.rand(1..17)) - 10**random.rand(3..15)).fdiv(10**random.rand(13))
    end
    # The double of some of these differs from them in the 16th digit.
    numbers += Array.new(100) { 900_000_000_000 + random.rand(10**11) + random.rand(1..9).fdiv(10) }
    numbers = fewer_under_stress(numbers)
    [[10, 2], [5, nil], [nil, nil], [15, 4], [16, 5], [20, 10], [3, 1], [4, 4], [18, 18]].each do |precision, scale|
      Post.connection.create_table(:decimals, force: true, temporary: true) do |t|
        t.column :number, :decimal, **{precision: precision, scale: scale}.compact
      end
      Post.connection.execute("INSERT INTO decimals (number) VALUES #{numbers.map do |number|
        "(#{number})"
      end.join(", ")}")
      model = Class.new(ActiveRecord::Base) do
        self.table_name = "decimals"
        def self.name = "Decimal"
      end
      serializer = Class.new(Katsu::Serializer) { attributes :number }
      assert_equal model.all.map { |record|
        record.as_json(only: "number")
      }, rows(*model.all, serializer: serializer), "#{precision}, #{scale}"
    end
  ensure
    Post.connection.drop_table(:decimals, if_exists: true)
  end

  def test_raw_texts_that_no_model_writes
    record = create(title: "x")
    {created_at: ["2026-01-02 03:04:05.6789", "2026-01-02", "2026-13-45 00:00:00", "2026-02-30 00:00:00",
                  "2026-01-02T03:04:05Z", "", "garbage", "2026-01-02 25:00:00", "2026-01-02 03:04:05+02:00"],
     day: ["2026-02-30", "garbage", "", "2026-1-2", "20260102"], draft: ["t", "f", "1", "0", "no", ""],
     views: ["12", "x", "1.5"], rating: ["1.5", "x", 3]}.each do |column, texts|
      texts.each do |text|
        Post.connection.execute("UPDATE posts SET #{column} = #{Post.connection.quote(text)} WHERE id = #{record.id}")
        assert_as_json(Post.find(record.id))
      end
    end
  end

  def test_new_dirty_reloaded_frozen_destroyed
    fresh = Post.new(title: "new", day: "2026-01-01", data: {"x" => 1})
    dirty = create(title: "before").tap do |post|
      post.title = "after"
      post.views = 7
    end
    changed_in_place = create(title: "in").tap do |post|
      post.title << " place"
      post.data = {"a" => 1}
    end
    read = create(title: "read", data: {"a" => 1}, created_at: Time.utc(2026)).tap do |post|
      post.attributes
      post.data["b"] = 2
    end
    cast = create(title: "cast", data: {"a" => [1]}).tap do |post|
      post.title
      post.data["a"] << 2
      post.body << "!"
    end
    saved = create(title: "saved").tap { |post| post.update!(title: "again") }
    reloaded = create(title: "r").tap do |post|
      post.title = "x"
      post.reload
    end
    frozen = create(title: "frozen").freeze
    destroyed = create(title: "gone").tap(&:destroy)
    records = [create(title: "plain"), fresh, dirty, changed_in_place, read, cast, saved, reloaded, frozen, destroyed,
               Post.new, create(title: "last")]
    assert_as_json(*records)
    records.each { |record| assert_as_json(record) }
  end

  # Ruby keeps days and seconds that do not exist where it has read them from text.
  def test_times_that_new_records_were_given
    times = [Time.utc(2026), Time.utc(2026, 1, 5, 3, 4, 5.678r), Time.new(2026, 7, 2, 3, 4, 5, "+02:00"),
             Time.utc(1599, 12, 31), Time.utc(12_026), Time.at(-1/3r).utc, Time.at(0).utc]
    if RUBY_VERSION >= "3.2"
      days = %w[2025-02-29 2025-02-30 2025-02-31 2024-02-30 2025-04-31 2025-06-31 2025-09-31 2025-11-31]
      texts = days.product(%w[01:02:03Z 24:00:00Z]).map do |day, time|
        "#{day} #{time}"
      end + ["2025-02-29 01:02:03+09:00", "2026-01-05 12:30:60Z", "2026-12-31 23:59:60Z"]
      times += texts.map { |text| Time.new(text) }
    end
    assert_as_json(*times.map { |time| Post.new(created_at: time) })
    assert_as_json(*times.map { |time| create(title: "dirty").tap { |post| post.created_at = time } })
  end

  def test_partially_selected_records
    post = create(title: "part")
    part = Post.select(:id, :title).find(post.id)
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :title
      def self.to_s = "Part"
    end
    assert_equal [{"id" => post.id, "title" => "part"}] * 2, rows(part, post, serializer: serializer)
    error = assert_raises(Katsu::UnknownAttributeError) { rows(post, part) }
    assert_match(/AllSerializer declares body, but Post has not loaded that column; select it too/, error.message)
    assert_raises(Katsu::UnknownAttributeError) { AllSerializer.new.serialize(part) }
  end

  # Records with all columns first, then some without the column of the first or last field, whose place another has.
  def test_records_whose_columns_stand_elsewhere
    post = create(title: "elsewhere")
    [%i[title id], %i[id title]].each do |names|
      serializer = Class.new(Katsu::Serializer) do
        attributes(*names)
        def self.to_s = "Elsewhere"
      end
      full = Post.find(post.id)
      assert_equal [{"id" => post.id, "title" => "elsewhere"}] * 2, rows(full, full, serializer: serializer)
      swapped = Post.select(:title, :body, :id).find(post.id)
      assert_equal [{"id" => post.id, "title" => "elsewhere"}], rows(swapped, serializer: serializer)
      part = Post.select(:id, :body, :views).find(post.id)
      error = assert_raises(Katsu::UnknownAttributeError) { rows(part, serializer: serializer) }
      assert_match(/Elsewhere declares title, but Post has not loaded that column/, error.message)
      assert_equal [{"id" => post.id, "title" => "elsewhere"}], rows(full, serializer: serializer)
    end
  end

  # A column that was not selected, by an alias; errors of the record's own methods stay what they are.
  def test_partially_selected_records_with_methods_of_their_own
    post = create(title: "part")
    serializer = Class.new(Katsu::Serializer) { attributes :id, :headline }
    %i[serialize serialize_to_json].each do |call|
      part = Post.select(:id).find(post.id)
      def part.own = 1
      error = assert_raises(Katsu::UnknownAttributeError) { serializer.new.public_send(call, part) }
      assert_match(/declares headline, but Post has not loaded that column; select it too/, error.message)
      def part.headline = own == 1 ? title : no_such_method
      assert_raises(ActiveModel::MissingAttributeError) { serializer.new.public_send(call, part) }
      part = Post.select(:id).find(post.id)
      def part.headline = no_such_method
      assert_equal(:no_such_method, assert_raises(NameError) { serializer.new.public_send(call, part) }.name)
    end
  end

  def test_records_of_several_queries_in_one_batch
    post = create(title: "q", body: "b")
    serializer = Class.new(Katsu::Serializer) { attributes :title, :id, :body }
    others = [Post.select(:body, :title, :id).find(post.id), Post.select("id, title, body, 1 AS extra").find(post.id),
              post]
    records = [*others, *others.reverse]
    assert_equal [{"title" => "q", "id" => post.id, "body" => "b"}] * 6, rows(*records, serializer: serializer)
    assert_equal [{"title" => "q", "id" => post.id, "body" => "b"}] * 6, (records.map do |record|
      JSON.parse(serializer.new.serialize_to_json(record))
    end)
  end

  # As ActiveRecord 7.2 keeps all rows, and later ones those of a join.
  def test_rows_that_are_hashes
    post = create(title: "h", body: "b", views: 3, created_at: Time.utc(2026))
    hash = Post.connection.select_all("SELECT * FROM posts WHERE id = #{post.id}").first
    hashes = [hash, hash.to_a.reverse.to_h, hash.to_h do |name, value|
      [name + "", value]
    end, hash.merge("more" => 1)].map { |values| Post.instantiate(values) }
    wide = Post.select("posts.*, #{(1..40).map { |number| "#{number} AS more_#{number}" }.join(", ")}").find(post.id)
    joined = Post.eager_load(:author).find(post.id)
    assert_as_json(post, *hashes, wide, joined, *hashes.reverse, post, *hashes.map do |record|
      record.dup.tap do |copy|
        copy.title = "copy"
      end
    end)
    assert_as_json(*hashes * 80)
    error = assert_raises(Katsu::UnknownAttributeError) do
      rows(hashes[0],
           Post.instantiate(hash.reject do |name|
             name == "body"
           end))
    end
    assert_match(/declares body, but Post has not loaded that column/, error.message)
  end

  # A Hash that is given the types of a result.
  def test_a_hash_with_the_types_of_a_row
    post = Post.find(create(title: "h", body: "b", views: 3, created_at: Time.utc(2026)).id)
    types = post.instance_variable_get(:@attributes).instance_variable_get(:@additional_types)
    hash = Post.connection.select_all("SELECT * FROM posts WHERE id = #{post.id}").first.to_h
    assert_as_json(post, Post.instantiate(hash, types), post, Post.instantiate(hash, types))
  end

  # Whichever column it is that a later record has not.
  def test_records_without_a_column_that_others_have
    id = create(title: "t", body: "b", views: 3).id
    %i[title body views].permutation do |names|
      serializer = Class.new(Katsu::Serializer) { attributes(*names) }
      records = [Post.find(id), Post.select(:id, *names[1..]).find(id)]
      error = assert_raises(Katsu::UnknownAttributeError) { watched { serializer.many(records).to_json } }
      assert_match(/declares #{names[0]}, but Post has not loaded that column/, error.message)
    end
  end

  # They keep the order that the columns had when they were made.
  def test_new_records_of_before_and_after_the_schema_was_read
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "reordered"
      def self.name = "Reordered"
    end
    made = [%i[first second third], %i[third first second]].flat_map do |names|
      model.connection.create_table(:reordered, force: true) { |table| table.string(*names) }
      model.reset_column_information
      Array.new(2) { |i| model.new(first: "a#{i}", second: "b#{i}", third: "c#{i}") }
    end
    serializer = Class.new(Katsu::Serializer) { attributes :second, :first }
    [made, made.reverse, made.values_at(0, 2, 1, 3)].each do |records|
      expected = records.map { |record| record.as_json(only: %i[first second]) }
      assert_equal expected, JSON.parse(watched { serializer.many(records).to_json })
      assert_equal expected, watched { serializer.many(records).to_a }
    end
  ensure
    model.connection.drop_table(:reordered)
  end

  # More columns than are looked at one by one, behind a record that has few.
  def test_new_records_with_many_columns_behind_others
    model = wide_model(300)
    serializer = Class.new(Katsu::Serializer) { attributes :c1, :c0 }
    few = Class.new(ActiveRecord::Base) do
      self.table_name = "few_posts"
      def self.name = "FewPost"
    end
    few.connection.create_table(:few_posts, force: true) { |table| table.text(:c0, :c1) }
    records = [few.new(c0: "a", c1: "b"), model.new(c0: "c", c1: "d"), model.create!(c0: "e", c1: "f"), model.first,
               few.create!(c0: "g", c1: "h"), few.first, model.new(c0: "i", c1: "j")]
    expected = records.map { |record| {"c1" => record.c1, "c0" => record.c0} }
    [expected.zip(records), expected.zip(records).reverse].each do |pairs|
      assert_equal pairs.map(&:first), rows(*pairs.map(&:last), serializer: serializer)
    end
  ensure
    %i[wide_posts few_posts].each { |table| Post.connection.drop_table(table, if_exists: true) }
  end

  # The positions of one result are looked for again behind a record that keeps its values in another order.
  def test_new_records_between_those_of_one_result
    2.times { |i| create(title: "t#{i}", body: "b#{i}") }
    serializer = Class.new(Katsu::Serializer) { attributes :title, :body }
    loaded = Post.select(:body, :id, :title).order(:id).to_a
    records = [loaded[0], Post.new(title: "t", body: "b"), loaded[1]]
    expected = [%w[t0 b0], %w[t b], %w[t1 b1]].map { |title, body| {"title" => title, "body" => body} }
    assert_equal expected, rows(*records, serializer: serializer)
    assert_equal expected, watched { serializer.many(records).to_a }
  end

  def test_virtual_columns_and_attributes_without_a_column
    post = create(title: "v")
    serializer = Class.new(Katsu::Serializer) { attributes :twice, :stars, :headline, :shout }
    virtual = Post.select("*, id * 2 AS twice").find(post.id)
    assert_equal [{"twice" => post.id * 2, "stars" => 3, "headline" => "v", "shout" => "V"}],
                 rows(virtual, serializer: serializer)
    assert_equal({"twice" => post.id * 2, "stars" => 3, "headline" => "v", "shout" => "V"},
                 serializer.new.serialize(virtual))
  end

  def test_subclasses_and_overridden_readers
    records = [Author.create!(name: "A"), Editor.create!(name: "B"), Author.create!(name: "C")]
    loaded = Author.where(id: records).order(:id).to_a
    assert_equal ["A", "Ed. B", "C"], rows(*loaded, serializer: NameSerializer).map { |row| row["name"] }
    single = Author.find(records[0].id)
    def single.name = "singleton"
    extended = Author.find(records[0].id).extend(Module.new { def name = "extended" })
    assert_equal %w[singleton A extended], rows(single, loaded[0], extended, serializer: NameSerializer).map { |row|
      row["name"]
    }
  end

  def test_an_overridden_reader_of_the_primary_key
    model = Class.new(Post) do
      def self.name = "NumberedPost"
      def id = "post #{super}"
    end
    serializer = Class.new(Katsu::Serializer) { attributes :id, :title }
    id = create(title: "t").id
    expected = [{"id" => "post #{id}", "title" => "t"}]
    assert_equal expected, JSON.parse(serializer.many(model.where(title: "t").to_a).to_json)
    assert_equal expected, JSON.parse(serializer.many(model.where(title: "t")).to_json)
    assert_equal expected, serializer.many(model.where(title: "t")).to_a
  end

  # What a JSON column or the query itself has, as an association.
  def test_associations_that_are_columns
    inner = Class.new(Katsu::Serializer) { attributes :a }
    serializer = Class.new(Katsu::Serializer) do
      has_one :data, serializer: inner
      has_many :list, serializer: inner
    end
    2.times { |index| create(data: {"a" => index}) }
    posts = -> { Post.order(:id).last(2).each { |post| def post.list = [data, data] } }
    by_query = -> { Post.order(:id).select("posts.*, NULL AS list").last(2) }
    rows = ->(list) { [0, 1].map { |index| {"data" => {"a" => index}, "list" => ([{"a" => index}] * 2 if list)} } }
    assert_equal rows.call(true), JSON.parse(serializer.many(posts.call).to_json)
    assert_equal rows.call(true), serializer.many(posts.call).to_a
    assert_equal rows.call(false), JSON.parse(serializer.many(by_query.call).to_json)
    assert_equal rows.call(false), serializer.many(by_query.call).to_a
  end

  def test_extended_records_with_a_json_column
    serializer = Class.new(Katsu::Serializer) { attributes :data }
    post = create(data: {"a" => 1}).extend(Module.new { def data = "extended" })
    assert_equal [{"data" => "extended"}], rows(post, serializer: serializer)
    assert_equal({"data" => "extended"}, serializer.new.serialize(post))
  end

  # A record with a class of its own is read as any other, if its methods leave the column alone.
  def test_json_columns_of_records_with_a_class_of_their_own
    id = create(data: nil).id
    serializer = Class.new(Katsu::Serializer) { attributes :title, :data }
    own = {class: :singleton_class.to_proc, module: ->(post) { post.extend(Module.new) },
           method: ->(post) { post.define_singleton_method(:other) { 1 } },
           private: ->(post) { post.singleton_class.send(:private, :data) }}
    post = ->(name) { Post.find(id).tap(&own.fetch(name)) }
    own.each_key do |name|
      put_data(id, '{"a" : 1.50}')
      assert_equal '{"title":"t","data":{"a" : 1.50}}', serializer.new.serialize_to_json(post[name]), name
      assert_equal({"title" => "t", "data" => {"a" => 1.5}}, serializer.new.serialize(post[name]))
      assert_equal '{"title":"t","data":{"b":2}}',
                   serializer.new.serialize_to_json(post[name].tap { |one| one.data = {b: 2} })
      put_data(id, '{"a":')
      [post[name], post[name].tap(&:data)].product(%i[to_json to_a]) do |one, call|
        error = assert_raises(Katsu::GeneratorError, name) { serializer.many([one]).public_send(call) }
        assert_match(/data of Post with id #{id} is not JSON/, error.message)
        assert_equal "[0].data", error.path
      end
    end
    read = Post.find(id)
    def read._read_attribute(*) = "own"
    assert_equal '{"data":"own"}', serializer.new(only: [:data]).serialize_to_json(read)
  end

  def test_private_readers_of_objects_with_a_class_of_their_own
    serializer = Class.new(Katsu::Serializer) { attributes :title }
    object = Object.new.tap { |one| one.singleton_class.class_eval { private def title = "private" } }
    error = assert_raises(Katsu::UnknownAttributeError) { rows(object, serializer: serializer) }
    assert_match(/title/, error.message)
    record = create(title: "public").tap { |post| post.define_singleton_method(:title) { "private" } }
    record.singleton_class.send(:private, :title)
    assert_equal [{"title" => "public"}], rows(record, serializer: serializer)
  end

  def put_data(id, text)
    Post.connection.execute("UPDATE posts SET data = #{Post.connection.quote(text)} WHERE id = #{id}")
  end

  def test_several_classes_and_other_objects_in_one_batch
    author = Author.create!(name: "A")
    mixed = [author, {id: 1, name: "hash"}, Struct.new(:id, :name).new(2, "struct"),
             create(title: "t").build_author(name: "new"), nil]
    assert_equal ["A", "hash", "struct", "new", nil], rows(*mixed, serializer: NameSerializer).map { |row|
      row && row["name"]
    }
  end

  def test_associations_loaded_unloaded_changed_and_assigned
    first = Author.create!(name: "first")
    second = Author.create!(name: "second")
    post = create(title: "p", author: first)
    serializer = Class.new(Katsu::Serializer) do
      attributes :author_id
      has_one :author, serializer: NameSerializer
    end
    check = ->(record, name) { assert_equal [name], [rows(record, serializer: serializer).dig(0, "author", "name")] }
    check.(post, "first")
    check.(Post.includes(:author).find(post.id), "first")
    check.(Post.includes(:author).find(post.id).tap { |p| p.author_id = second.id }, "second")
    check.(Post.includes(:author).find(post.id).tap { |p| p.author = second }, "second")
    check.(Post.includes(:author).find(post.id).tap { |p| p.author.name = "renamed" }, "renamed")
    check.(post.tap { |p| p.update!(author: nil) }, nil)
  end

  def test_associations_of_a_record_that_has_lost_its_attributes
    serializer = Class.new(Katsu::Serializer) { has_one :author, serializer: NameSerializer }
    create(title: "p", author: Author.create!(name: "a"))
    [nil, 1, "text"].each do |attributes|
      post = Post.includes(:author).first
      post.instance_variable_set(:@attributes, attributes)
      assert_raises(NoMethodError) { serializer.one(post).to_json }
    end
  end

  def test_collections_loaded_unloaded_and_built
    author = Author.create!(name: "a")
    Post.create!(title: "one", author: author)
    serializer = Class.new(Katsu::Serializer) do
      has_many :posts,
               serializer: (Class.new(Katsu::Serializer) do
                 attributes :title
               end)
    end
    titles = ->(record) { rows(record, serializer: serializer).dig(0, "posts").map { |post| post["title"] } }
    assert_equal ["one"], titles.(Author.find(author.id))
    loaded = Author.includes(:posts).find(author.id)
    loaded.posts.build(title: "built")
    assert_equal %w[one built], titles.(loaded)
    assert_equal ["new"], titles.(Author.new(posts: [Post.new(title: "new")]))
  end

  def test_json_columns_are_copied_and_invalid_ones_refused
    post = create(title: "j")
    put = ->(text) {
      Post.connection.execute("UPDATE posts SET data = #{Post.connection.quote(text)} WHERE id = #{post.id}")
    }
    serializer = Class.new(Katsu::Serializer) do
      attributes :data
      def self.to_s = "Data"
    end
    ["{\"a\" : [1, 2.50, \"\\u00fc\"]}", "[]", "null", "\"x\"", "[[[[]]]]", "[-0.5e+3]", "true"].each do |text|
      put.(text)
      assert_equal "{\"data\":#{text}}", watched { serializer.new.serialize_to_json(Post.find(post.id)) }
    end
    ["{", "[1,]", "{\"a\":}", "{a:1}", "[01]", "[1.]", "nul", "[1 2]", "\"\n\"", "\"\\x\"", "NaN", "", "1 2",
     "\"\\u12\"", "[\"a]", "{\"a\" 1}", "[}"].each do |text|
      put.(text)
      error = assert_raises(Katsu::GeneratorError,
                            text) { watched { serializer.new.serialize_to_json(Post.find(post.id)) } }
      assert_equal "Data: data of Post with id #{post.id} is not JSON, or nested too deep: #{text.inspect}",
                   error.message.lines[0].chomp
      assert_raises(Katsu::GeneratorError, text) do
        watched do
          serializer.new.serialize(Post.find(post.id))
        end
      end unless text == "NaN"
      read = Post.find(post.id).tap(&:data)
      %i[serialize serialize_to_json].each do |call|
        assert_raises(Katsu::GeneratorError, text) do
          watched do
            serializer.new.public_send(call, read)
          end
        end
      end unless text == "NaN"
    end
  end

  # to_json copies the text; a Hash is what it says, the last of two keys and deep ones included.
  def test_json_columns_are_the_same_in_a_hash
    post = create(title: "j")
    serializer = Class.new(Katsu::Serializer) { attributes :data }
    ["{\"a\":1,\"a\":2}", "[" * 300 + "]" * 300, "null", " [1] ", "\"\\u00fc\""].each do |text|
      Post.connection.execute("UPDATE posts SET data = #{Post.connection.quote(text)} WHERE id = #{post.id}")
      record = Post.find(post.id)
      assert_equal "{\"data\":#{text}}", watched { serializer.new.serialize_to_json(record) }
      assert_equal JSON::Coder.new(max_nesting: 0, allow_duplicate_key: true).load("{\"data\":#{text}}"),
                   watched { serializer.new.serialize(record) }
    end
    [5, 1.5].each do |number|
      Post.connection.execute("UPDATE posts SET data = #{number} WHERE id = #{post.id}")
      assert_equal({"data" => number}, watched { serializer.new.serialize(Post.find(post.id)) })
      assert_equal "{\"data\":#{number}}", watched { serializer.new.serialize_to_json(Post.find(post.id)) }
    end
    assert_equal "{\"data\":null}", watched {
      serializer.new.serialize_to_json(Post.find(post.id).tap { |record|
        record.data = nil
      })
    }
    Post.connection.execute("UPDATE posts SET data = '{\"a\": \"\\u00fc\"}' WHERE id = #{post.id}")
    text = Class.new(Post) do
      def self.name = "TextPost"
      attribute :data, :string
    end.find(post.id).becomes(Post)
    assert_equal({"data" => text.as_json["data"]}, JSON.parse(watched { serializer.new.serialize_to_json(text) }))
    saved = Post.find(post.id).tap { |record| record.update!(title: "k") }
    assert_equal "{\"data\":{\"a\": \"\\u00fc\"}}", watched { serializer.new.serialize_to_json(saved) }
  end

  # Its attributes are those of the class that it was, and are read by it.
  def test_json_columns_of_a_record_that_became_another_class
    other = Class.new(Post) { def self.name = "OtherPost" }
    serializer = Class.new(Katsu::Serializer) { attributes :title, :data }
    post = create(data: {"a" => 1})
    Post.connection.execute("UPDATE posts SET data = '[\"\\u00fc\", 1.50]' WHERE id = #{post.id}")
    [-> { Post.find(post.id).becomes(other) }, -> {
      Post.select(:id, :data, :title).find(post.id).becomes(other)
    }].each do |made|
      assert_equal %({"title":"t","data":["ü",1.5]}), watched { serializer.new.serialize_to_json(made.call) }
      assert_equal made.call.as_json(only: %w[title data]), watched { serializer.new.serialize(made.call) }
    end
  end

  TOKENS = ["{", "}", "[", "]", ",", ":", "\"a\"", "1", "0", "-1", "01", "1.5", "1.", "2e5", "1E+5", "1e", "null",
            "true", "nul", "\u00fc", "\"\u00fc\"", " ", ": ", ", ",
            "\"", "\\", "-", "\u0001", "\"\\n\"", "\"\\q\"", "{\"a\":1}",
            "{\"b\": [1, \"x\"], \"c\":{\"d\":[{}, null]}}", "[-0.5e+3]", "[[]]", ".5", "\n"].freeze

  # What may be copied is what the json gem's parser takes.
  def test_json_columns_of_random_text
    random = Random.new(5)
    texts = Array.new(GC_MODE == "normal" ? 1500 : 150) do # in brackets, as SQLite makes numbers of others
      tokens = TOKENS.sample(random.rand(1..4), random: random)
      random.rand(2).zero? ? "[#{tokens.join(",")}]" : "{\"k\":#{tokens.join}}"
    end
    Post.connection.execute("INSERT INTO posts (title, data) VALUES #{texts.map do |text|
      "('t', #{Post.connection.quote(text)})"
    end.join(", ")}")
    serializer = Class.new(Katsu::Serializer) { attributes :data }
    made = Post.order(:id).map { |post| watched { serializer.new.serialize_to_json(post) } rescue :refused }
    texts.zip(made) { |text, json| assert_equal json?(text) ? "{\"data\":#{text}}" : :refused, json, text }
    share = texts.size / 15
    assert_includes (share * 2)..(share * 13), made.count(:refused)
  end

  def json?(text)
    JSON.parse(text)
    true
  rescue JSON::ParserError
    false
  end

  def test_time_zones_and_settings
    post = create(created_at: Time.utc(2026, 7, 2, 3, 4, 5, 678_901), day: "2026-01-02")
    before = Time.zone
    ["UTC", "Berlin", nil].each do |zone|
      Time.zone = zone
      assert_as_json(Post.find(post.id))
    end
    Time.zone = "UTC"
    ActiveSupport::JSON::Encoding.time_precision = 0
    assert_as_json(Post.find(post.id))
    ActiveSupport::JSON::Encoding.time_precision = 3
    ActiveSupport::JSON::Encoding.use_standard_json_time_format = false
    assert_as_json(Post.find(post.id))
  ensure
    ActiveSupport::JSON::Encoding.time_precision = 3
    ActiveSupport::JSON::Encoding.use_standard_json_time_format = true
    Time.zone = before
  end

  # The answers of before are not kept.
  # A record's Hash of what was read and written is searched for the very object that is its key in most records.
  def test_columns_read_and_written_by_names_that_are_other_objects
    ids = Array.new(4) { |i| create(title: "title #{i}", body: "body #{i}").id }
    serializer = Class.new(Katsu::Serializer) { attributes :id, :title, :body }
    posts = Post.order(:id).find(ids)
    posts[0][+"title"] << " by a name made for it"
    posts[1].title << " by the reader"
    posts[2].assign_attributes(body: "assigned", title: "too")
    posts[2][:author_id] = nil
    [posts, posts.reverse, posts * 2].each do |records|
      expected = records.map { |record| record.as_json(only: %i[id title body]) }
      assert_equal expected.map { |row| row.values_at("id", "title", "body") },
                   rows(*records, serializer: serializer).map { |row| row.values_at("id", "title", "body") }
    end
  end

  # Few names are noted for the next record; if they are many, each column is looked for.
  def test_few_and_many_columns_that_were_read_and_written
    model = wide_model(300)
    names = (model.column_names - %w[id]).first(12)
    serializer = Class.new(Katsu::Serializer) do
      attributes(*names.first(9).map(&:to_sym))
      attribute(:reads) { |record| record[names[2]].size + record[names[10]].size }
      attributes(*names.last(3).map(&:to_sym))
    end
    model.create!(names.to_h { |name| [name, "as it was"] })
    made = lambda do |read, written|
      model.first.tap do |record|
        names.last(written).each { |name| record[name] = "written" }
        names.first(read).each { |name| record[name] << " and more" if record[name] && name != names[3] }
      end
    end
    counts = [0, 1, 3, 4, 5, 6, 9, 12].repeated_permutation(2).to_a
    expected = counts.map do |count|
      record = made.call(*count)
      {"reads" => record[names[2]].size + record[names[10]].size, **record.as_json(only: names)}
    end
    assert_equal expected, rows(*counts.map { |count| made.call(*count) }, serializer: serializer)
  ensure
    Post.connection.drop_table(:wide_posts, if_exists: true)
  end

  def test_a_record_without_attributes
    record = Post.allocate.init_with_attributes(ActiveModel::AttributeSet.new({}))
    titles = Class.new(Katsu::Serializer) { attributes :title }
    assert_equal [{"title" => record.title}], rows(record, serializer: titles)
  end

  # More columns than a word of the processor has bits, and than are written together: what was written or changed in
  # place is noted by column.
  def test_columns_that_are_far_behind_the_first_and_change
    model = wide_model(300)
    names = model.column_names - %w[id]
    serializer = Class.new(Katsu::Serializer) { attributes(*names.map(&:to_sym)) }
    model.create!(names.to_h { |name| [name, "as it was"] })
    names.values_at(0, 62, 63, 64, 127, 128, 255, 256, 299).each do |name|
      # as_json reads all columns of a record, so that of another one is the reference.
      written, in_place, *others = Array.new(2) do
        [model.first.tap { |record| record[name] = "written" },
         model.first.tap { |record| record[name] << " and more" }]
      end.flatten
      assert_equal others.map { |record| record.as_json(only: names) }, rows(written, in_place, serializer: serializer)
    end
  ensure
    Post.connection.drop_table(:wide_posts, if_exists: true)
  end

  # As many as the ruby backend writes together, and more.
  def test_many_columns_of_many_objects
    model = wide_model(300)
    names = model.column_names - %w[id]
    texts = ["text", "a \"quote\"", "größer\n", nil]
    20.times do |row|
      model.create!(names.each_with_index.to_h { |name, at| [name, texts[(at + row) % (3 + (row % 2))]] })
    end
    fewer_under_stress([127, 128, 129, 256, 257, 300]).each do |count|
      serializer = Class.new(Katsu::Serializer) { attributes(*names.first(count).map(&:to_sym)) }
      expected = model.all.map { |record| record.as_json(only: names.first(count)) }
      hashes = [expected, expected.map { |hash| hash.transform_keys(&:to_sym) }]
      [model.all.to_a, *hashes].each do |objects|
        assert_equal expected, rows(*objects, serializer: serializer)
        assert_equal expected, Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_a
      end
      assert_equal expected, JSON.parse(serializer.many(model.all).to_json)
    end
  ensure
    Post.connection.drop_table(:wide_posts, if_exists: true)
  end

  def wide_model(columns)
    Post.connection.create_table(:wide_posts, force: true) { |t| columns.times { |i| t.text :"c#{i}" } }
    Class.new(ActiveRecord::Base) do
      self.table_name = "wide_posts"
      def self.name = "WidePost"
    end
  end

  def test_settings_that_change_from_record_to_record
    post = create(created_at: Time.utc(2026, 7, 2, 3, 4, 5, 678_901), day: "2026-01-02")
    before = [ActiveRecord.default_timezone, ActiveSupport::JSON::Encoding.time_precision,
              ActiveSupport.use_standard_json_time_format]
    [[:utc, 3, true], [:utc, 6, true], [:utc, 3, true], [:local, 3, true], [:utc, 3, true], [:utc, 3, false],
     [:utc, 3, true]].each do |settings|
      apply_settings(*settings)
      assert_as_json(Post.find(post.id))
    end
  ensure
    apply_settings(*before)
  end

  def apply_settings(default_timezone, precision, standard)
    ActiveRecord.default_timezone = default_timezone
    ActiveSupport::JSON::Encoding.time_precision = precision
    ActiveSupport.use_standard_json_time_format = standard
  end

  def test_a_schema_that_is_loaded_again
    post = create(title: "s")
    assert_as_json(Post.find(post.id))
    Post.reset_column_information
    assert_as_json(Post.find(post.id))
    Post.attribute :views, :string
    assert_as_json(Post.find(post.id))
  ensure
    Post.attribute :views, :integer
  end

  def test_the_native_backend_reads_rows
    skip "rows are read by the native backend" unless native?

    post = create(title: "row")
    rows(post)
    _, _, columns, values = Katsu::Native.row(post)
    assert_equal post.id, columns ? values[columns["id"]] : values["id"]
    assert_equal [true, false, nil, nil, nil, nil], Katsu::Native.row(Post.new)
    assert_nil Katsu::Native.row(Object.new)
  end

  # As with an ActiveRecord that keeps a record's values in another way.
  def test_the_probe_refuses_rows_that_are_read_wrong
    skip "rows are read by the native backend" unless native?

    place = wrong = nil
    native = Katsu::Native.singleton_class
    row = native.instance_method(:row)
    native.remove_method(:row)
    native.define_method(:row) do |record|
      row.bind_call(self, record).tap { |values| values[place] = wrong if place && values[4] }
    end
    assert_predicate Katsu::Source::Probe, :passes?
    {0 => true, 1 => true, 2 => {"a" => 0}, 3 => [1, "three", nil], 4 => {}, 5 => {}}.each do |index, value|
      place = index
      wrong = value
      refute_predicate Katsu::Source::Probe, :passes?, "#{index} is wrong"
    end
  ensure
    if row
      native.remove_method(:row)
      native.define_method(:row, row)
    end
  end

  class WithoutVariables
    def id = 7
    def title = "none"
    def body = nil
    def author = nil
  end

  # From thousands on the native backend looks ahead, along what the first records have.
  def test_thousands_of_objects_of_all_kinds
    authors = Array.new(3) { |i| Author.create!(name: "a#{i}") }
    Post.insert_all!(Array.new(4200) { |i| {title: "t#{i}", body: "b" * (i % 90), author_id: authors[i % 4]&.id} })
    posts = Post.includes(:author).order(:id).to_a
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :title, :body
      has_one :author, serializer: NameSerializer
    end
    kinds = [Post.new(title: "new"), posts[5].dup, posts[6].tap do |post|
      post.title = "dirty"
    end, posts[7].tap(&:freeze), nil,
             Post.select(:id, :title, :body, :author_id).find(posts[8].id),
             {id: 1, title: "h", body: nil, author: {"id" => 2, "name" => "n"}},
             Post.select("posts.*, 1 AS more").find(posts[9].id),
             Struct.new(:id, :title, :body, :author).new(1, "s", "b", nil), WithoutVariables.new]
    mixed = posts.each_slice(9).flat_map { |slice| slice + kinds.rotate(slice.first.id) }
    # Not watched: collecting garbage in each allocation takes too long here.
    [posts, mixed, kinds * 500, posts.reverse].each do |objects|
      expected = objects.map { |object| serializer.new.serialize_to_json(object) }
      assert_equal "[#{expected.join(",")}]", Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_json
    end
  end

  # Associations that other code has given variables, which records further on are prefetched by.
  def test_thousands_of_associations_with_variables_of_their_own
    author = Author.create!(name: "a")
    Post.insert_all!(Array.new(2100) { |i| {title: "t#{i}", author_id: (author.id if i % 7 != 3)} })
    posts = Post.includes(:author).order(:id).last(2100)
    posts.each_with_index { |post, i| post.association(:author).instance_variable_set("@own_#{i % 50}", 1) }
    serializer = Class.new(Katsu::Serializer) do
      attributes :title
      has_one :author, serializer: NameSerializer
    end
    written = Katsu::ArraySerializer.new(posts, each_serializer: serializer).to_json
    assert_equal "[#{posts.map { |post| serializer.new.serialize_to_json(post) }.join(",")}]", written
  end

  def test_a_collection_that_shrinks_while_it_is_written
    Post.insert_all!(Array.new(4200) { |i| {title: "t#{i}", body: "b"} })
    posts = Post.order(:id).to_a
    titles = posts.first(4050).map(&:title)
    serializer = Class.new(Katsu::Serializer) do
      attributes :title, :number
      def number
        context.pop(150).clear if object.title == "t4000"
        GC.start if object.title == "t4000"
        Katsu::Serializer::SKIP
      end
    end
    written = JSON.parse(Katsu::ArraySerializer.new(posts, each_serializer: serializer, context: posts).to_json)
    assert_equal titles, written.map { |post| post["title"] }
  end

  def test_a_relation_is_streamed_in_batches
    3.times { |i| Author.create!(name: "a#{i}") }
    assert_equal %w[a0 a1 a2], Katsu::Stream.new(Author.all).map(&:name)
    assert_match(/order cannot be read in batches/, assert_raises(ArgumentError) do
      Katsu::Stream.new(Author.order(:name))
    end.message)
    assert_equal 3, JSON.parse(Katsu.dump(Katsu::Stream.new(Author.order(:name).load), StringIO.new).string).size
  end

  class NamedPost < ActiveRecord::Base
    self.table_name = "posts"
    default_scope { order(title: :desc) }
  end

  class WithoutKey < ActiveRecord::Base
    self.table_name = "posts"
    self.primary_key = nil
  end

  # A batch is 1,000 rows: those of an author end in the next one, and OFFSET would count in each.
  def test_relations_of_which_batches_leave_out_rows
    authors = Array.new(3) { |i| Author.create!(name: "a#{i}") }
    Post.insert_all(Array.new(2100) { |i| {title: "t#{i}", author_id: authors[i % 3].id} })
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    [Post.offset(3), Post.limit(1200).offset(3), Author.joins(:posts), Author.left_joins(:posts), WithoutKey.all,
     Post.group(:author_id).select("author_id, min(id) AS id"), Post.joins(:author).order(title: :desc),
     Post.limit(1500), Post.joins(:author).distinct].each do |relation|
      expected = relation.dup.map(&:id)
      stream = -> { Katsu::Stream.new(relation.dup) }
      assert_equal expected.tally, stream.call.map(&:id).tally, relation.to_sql
      lists = [Katsu::ArraySerializer.new(stream.call, each_serializer: serializer).to_json,
               Katsu.dump(stream.call, StringIO.new).string, Katsu.generate(stream.call)]
      lists.each { |list| assert_equal expected.tally, JSON.parse(list).map { |post| post["id"] }.tally }
    end
    assert_equal WithoutKey.all.map(&:title), Katsu::Stream.new(WithoutKey).map(&:title)
    [NamedPost, NamedPost.all].each do |ordered|
      assert_match(/order cannot/, assert_raises(ArgumentError) { Katsu::Stream.new(ordered) }.message)
    end
  end

  # Without katsu/compat/active_support, too.
  def test_a_stream_and_options_of_as_json
    2.times { |i| Author.create!(name: "a#{i}") }
    stream = Katsu::Stream.new(Author.all)
    options = {only: [:name]}
    assert_equal '[{"name":"a0"},{"name":"a1"}]', stream.to_json(options)
    assert_equal Author.all.as_json(options), stream.as_json(options)
    [{except: [:name]}, {only: ["id"]}, {"a" => 1}, {}, nil].each do |given|
      assert_equal Author.all.to_a.to_json(given), stream.to_json(given)
      assert_equal({a: Author.all.to_a}.to_json(given), {a: stream}.to_json(given))
    end
    assert_equal [{"name" => "a0"}, {"name" => "a1"}], [[stream]].as_json(options)[0][0]
    pairs = Katsu::Stream.new(%w[a b].each_with_index)
    assert_equal [generate(pairs)] * 2, [pairs.to_json, pairs.as_json.to_json]
    own = Class.new(Katsu::Stream) { def as_json(*) = {"own" => 1} }.new([2])
    assert_equal ['{"own":1}', '[{"own":1}]'], [own.to_json, [own].to_json]
  end

  # As as_json gives it, nil is in the place of what Ruby reads as Infinity.
  def test_numbers_in_a_json_column_that_are_too_large_for_a_float
    serializer = Class.new(Katsu::Serializer) { attributes :data }
    zeros = "0" * 309
    ["1e400", "-1E+309", "1#{zeros}.5", "[12.5e0400]", '{"a":[1e308,1e309]}', "1e-400", "1#{zeros}"].each do |text|
      [false, true].each do |own|
        make = -> { Post.instantiate({"data" => text}).tap { |post| post.singleton_class if own } }
        silence_warnings do # of Ruby's parser
          assert_equal [make.call.as_json(only: [:data])], watched { serializer.many([make.call]).to_a }, text
        end
      end
    end
  end

  # A Hash gets what as_json gives, also of a record with a class of its own, and JSON the column's text.
  def test_times_in_a_json_column
    zone = Time.zone
    times = ActiveSupport.parse_json_times
    Time.zone = "UTC"
    ActiveSupport.parse_json_times = true
    serializer = Class.new(Katsu::Serializer) { attributes :data }
    text = '{"at":"2026-01-02T03:04:05Z"}'
    [false, true].each do |own|
      make = -> { Post.instantiate({"data" => text}).tap { |post| post.singleton_class if own } }
      assert_equal [make.call.as_json(only: [:data])], watched { serializer.many([make.call]).to_a }
      assert_equal "[{\"data\":#{text}}]", watched { serializer.many([make.call]).to_json }
    end
  ensure
    Time.zone = zone
    ActiveSupport.parse_json_times = times
  end
end
