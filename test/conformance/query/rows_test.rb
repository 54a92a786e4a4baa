# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

# Relations that are read as rows: no record is made, and the bytes are those of the records.
class QueryRowsTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table :row_items do |t|
      t.string :type
      t.string :name
      t.integer :amount
      t.integer :state
      t.boolean :open
      t.string :label
      t.text :settings
      t.references :owner, polymorphic: true
      t.datetime :made_at, precision: 6
      t.decimal :price, precision: 8, scale: 2
    end
    execute "CREATE VIEW row_views AS SELECT name, amount FROM row_items"
  end

  # Text, turned round.
  class Reversed < ActiveRecord::Type::Value
    def type = :reversed
    def deserialize(value) = value&.reverse
    def serialize(value) = value&.reverse
  end

  class Item < ActiveRecord::Base
    self.table_name = "row_items"
    belongs_to :owner, polymorphic: true, optional: true
    enum :state, {draft: 0, live: 1}
    attribute :label, Reversed.new
    serialize :settings, coder: JSON
    alias_attribute :title, :name
  end

  class Special < Item; end

  class Sibling < Item; end

  class Loud < Item
    def name = super&.upcase
  end

  class Found < Item
    self.inheritance_column = nil
    after_find { self.name = "found" }
  end

  class Default < Item
    self.inheritance_column = nil
    default_scope { where(open: true).order(amount: :desc) }
  end

  class Narrow < Item
    self.inheritance_column = nil
    self.ignored_columns += ["settings"]
  end

  class View < ActiveRecord::Base
    self.table_name = "row_views"
  end

  class ItemSerializer < Katsu::Serializer
    attributes :id, :title, :name, :amount, :state, :open, :label, :settings, :made_at, :price
  end

  class NameSerializer < Katsu::Serializer
    attributes :name, :amount
  end

  class OwnerSerializer < Katsu::Serializer
    attributes :name
    has_one :owner, serializer: NameSerializer
  end

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class AuthorSerializer < Katsu::Serializer
    attributes :name
    has_one :mentor, serializer: AuthorSerializer, depth: 2
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :created_at
    has_one :author, serializer: AuthorSerializer, only: [:name, :mentor]
    has_many :comments, serializer: CommentSerializer
    has_one :first_comment, serializer: CommentSerializer, only: [:body]
    aliases views: :seen
  end

  class NeedsSerializer < Katsu::Serializer
    attributes :title
    attribute(:excerpt, needs: :body) { |post| post.body&.first(3) }
    attribute(:author_name, needs: {author: :name}) { |post| post.author&.name }
    attribute(:bodies, needs: {comments: :body}) { |post| post.comments.map(&:body) }
    attribute(:secret, if: -> { scope }, needs: []) { 1 }
    attribute(:drafted, needs: :draft) { |post| post.draft? ? post[:draft] : nil }
    has_many :comments, serializer: CommentSerializer, if: ->(post) { post.views.to_i.zero? }, needs: :views
  end

  class ModelSerializer < Katsu::Serializer
    attributes :title, :shout
  end

  def setup
    mentor = Author.create!(name: "Mentor")
    authors = Array.new(2) { |i| Author.create!(name: "author #{i}", mentor: mentor) }
    8.times do |i|
      post = Post.create!(title: "post #{i}", body: "text #{i}", author: [nil, *authors][i % 3],
                          data: {"a" => [i, " b"]}, draft: i.even?, views: i % 2)
      post.comments.create!(Array.new(i % 3) { |j| {body: "c #{i} #{j}"} })
    end
    Item.insert_all!(Array.new(6) do |i|
      {name: "item #{i}", amount: i, state: i % 2, open: i.even?, label: "label #{i}", settings: {"a" => i},
       made_at: Time.utc(2026, 1, 2, 3, 4, i, 123_456),
       price: "#{i}.5", owner_type: "QueryRowsTest::Item", owner_id: 1}
    end)
  end

  def teardown
    [Comment, Post, Author, Item].each(&:delete_all)
  end

  def records_of(relation)
    relation.load.to_a
  end

  # The document of a relation, each way, is that of its records. rows: whether it is made without them.
  def assert_same_document(serializer, relation, rows:, **options)
    expected = Katsu::ArraySerializer.new(relation.dup.to_a, each_serializer: serializer, **options).to_json
    made = records_made do
      assert_equal expected, watched { serializer.many(relation.dup, **options).to_json }, relation.to_sql
      assert_equal JSON.parse(expected), serializer.many(relation.dup, **options).to_a
      assert_equal expected,
                   serializer.many(relation.dup, **options).write_to(StringIO.new).string if relation.order_values.any?
    end
    rows ? assert_equal(0, made, "records were made of #{relation.to_sql}") : assert_operator(made, :>, 0)
  end

  def test_columns
    fields = native? && !Katsu::Plan.method_defined?(:generate_table) ? [:data] : []
    plain = Class.new(Katsu::Serializer) { attributes(*(Post.column_names.map(&:to_sym) - fields)) }
    assert_same_document(plain, Post.order(:id), rows: true)
    assert_same_document(ItemSerializer, Item.order(:id), rows: true)
    assert_same_document(ItemSerializer, Item.order(:id), rows: true, only: %i[state made_at])
  end

  def test_json_columns
    serializer = Class.new(Katsu::Serializer) { attributes :id, :data }
    expected = Katsu::ArraySerializer.new(Post.order(:id).to_a, each_serializer: serializer).to_json
    assert_equal expected, serializer.many(Post.order(:id)).to_json
    assert_equal expected, serializer.many(Post.all).write_to(StringIO.new).string
    lines = serializer.many(Post.all).write_to(StringIO.new, format: :ndjson).string.lines(chomp: true)
    assert_equal expected, "[#{lines.join(",")}]"
    assert_equal expected, "[#{serializer.one(Post.order(:id).limit(1)).to_json}#{expected[(lines[0].size + 1)..]}"
    assert_equal "[]", serializer.many(Post.where("id < 0")).write_to(StringIO.new).string
  end

  # SQLite keeps a number as a number, whatever the column's type is.
  def test_numbers_in_a_json_column
    serializer = Class.new(Katsu::Serializer) { attributes :id, :data }
    ids = Post.order(:id).limit(3).ids
    ids.zip(["5", "-2.5", "9223372036854775807"]) { |id, sql| Post.where(id: id).update_all("data = #{sql}") }
    assert_equal [5, -2.5, 9_223_372_036_854_775_807], Post.where(id: ids).order(:id).map(&:data)
    assert_same_document(serializer, Post.where(id: ids).order(:id), rows: true)
  end

  def test_only_the_columns_that_are_read
    made = queries { PostSerializer.many(Post.where(draft: true).order(:body)).to_json }
    columns = %w[id title author_id views created_at].map { |name| %("posts"."#{name}") }.join(", ")
    assert_equal %(SELECT #{columns} FROM "posts" WHERE "posts"."draft" = ? ORDER BY "posts"."body" ASC), made[0]
    assert_match(/\ASELECT "authors"."name", "authors"."type", "authors"."mentor_id", "authors"."id" FROM/,
                 made.find do |sql|
      sql.include?("authors")
    end)
  end

  def test_associations
    assert_same_document(PostSerializer, Post.order(:id), rows: true)
    assert_same_document(PostSerializer, Post.order(:id).where(author_id: nil), rows: true)
    assert_equal 5, queries { PostSerializer.many(Post.order(:id)).to_json }.size
    assert_same_document(PostSerializer, Post.order(:id), rows: true, except: {author: [:mentor]})
  end

  def test_relations_that_are_read_as_rows
    author = Author.find_by(name: "author 0")
    [Post.where(title: "post 1"), Post.where(id: [1, 2, 3]), Post.limit(2).offset(1).order(:id),
     Post.order(title: :desc).limit(3), Post.none, Post.where(id: []),
     Post.joins(:author).order("authors.name, posts.id"), Post.left_joins(:comments).order(:id),
     Post.joins(:comments).distinct.order(:id),
     Post.includes(:comments).order(:id), Post.preload(:author).order(:id), Post.readonly.order(:id),
     Post.all.reorder(id: :desc),
     Post.where(draft: true).rewhere(draft: false).order(:id), Post.order(:title).unscope(:order).order(:id),
     Post.where(draft: true).order(:id).unscope(where: :draft),
     author.posts.order(:id), author.posts, Post.order(:id).reverse_order,
     Post.annotate("why").order(:id)].each do |relation|
      assert_same_document(PostSerializer, relation, rows: true)
      break if GC_MODE != "normal"
    end
  end

  def test_a_relation_with_strict_loading_is_preloaded
    expected = PostSerializer.many(Post.order(:id)).to_json
    assert_equal(0, records_made { assert_equal expected, PostSerializer.many(Post.strict_loading.order(:id)).to_json })
    assert_equal expected, PostSerializer.many(Post.strict_loading.order(:id).load).to_json
  end

  def test_relations_that_are_read_as_records
    [Post.select("posts.*, 1 AS one").order(:id), Post.eager_load(:author).order(:id),
     Post.from("(SELECT * FROM posts) posts").order(:id),
     Post.group(:id).order(:id), Post.lock.order(:id), Post.order(:id).extending(Module.new)].each do |relation|
      assert_same_document(PostSerializer, relation, rows: false)
    end
  end

  # ActiveRecord refuses them when it loads the first record.
  def test_preloads_of_the_relation_that_are_no_associations
    {nope: :nope, "nope" => :nope, [:author, [{comments: :nope}]] => :nope, {author: {posts: %i[author nay]}} => :nay,
     [{nay: :author}] => :nay}.each do |names, unknown|
      [Post.preload(names), Post.includes(names), Post.all.preload(:author).includes(names)].each do |relation|
        errors = [-> { relation.dup.to_a }, -> { PostSerializer.many(relation).to_json }].map do |read|
          assert_raises(ActiveRecord::AssociationNotFoundError) { read.call }.message
        end
        assert_equal 1, errors.uniq.size
        assert_includes errors.first, "'#{unknown}'"
      end
    end
    [{author: {posts: ["comments", :author]}}, {"author" => [], comments: {post: nil}}].each do |names|
      assert_same_document(PostSerializer, Post.preload(names).order(:id), rows: true)
    end
  end

  def test_relations_that_are_loaded
    relation = Post.order(:id).load
    relation.first.title = "changed"
    assert_includes PostSerializer.many(relation).to_json, "changed"
    author = Author.find_by(name: "author 0")
    author.posts.build(title: "built")
    assert_includes PostSerializer.many(author.posts).to_json, "built"
    assert_includes PostSerializer.many(Author.new(posts: [Post.new(title: "new")]).posts).to_json, "new"
  end

  def test_models_that_are_read_as_rows
    assert_same_document(ItemSerializer, Default.all, rows: true)
    assert_same_document(NameSerializer, Narrow.order(:id), rows: true)
    assert_same_document(NameSerializer, View.order(:name), rows: true)
    Item.where(amount: 1..2).update_all(type: Special.name)
    assert_same_document(ItemSerializer, Item.order(:id), rows: true)
    assert_same_document(ItemSerializer, Special.order(:id), rows: true)
  end

  def test_models_that_are_read_as_records
    assert_same_document(NameSerializer, Found.order(:id), rows: false)
    assert_same_document(NameSerializer, Loud.order(:id).unscope(where: :type), rows: false)
    Item.where(amount: 1..2).update_all(type: Loud.name)
    assert_same_document(NameSerializer, Item.order(:id), rows: false)
    Item.where(amount: 1..2).update_all(type: "QueryRowsTest::Nothing")
    assert_raises(ActiveRecord::SubclassNotFound) { NameSerializer.many(Item.order(:id)).to_json }
  end

  # Rows that are not of the relation's class.
  def test_a_relation_of_a_subclass_without_the_condition_on_its_name
    relation = Special.order(:id).unscope(where: :type)
    assert_same_document(NameSerializer, relation, rows: true)
    Item.where(amount: 1).update_all(type: Sibling.name)
    assert_raises(ActiveRecord::SubclassNotFound) { relation.dup.to_a }
    assert_raises(ActiveRecord::SubclassNotFound) { NameSerializer.many(relation.dup).to_json }
  end

  def test_steps_that_need_records
    assert_same_document(ModelSerializer, Post.order(:id), rows: false)
    assert_same_document(Class.new(Katsu::Serializer) { attributes :stars }, Post.order(:id), rows: false)
    assert_same_document(Class.new(Katsu::Serializer) { attribute(:a) { |post| post[:title] } }, Post.order(:id),
                         rows: false)
    assert_same_document(Class.new(Katsu::Serializer) { attribute :title, if: -> { object[:id] } }, Post.order(:id),
                         rows: false)
  end

  def test_a_callback_that_comes_later
    serializer = Class.new(Katsu::Serializer) { attributes :name }
    model = Class.new(Item) { self.inheritance_column = nil }
    self.class.const_set(:Later, model) unless self.class.const_defined?(:Later)
    assert_same_document(serializer, model.order(:id), rows: true)
    model.after_find { self.name = "later" }
    assert_same_document(serializer, model.order(:id), rows: false)
  end

  def test_method_fields_with_needs
    assert_same_document(NeedsSerializer, Post.order(:id), rows: true)
    assert_same_document(NeedsSerializer, Post.order(:id), rows: true, scope: true)
  end

  def test_needs_of_an_association_with_a_limit
    Post.has_many(:two_comments, -> { order(:id).limit(2) }, class_name: "Comment")
    shallow = Class.new(Katsu::Serializer) do
      attribute(:bodies, needs: {two_comments: :body}) { |post| post.two_comments.map(&:body) }
    end
    assert_same_document(shallow, Post.order(:id), rows: false)
    deep = Class.new(Katsu::Serializer) do
      attribute(:bodies, needs: {posts: {two_comments: :body}}) do |author|
        author.posts.map { |post| post.two_comments.map(&:body) }
      end
    end
    assert_same_document(deep, Author.order(:id), rows: false)
  end

  def test_what_needs_does_not_name_is_an_error
    serializer = Class.new(Katsu::Serializer) do
      attribute(:excerpt, needs: [:title]) { |post| context.call(post) }
    end
    first = ->(reader) { serializer.many(Post.order(:id), context: reader).to_json }
    error = assert_raises(Katsu::NeedsError) { first.call(->(post) { post.titel }) }
    assert_includes error.message, "titel of Post is not loaded; loaded are id, title."
    assert_includes error.message, "Did you mean title?"
    assert_equal "[0].excerpt", error.field_path
    [->(post) { post.body }, ->(post) { post[:body] }, ->(post) { post.comments }, ->(post) { post.save }, ->(post) {
      post
    }].each do |reader|
      assert_raises(Katsu::NeedsError) { first.call(reader) }
    end
    assert_raises(Katsu::NeedsError) { first.call(->(post) { post.respond_to?(:body) }) }
    refute_includes first.call(->(post) { post.respond_to?(:titel) }), "true"
    assert_raises(NoMethodError) { first.call(->(post) { post.title = 1 }) }
  end

  class ZonedPost < ActiveRecord::Base
    self.table_name = "posts"
    self.time_zone_aware_attributes = true
  end

  def test_settings_of_times
    zone = Time.zone
    precision = ActiveSupport::JSON::Encoding.time_precision
    serializer = Class.new(Katsu::Serializer) { attributes :id, :created_at, :short_at, :day, :clock }
    zones = GC_MODE == "normal" ? [nil, "UTC", "Europe/Berlin", "America/St_Johns"] : ["Europe/Berlin"]
    zones.product([0, 3, 6]).each do |name, digits|
      Time.zone = name
      ActiveSupport::JSON::Encoding.time_precision = digits
      assert_same_document(serializer, Post.order(:id), rows: true)
      assert_same_document(serializer, ZonedPost.order(:id), rows: true)
    end
  ensure
    Time.zone = zone
    ActiveSupport::JSON::Encoding.time_precision = precision
  end

  # Dates are printed in another form too.
  def test_times_in_another_form
    serializer = Class.new(Katsu::Serializer) { attributes :id, :created_at, :day }
    Post.update_all(day: Date.new(2026, 1, 31))
    ActiveSupport::JSON::Encoding.use_standard_json_time_format = false
    assert_same_document(serializer, Post.order(:id), rows: true)
    assert_includes serializer.many(Post.order(:id)).to_json, %("day":"2026/01/31")
  ensure
    ActiveSupport::JSON::Encoding.use_standard_json_time_format = true
  end

  def test_batches_of_rows
    Post.insert_all!(Array.new(2100) { |i| {title: "many #{i}"} })
    expected = Katsu::ArraySerializer.new(Post.order(:id).to_a, each_serializer: CommentSerializer, only: [:id]).to_json
    made = nil
    assert_equal(0, records_made do
      made = queries do
        assert_equal expected, CommentSerializer.many(Post.all, only: [:id]).write_to(StringIO.new).string
      end
    end)
    assert_equal 3, made.size
    lines = CommentSerializer.many(Post.all, only: [:id]).write_to(StringIO.new, format: :ndjson).string
    assert_equal JSON.parse(expected), lines.lines.map { |line| JSON.parse(line) }
    shouted = ModelSerializer.many(Post.all, only: [:shout]).write_to(StringIO.new, format: :ndjson).string
    assert_equal Post.count, shouted.lines.size
  end

  def test_a_column_that_was_added_after_the_schema_was_read
    connection = Item.connection
    connection.create_table(:row_late) { |t| t.string :name }
    late = Class.new(ActiveRecord::Base) { self.table_name = "row_late" }
    self.class.const_set(:Late, late)
    late.create!(name: "late")
    serializer = Class.new(Katsu::Serializer) { attributes :id, :name }
    2.times do |i|
      connection.execute("ALTER TABLE row_late ADD COLUMN new_#{i} TEXT")
      [late.order(:id), late.distinct.order(:id)].each { |all| assert_same_document(serializer, all, rows: true) }
    end
  end

  def test_associations_as_sources
    author = Author.find_by(name: "author 0")
    assert_same_document(CommentSerializer, author.posts, rows: true, only: [:id])
    parts = [author.posts.where(draft: nil), author.posts.order(:id), author.reload.posts]
    [author.posts.tap(&:load), *parts].each do |posts|
      expected = Katsu::ArraySerializer.new(posts.to_a, each_serializer: CommentSerializer, only: [:id]).to_json
      assert_equal expected, CommentSerializer.many(posts, only: [:id]).write_to(StringIO.new).string
    end
    author.posts.reset
    author.posts.build(title: "built")
    serializer = Class.new(Katsu::Serializer) { attributes :title }
    [:json, :ndjson].each do |format|
      assert_includes serializer.many(author.posts).write_to(StringIO.new, format: format).string, "built"
    end
  end

  def test_one_record_of_a_relation_is_read_as_a_row
    relation = Post.where(title: "post 4")
    expected = PostSerializer.new.serialize_to_json(relation.first)
    assert_equal(0, records_made { assert_equal expected, PostSerializer.one(relation).to_json })
    assert_equal JSON.parse(expected), PostSerializer.one(relation).to_h
    assert_equal "null", PostSerializer.one(Post.none).to_json
  end
end
