# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "active_support/core_ext/kernel/reporting"

# Documents that need records. Without YJIT only the first is made by ActiveRecord, and the others are the same.
class QueryLoadingTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table :loading_posts do |t|
      t.string :title
      t.string :type
      t.integer :author_id
      t.datetime :created_at
    end
    create_table(:loading_authors) { |t| t.string :name }
  end

  class Author < ActiveRecord::Base
    self.table_name = "loading_authors"
    has_many :posts, class_name: "QueryLoadingTest::Post"
  end

  class Post < ActiveRecord::Base
    self.table_name = "loading_posts"
    self.inheritance_column = nil
    belongs_to :author, class_name: "QueryLoadingTest::Author", optional: true
  end

  # Gives each record to the context, an Array. Its code is not known.
  class Keeping < Katsu::Serializer
    attributes :id, :kept
    def kept = (context << object).size
  end

  def setup
    [Post, Author].each(&:delete_all)
    @author = Author.create!(name: "Ann")
    5.times { |i| Post.create!(title: "title #{i}", author: @author, created_at: Time.utc(2026, 1, 1) + i) }
  end

  def teardown
    [Post, Author].each(&:delete_all)
  end

  def test_the_first_record_is_made_by_activerecord_and_the_others_as_it_is
    relation = Post.order(:id)
    made = assert_same_records(relation, 1)
    assert_equal relation.ids, made.map(&:id)
    assert_equal 5, made.map { |record| record.instance_variable_get(:@association_cache).object_id }.uniq.size
  end

  def test_with_yjit_activerecord_makes_all
    assert_equal(5, initialized(compiled: true) { records(Post.all) })
  end

  def test_each_record_has_a_state_of_its_own
    made = interpreted { records(Post.order(:id)) }
    made[1].author
    assert_equal([false, true, false], made.first(3).map { |record| record.association(:author).loaded? })
    made[2].update!(title: "another")
    assert_equal(["title 1", "another", "title 3"], made[1..3].map(&:title))
    assert_equal([false, true, false], made[1..3].map(&:saved_changes?))
    made[3].title << "!"
    assert_equal([false, true, false], made[2..4].map(&:changed?))
    made[4].destroy
    assert_equal([false, true], made[3..4].map(&:destroyed?))
    made[0].readonly!
    made[1].errors.add(:title, :blank)
    assert_equal([[true, 0], [false, 1]], made.first(2).map { |record| [record.readonly?, record.errors.size] })
    assert_raises(ActiveRecord::StrictLoadingViolationError) { made[2].tap(&:strict_loading!).author }
    assert_equal "Ann", made[3].author.name
  end

  def test_queries_and_notifications_are_activerecords
    events = lambda do |&block|
      seen = []
      listener = ->(name, _, _, _, payload) { seen << [name, payload.slice(:sql, :name, :record_count, :class_name)] }
      ActiveSupport::Notifications.subscribed(listener, /(sql|instantiation)\.active_record/, &block)
      seen
    end
    relation = Post.where(author_id: @author.id).order(:id).limit(3)
    ours = events.call { interpreted { records(relation) } }
    assert_equal(events.call { relation.dup.to_a }, ours)
    assert_equal(%w[sql.active_record instantiation.active_record], ours.map(&:first))
  end

  def test_relations_of_which_rows_alone_decide
    {
      where: Post.where("title > ?", "title 1"), distinct: Post.distinct, group: Post.group(:id),
      from: Post.from("(SELECT * FROM loading_posts) loading_posts"), reverse: Post.order(:id).reverse_order,
      extra: Post.select("*, id * 2 AS double, '2026-01-01' AS day"), columns: Post.select(:id, :title),
      joins: Post.joins("JOIN loading_authors ON loading_authors.id = author_id").where(loading_authors: {name: "Ann"}),
      annotate: Post.annotate("why").create_with(title: "new").offset(1).limit(3)
    }.each { |name, relation| assert_same_records(relation, 1, name) }
  end

  def test_relations_that_activerecord_loads_itself
    {
      includes: Post.includes(:author), preload: Post.preload(:author), eager: Post.eager_load(:author),
      readonly: Post.readonly, strict: Post.strict_loading, association: @author.posts.order(:id), lock: Post.lock,
      extending: Post.extending(Module.new)
    }.each { |name, relation| assert_same_records(relation, 5, name) }
    assert_same_records(Post.limit(1), 1)
    assert_same_records(Post.none, 0)
    assert_same_records(Post.where(id: []), 0)
    assert(interpreted { records(@author.posts.order(:id)) }.all? { |post| post.association(:author).loaded? })
  end

  def test_a_loaded_relation_keeps_its_records_and_another_one_is_not_loaded
    relation = Post.all
    interpreted { records(relation) }
    refute_predicate relation, :loaded?
    relation.load
    assert_equal(relation.to_a.map(&:object_id), interpreted { records(relation) }.map(&:object_id))
  end

  def test_models_that_make_records_in_their_own_way
    own = {
      find: ->(model) { model.after_find { self.title = "found" } },
      initialize: ->(model) { model.after_initialize { self.title = "made" } },
      internals: ->(model) { model.class_eval { private def init_internals = super.tap { @own = [] } } },
      included: ->(model) { model.include(Module.new { private def init_internals = super.tap { @own = rand } }) },
      attributes: ->(model) { model.class_eval { def init_with_attributes(*) = super.tap { @own = id } } },
      clone: ->(model) { model.class_eval { def initialize_clone(*) = raise("a clone") } },
      copy: ->(model) { model.class_eval { def initialize_copy(*) = raise("a copy") } },
      load: ->(model) { model.define_singleton_method(:_load_from_sql) { |*args, &made| super(*args, &made).reverse } },
      allocate: lambda do |model|
        model.define_singleton_method(:allocate) { super().tap { |post| post.instance_variable_set(:@own, 1) } }
      end,
      inheritance: ->(model) { model.inheritance_column = "type" }
    }
    own.each do |name, change|
      model = model()
      change.call(model)
      assert_same_records(model.order(:id), 5, name)
    end
    assert_same_records(model.order(:id), 1)
  end

  def test_a_model_that_changes_between_two_documents
    model = model()
    assert_same_records(model.all, 1)
    model.after_find { self.title = "found" }
    assert_same_records(model.all, 5)
    assert_equal(["found"], interpreted { records(model.all) }.map(&:title).uniq)
    another = model()
    assert_same_records(another.all, 1)
    another.include(Module.new { private def init_internals = super.tap { @own = [id] } })
    assert_same_records(another.all, 5)
  end

  def test_a_variable_that_may_differ_is_activerecords_to_set
    hashes = ->(post) { Katsu::Query::Loading.send(:own_hashes, post) }
    assert_equal [:@association_cache], hashes.call(Post.first)
    refute(hashes.call(Post.first.tap { |post| post.association(:author).target = @author }))
    refute(hashes.call(Post.first.tap { |post| post.instance_variable_set(:@own, []) }))
  end

  def test_relations_with_methods_of_their_own
    relation = Post.all
    relation.define_singleton_method(:exec_main_query) do |**|
      rows = super()
      ActiveRecord::Result.new(rows.columns, rows.rows.first(2))
    end
    assert_equal(2, interpreted { records(relation) }.size)
  end

  # As libraries have them that load associations or count records.
  def test_each_method_that_loads_records_is_called_if_it_is_not_activerecords
    %i[to_a load records exec_queries instantiate_records].each do |name|
      called = 0
      relation = Post.order(:id)
      relation.define_singleton_method(name) do |*arguments, &block|
        called += 1
        super(*arguments, &block)
      end
      assert_same_records(relation, 5, name)
      assert_operator called, :>=, 1, name
    end
  end

  def test_batches
    assert_equal 5.times.map { |i| {"id" => Post.order(:id).ids[i], "kept" => i + 1} },
                 interpreted { JSON.parse(Keeping.many(Post.all, context: []).each.to_a.join) }
    assert_equal(1, initialized { Keeping.many(Post.all, context: []).each.to_a })
  end

  def test_rows_of_the_query_cache
    Post.cache do
      first = interpreted { records(Post.order(:id)) }
      first[1].title << "!"
      assert_equal("title 1", interpreted { records(Post.order(:id)) }[1].title)
    end
  end

  private

  def model
    Class.new(ActiveRecord::Base) do
      self.table_name = "loading_posts"
      self.inheritance_column = nil
      def self.name = "QueryLoadingTest::Made"
    end
  end

  # The records that a document is made of.
  def records(relation)
    kept = []
    Keeping.many(relation, context: kept).to_json
    kept
  end

  # Requires the records that ActiveRecord makes, and that it makes as many of them itself.
  def assert_same_records(relation, initialized, name = nil)
    made = nil
    assert_equal(initialized, initialized { made = records(relation) }, name)
    made.zip(fresh(relation)).each do |record, expected|
      assert_equal state(expected), state(record), name
      assert_equal expected.attributes, record.attributes, name
      assert_equal expected.class, record.class, name
    end
    assert_equal fresh(relation).size, made.size, name
    made
  end

  def fresh(relation) = relation.dup.reset.to_a

  # The instance variables in their order, with those values that are not of this record alone. What the document has
  # read is in @attributes.
  def state(record)
    record.instance_variables.to_h do |name|
      value = record.instance_variable_get(name)
      [name, %i[@attributes @association_cache @own].include?(name) ? value.class : value]
    end
  end

  # How many posts ActiveRecord initializes while the block runs.
  def initialized(compiled: false, &block)
    count = 0
    trace = TracePoint.new(:call) do |call|
      core = call.method_id == :init_internals && call.defined_class == ActiveRecord::Core
      count += 1 if core && !call.self.is_a?(Author)
    end
    trace.enable { as(compiled, &block) }
    count
  end

  def interpreted(&block) = as(false, &block)

  # Runs the block as if YJIT were off or on.
  def as(compiled)
    loading = Katsu::Query::Loading.singleton_class
    asked = loading.instance_method(:compiled?)
    silence_warnings { loading.define_method(:compiled?) { compiled } }
    yield
  ensure
    silence_warnings { loading.define_method(:compiled?, asked) }
  end
end
