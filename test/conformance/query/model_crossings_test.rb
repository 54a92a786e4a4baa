# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "stringio"

# What models say of their columns, classes and associations, and the ways of rows and of records: ignored columns,
# names of classes, records that are shared, relations that are kept, owners with objects that are not saved.
class ModelCrossingsTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:model_owners) { |t| t.string :name }
    create_table(:model_posts) do |t|
      t.string :title, :type
      t.integer :owner_id, :kind
    end
    create_table(:model_notes) do |t|
      t.string :body, :target_type, :secret
      t.integer :post_id, :target_id, :owner_id
    end
    create_table(:model_marks) { |t| t.integer :post_id, :note_id }
  end

  class Owner < ActiveRecord::Base
    self.table_name = "model_owners"
    has_many :posts, class_name: "ModelCrossingsTest::Post"
    has_many :notes, class_name: "ModelCrossingsTest::Note"
    has_many :sorted, -> { order(title: :desc) }, class_name: "ModelCrossingsTest::Post"
    has_many :apart, through: :sorted, source: :notes, disable_joins: true
  end

  class Post < ActiveRecord::Base
    self.table_name = "model_posts"
    belongs_to :owner, class_name: "ModelCrossingsTest::Owner", optional: true
    has_many :notes, class_name: "ModelCrossingsTest::Note"
    has_many :about, as: :target, class_name: "ModelCrossingsTest::Note"
    has_many :marks, class_name: "ModelCrossingsTest::Mark"
    has_many :marked, through: :marks, source: :note
    has_many :brief, through: :marks, source: :brief
    has_many(:extended, class_name: "ModelCrossingsTest::Note") { def size = 42 }
  end

  class News < Post
    def self.polymorphic_name = name
  end

  class Note < ActiveRecord::Base
    self.table_name = "model_notes"
    self.ignored_columns = ["secret"]
    belongs_to :post, class_name: "ModelCrossingsTest::Post", optional: true
    belongs_to :owner, class_name: "ModelCrossingsTest::Owner", optional: true
  end

  # Of the same table.
  class Brief < ActiveRecord::Base
    self.table_name = "model_notes"
    respond_to?(:only_columns=) ? self.only_columns = %w[id body] : self.ignored_columns = ["secret"]
  end

  class Mark < ActiveRecord::Base
    self.table_name = "model_marks"
    belongs_to :post, class_name: "ModelCrossingsTest::Post"
    belongs_to :note, class_name: "ModelCrossingsTest::Note"
    belongs_to :brief, class_name: "ModelCrossingsTest::Brief", foreign_key: :note_id
  end

  # Its records are no collections.
  class Pair < Owner
    def to_a = [id, name]
  end

  class Paired < Post
    self.inheritance_column = nil
    belongs_to :pair, class_name: "ModelCrossingsTest::Pair", foreign_key: :owner_id
  end

  class Vehicle < ActiveRecord::Base
    self.table_name = "model_posts"
    self.inheritance_column = "kind"
    def self.find_sti_class(number) = number.to_i == 1 ? Car : Vehicle
    def self.sti_class_for(number) = find_sti_class(number)
    def self.sti_name = 0
  end

  class Car < Vehicle
    def self.sti_name = 1
  end

  class BodySerializer < Katsu::Serializer
    attributes :body
  end

  def teardown
    [Mark, Note, Post, Owner].each(&:delete_all)
    Katsu.configure { |config| config.on_lazy_load = :allow }
  end

  def serializer(&block) = Class.new(Katsu::Serializer, &block)

  def plain(records, serializer) = Katsu::ArraySerializer.new(records, each_serializer: serializer).to_json

  # Posts that share a note with a secret.
  def marked(count = 3)
    note = Note.create!(body: "shared", owner: Owner.create!(name: "Ada"))
    Note.connection.execute("UPDATE model_notes SET secret = 'SECRET'")
    Array.new(count) { |i| Post.create!(title: "t#{i}").tap { |post| Mark.create!(post: post, note: note) } }
  end

  def test_ignored_columns_of_associations_through_others
    posts = marked
    all = serializer { attribute(:all) { |note| note.attributes } }
    %i[marked brief].each do |name|
      through = serializer { has_many name, serializer: all }
      expected = plain(Post.preload(name).order(:id).to_a, through)
      refute_includes expected, "SECRET"
      refute_includes through.many(Post.order(:id)).explain.to_h[:queries].last[:sql], ".*"
      assert_equal expected, through.many(Post.order(:id)).to_json
      assert_equal expected, through.many(Post.order(:id).to_a).to_json
    end
    every = serializer do
      attributes(*Note.column_names.map(&:to_sym))
      attribute(:found, needs: :body) { |note| note[:secret] }
    end
    document = serializer { has_many :marked, serializer: every }.many(Post.where(id: posts.first.id))
    assert_raises(Katsu::NeedsError) { document.to_json }
  end

  # As ActiveRecord's preloader has it: what a record keeps is found out once.
  def test_records_that_belong_to_several_owners_are_one_object
    marked(4)
    through = serializer do
      has_many(:marked) { attribute(:owner) { |note| note.owner.name } }
    end
    expected = plain(Post.preload(:marked).order(:id).to_a, through)
    made = queries { assert_equal expected, through.many(Post.order(:id)).to_json }
    assert_equal 3, made.size, made.join("\n")
    posts = Post.order(:id).to_a
    through.many(posts).to_json
    assert_equal 1, posts.flat_map { |post| post.marked.map(&:object_id) }.uniq.size
  end

  # A relation may be kept, in a constant or a scope's memo.
  def test_a_relation_is_read_anew_for_one_object
    Post.create!(title: "first")
    latest = Post.order(id: :desc)
    titles = [serializer { attribute(:title) { |post| post.title } }, serializer { attributes :title }]
    titles.each { |title| assert_equal '{"title":"first"}', title.one(latest).to_json }
    Post.create!(title: "second")
    titles.each { |title| assert_equal '{"title":"second"}', title.one(latest).to_json }
    refute_predicate latest, :loaded?
  end

  def test_associations_that_do_not_join
    owner = Owner.create!(name: "Ada")
    3.times do |i|
      post = Post.create!(title: "t#{i}", owner: owner)
      2.times { |n| Note.create!(body: "n#{i}#{n}", post: post) }
    end
    expected = plain(owner.apart.to_a, BodySerializer)
    assert_match(/n20.*n00/, expected)
    sources = [-> { Owner.find(owner.id).apart }, -> { Owner.find(owner.id).apart.where.not(body: nil) }]
    sources.each do |source|
      assert_equal expected, BodySerializer.many(source.call).to_json
      assert_equal expected, BodySerializer.many(source.call).write_to(StringIO.new).string
      assert_equal '{"body":"n20"}', BodySerializer.one(source.call).to_json
      assert_includes BodySerializer.many(source.call).explain.to_s, "the association has disable_joins"
    end
  end

  def test_an_owner_with_objects_that_are_not_saved
    owner = Owner.create!(name: "Ada")
    Post.create!(title: "t", owner: owner)
    Note.create!(body: "saved", owner: owner)
    posts = serializer do
      attributes :title
      has_one(:owner) { has_many(:notes) { attributes :body } }
    end
    changes = {built: ->(one) { one.notes.build(body: "new") }, loaded: ->(one) { one.notes.load },
               edited: ->(one) { one.notes.load.first.body = "edited" }}
    changes.each do |what, change|
      [:posts, :order].each do |kind|
        one = Owner.find(owner.id).tap(&change)
        source = -> { kind == :posts ? one.posts : one.posts.order(:id) }
        expected = plain(source.call.to_a, posts)
        one = Owner.find(owner.id).tap(&change)
        assert_equal expected, posts.many(source.call).to_json, "#{what} #{kind}"
      end
    end
    assert_equal :rows, posts.many(Owner.find(owner.id).tap(&changes[:loaded]).posts).explain.to_h[:way]
  end

  # What is known of the models that a serializer leads to follows them.
  def test_a_callback_that_an_associated_model_gets_later
    note = self.class.const_set(:LateNote, Class.new(Note))
    late = self.class.const_set(:LateOwner, Class.new(Owner))
    late.has_many :late, class_name: note.name, foreign_key: :owner_id, inverse_of: :owner
    note.belongs_to :owner, class_name: late.name
    owner = late.create!(name: "Ada")
    2.times { |i| note.create!(body: "n#{i}", owner: owner) }
    notes = serializer { has_many(:late) { attributes :body } }
    assert_equal 2, queries { notes.many(late.all).to_json }.size
    note.after_find { self.body = "#{body} of #{self.owner.name}" }
    expected = plain(late.preload(:late).to_a, notes)
    assert_includes expected, "n0 of Ada"
    made = queries { assert_equal expected, notes.many(late.all).to_json }
    assert_equal queries { Class.new(notes).many(late.all).to_json }.size, made.size
  end

  # A class keeps its associations when it is asked for them, and those of its parents too.
  def test_an_association_that_a_parent_declares_after_a_subclass_was_asked
    parent = self.class.const_set(:LatePost, Class.new(Post))
    child = self.class.const_set(:LoudPost, Class.new(parent) { def title = super.upcase })
    child.reflect_on_association(:late)
    parent.has_many :late, -> { order(:id) }, class_name: "ModelCrossingsTest::Note", foreign_key: :post_id
    note = {class_name: "ModelCrossingsTest::Note", join_table: "model_marks", foreign_key: :post_id}
    parent.has_and_belongs_to_many :late_marked, -> { order(:id) }, **note, association_foreign_key: :note_id
    4.times { |i| Note.create!(body: "n", post: [parent, child][i % 2].create!(title: "t")) }
    Mark.create!(post: child.last, note: Note.first)
    %i[late late_marked].each do |name|
      written = serializer { attributes(:title) && has_many(name, serializer: BodySerializer) }
      needed = serializer { attribute(:all, needs: {name => :body}) { |post| post.public_send(name).map(&:body) } }
      [written, needed].each do |one|
        expected = plain(parent.order(:id).to_a, one)
        made = queries { assert_equal expected, one.many(parent.order(:id)).to_json }
        assert_operator made.size, :<=, 3, made.join("\n")
        assert_equal(1, queries { assert_equal expected, one.many(parent.order(:id).to_a).to_json }.size - 1)
        assert_equal [name], one.preloads(child)
      end
    end
  end

  def test_a_class_with_a_polymorphic_name_of_its_own
    Post.create!(title: "p").about.create!(body: "of a post")
    News.create!(title: "n").about.create!(body: "of news")
    about = serializer do
      attributes :title
      has_many :about, serializer: BodySerializer
    end
    expected = plain(Post.order(:id).to_a, about)
    assert_includes expected, "of news"
    assert_equal expected, about.many(Post.order(:id)).to_json
    assert_equal expected, about.many(Post.order(:id).to_a).to_json
  end

  def test_what_is_needed_of_classes_with_a_polymorphic_name_of_their_own
    owner = Owner.create!(name: "Ada")
    [Post, News].each { |model| model.create!(title: "t", owner: owner).about.create!(body: "of #{model.name}") }
    needed = serializer do
      attribute(:about, needs: {posts: {about: :body}}) do |one|
        one.posts.flat_map { |post| post.about.map(&:body) }
      end
    end
    expected = plain(Owner.all.to_a, needed)
    assert_includes expected, "of ModelCrossingsTest::News"
    assert_equal expected, needed.many(Owner.all).to_json
    assert_equal expected, needed.many(Owner.all.to_a).to_json
  end

  def test_records_that_have_a_to_a
    pair = Pair.create!(name: "Ada")
    Note.create!(body: "n", owner_id: pair.id)
    2.times { |i| Paired.create!(title: "t#{i}", owner_id: pair.id) }
    below = serializer { has_one(:pair) { has_many(:notes) { attributes :body } } }
    needed = serializer { attribute(:bodies, needs: {pair: {notes: :body}}) { |post| post.pair.notes.map(&:body) } }
    [below, needed].each do |one|
      expected = plain(Paired.order(:id).to_a, one)
      [Paired.order(:id), Paired.order(:id).to_a, Paired.preload(:pair).order(:id).to_a].each do |source|
        document = one.many(source)
        assert_equal 1, queries { assert_equal expected, document.to_json }.grep(/model_notes/).size
      end
      assert_equal expected, "[#{([one.render(Paired.first)] * 2).join(",")}]"
      assert_equal expected, one.many(Paired.order(:id).strict_loading).to_json
    end
  end

  def test_classes_that_are_named_by_integers
    Car.create!(title: "car")
    Vehicle.create!(title: "other")
    kinds = serializer { attribute(:kind, needs: :title) { |vehicle| vehicle.class.name } }
    columns = serializer { attributes :title }
    [kinds, columns].each do |one|
      assert_equal plain(Vehicle.order(:id).to_a, one), one.many(Vehicle.order(:id)).to_json
    end
  end

  def test_associations_with_methods_of_their_own
    Note.create!(body: "n", post: Post.create!(title: "t"))
    sizes = serializer { attribute(:size, needs: {extended: :body}) { |post| post.extended.size } }
    assert_equal '[{"size":42}]', sizes.many(Post.order(:id)).to_json
    assert_includes sizes.many(Post.all).explain.to_s, "the association has methods of its own"
    taken = serializer do
      attribute(:taken, needs: {notes: :body}) { |post| [post.notes.take.body, post.notes.take(1).size] }
    end
    assert_equal '[{"taken":["n",1]}]', taken.many(Post.order(:id)).to_json
    assert_equal '[{"taken":["n",1]}]', taken.many(Post.order(:id).to_a).to_json
  end

  # The relation is of a model that has the column.
  def test_a_subclass_that_ignores_a_needed_column
    Post.create!(title: "p")
    ignoring = Class.new(Post) do
      def self.name = "ModelCrossingsTest::Ignoring"
      self.ignored_columns = ["title"]
    end
    self.class.const_set(:Ignoring, ignoring)
    ignoring.create!(kind: 1)
    titles = serializer { attribute(:title, needs: :title) { |post| post.title } }
    assert_equal '[{"title":"p"},{"title":null}]', titles.many(Post.order(:id)).to_json
  end

  # What Katsu loads is as strict as what the relation preloads.
  def test_a_relation_that_loads_strictly
    post = Post.create!(title: "t")
    Note.create!(body: "n", post: post, owner: Owner.create!(name: "Ada"))
    marked = Note.create!(body: "m", owner: Owner.first)
    Mark.create!(post: post, note: marked)
    owners = serializer { attribute(:owner) { |note| note.owner.name } }
    below = serializer { has_many :notes, serializer: owners }
    through = serializer { has_many :marked, serializer: owners }
    method = serializer do
      attribute(:title) { |one| one.title }
      has_many :notes, serializer: owners
    end
    [below, through, method].each do |one|
      [Post.strict_loading, Post.strict_loading.order(:id)].each do |relation|
        document = one.many(relation)
        assert_raises(ActiveRecord::StrictLoadingViolationError) { document.to_json }
        assert_raises(ActiveRecord::StrictLoadingViolationError) { document.write_to(StringIO.new) }
        assert_raises(ActiveRecord::StrictLoadingViolationError) { one.one(relation).to_json }
        assert_includes one.many(relation.strict_loading(false)).to_json, "Ada"
      end
    end
    read = serializer { has_many(:notes) { attribute(:owner, needs: {owner: :name}) { |note| note.owner.name } } }
    assert_equal '[{"notes":[{"owner":"Ada"}]}]', read.many(Post.strict_loading).to_json
  end

  # A document with many fields and many queries is looked at once.
  def test_the_fields_of_a_document_are_looked_for_once
    2.times { |i| Note.create!(body: "n#{i}", post: Post.create!(title: "t#{i}")) }
    sizes = serializer { attribute(:size) { |post| post.notes.count } }
    made = 0
    logger = ActiveRecord::Base.logger
    ActiveRecord::Base.logger = Logger.new(text = StringIO.new, level: :warn)
    Katsu.configure { |config| config.on_lazy_load = :log }
    fields = Katsu::Query::LazyLoads.const_get(:Fields, false)
    counting = TracePoint.new(:call) { |call| made += 1 if call.method_id == :initialize && fields === call.self }
    counting.enable { sizes.many(Post.order(:id)).to_json }
    assert_includes text.string, "2 queries in size"
    assert_equal 1, made
  ensure
    ActiveRecord::Base.logger = logger
  end

  # As where an application is loaded anew, and the class above is of a gem.
  def test_a_subclass_that_another_one_takes_the_place_of
    Post.create!(title: "t").update_columns(type: "ModelCrossingsTest::Fresh")
    words = serializer do
      attribute(:fresh, needs: :title) { |post| [post.is_a?(Fresh), post.class == Fresh, (post.word if Fresh.words)] }
    end
    %w[first second].each do |word|
      fresh = Class.new(Post) { singleton_class.attr_accessor :words }
      self.class.const_set(:Fresh, fresh)
      fresh.alias_attribute(:word, :title) if fresh.words = word == "second"
      expected = [{"fresh" => [true, true, ("t" if fresh.words)]}]
      2.times { assert_equal expected, words.many(Post.where.not(type: nil)).to_a, word }
      self.class.send(:remove_const, :Fresh)
    end
  ensure
    Post.where.not(type: nil).delete_all
  end

  def test_another_column_that_names_classes
    base = Class.new(ActiveRecord::Base) do
      self.table_name = "model_posts"
      self.inheritance_column = nil
      def self.name = "ModelCrossingsTest::Based"
    end
    self.class.const_set(:Based, base)
    self.class.const_set(:LoudBased, Class.new(base) { def title = super.upcase })
    id = Post.create!(title: "t").id
    Post.where(id: id).update_all(type: "ModelCrossingsTest::LoudBased")
    titles = serializer { attributes :title }
    {nil => "t", "type" => "T"}.to_a.cycle(2) do |column, title|
      base.inheritance_column = column
      assert_equal [{"title" => title}], titles.many(base.where(id: id)).to_a, column
      assert_equal title, base.find(id).title
    end
  ensure
    %i[Based LoudBased].each { |name| self.class.send(:remove_const, name) }
    Post.where(id: id).delete_all
  end
end
