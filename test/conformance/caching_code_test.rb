# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "active_support/cache"
require "tmpdir"

# cache and Ruby code: what a model's methods, an as_json of the application's and conditions decide is never stale.
class CachingCodeTest < TestCase
  include Queries

  ActiveRecord::Schema.define do
    create_table(:coded_posts) do |t|
      t.string :title
      t.references :subject, polymorphic: true
      t.timestamps precision: 6
    end

    create_table(:coded_archives) do |t|
      t.string :title
      t.timestamps precision: 6
    end

    create_table(:coded_comments) do |t|
      t.string :body
      t.references :post
      t.timestamps precision: 6
    end
  end

  class Post < ActiveRecord::Base
    self.table_name = "coded_posts"
    has_many :comments
    belongs_to :subject, polymorphic: true, optional: true
  end

  class Archive < ActiveRecord::Base
    self.table_name = "coded_archives"
    def self.model_name = Post.model_name
  end

  class Comment < ActiveRecord::Base
    self.table_name = "coded_comments"
    belongs_to :post, optional: true
  end

  class PostSerializer < Katsu::Serializer
    cache
    attributes :id, :title
  end

  class CommentSerializer < Katsu::Serializer
    attributes :body
  end

  class ThreadSerializer < Katsu::Serializer
    cache
    attributes :id
    has_many :comments, serializer: CommentSerializer
  end

  class TouchedSerializer < ThreadSerializer
    cache touch: [:comments]
  end

  class AllTouchedSerializer < ThreadSerializer
    cache touch: true
  end

  class BodiesSerializer < Katsu::Serializer
    cache
    attribute(:bodies, needs: {comments: :body}) { |post| post.comments.map(&:body) }
  end

  class TimeSerializer < Katsu::Serializer
    cache
    attributes :updated_at
  end

  class SubjectSerializer < Katsu::Serializer
    cache
    attributes :id
    has_one :subject, serializer: {Comment.name => CommentSerializer}, if: -> { false }
  end

  class ChosenSerializer < Katsu::Serializer
    cache
    attributes :id
    has_many :comments, serializer: CommentSerializer, if: :long?
    def long? = object.title == "long"
  end

  class BareSubjectSerializer < Katsu::Serializer
    cache
    has_one :subject, serializer: {Comment.name => CommentSerializer}
  end

  def setup
    @post = Post.create!(title: "t")
    @comment = Comment.create!(body: "b", post: @post)
    Katsu.configure { |config| config.cache_store = ActiveSupport::Cache::MemoryStore.new }
    Katsu::Caching.forget
  end

  def teardown
    Katsu.configure { |config| config.cache_store = nil }
    [Post, Archive, Comment].each(&:delete_all)
  end

  # The JSON of the post, read anew.
  def written(serializer) = watched { serializer.one(Post.where(id: @post.id)).to_json }

  # Defines a method of a class, in a file of that name if one is given; removes it, or defines what was there, again.
  def with_method(klass, name, file: __FILE__, gives: "masked")
    before = klass.instance_method(name) if klass.method_defined?(name, false)
    klass.send(:remove_method, name) if before
    klass.class_eval("def #{name}(*) = #{gives.inspect}", file, 1)
    yield
  ensure
    klass.send(:remove_method, name)
    klass.define_method(name, before) if before
  end

  def test_a_reader_that_the_model_is_given_later
    written(PostSerializer)
    with_method(Post, :title) { assert_equal %({"id":#{@post.id},"title":"masked"}), written(PostSerializer) }
    assert_equal %({"id":#{@post.id},"title":"t"}), written(PostSerializer)
  end

  # Their records stand in no key.
  def test_a_reader_of_the_objects_that_touch_names
    [ThreadSerializer, TouchedSerializer, AllTouchedSerializer].each do |serializer|
      assert_includes written(serializer), '"body":"b"'
      with_method(Comment, :body) { assert_includes written(serializer), '"body":"masked"', serializer }
      assert_includes written(serializer), '"body":"b"'
    end
  end

  def test_readers_that_needs_names
    assert_equal '{"bodies":["b"]}', written(BodiesSerializer)
    Dir.mktmpdir do |folder|
      %w[one two].each do |gives|
        file = File.join(folder, "comment.rb")
        File.write(file, gives)
        with_method(Comment, :body, file: file, gives: gives) do
          Katsu::Caching.forget # as another process, to which no change of a method is told
          assert_equal %({"bodies":["#{gives}"]}), written(BodiesSerializer)
        end
      end
    end
  end

  def test_needs_of_a_column_that_has_no_reader
    narrow = Class.new(Post) do
      def self.name = "NarrowPost"
      undef_method :title
    end
    serializer = Class.new(Katsu::Serializer) do
      cache
      attribute(:own, needs: %i[id title]) { |post| post.id }
      def self.name = "NarrowPostSerializer"
    end
    [narrow.where(id: @post.id), narrow.where(id: @post.id).to_a].each do |posts|
      2.times { assert_equal %([{"own":#{@post.id}}]), serializer.many(posts).to_json }
    end
  end

  def test_an_as_json_of_the_application
    before = written(TimeSerializer)
    versions = [TimeSerializer.many(Post.all).cache_key_with_version]
    with_method(Time, :as_json) do
      assert_equal '{"updated_at":"masked"}', written(TimeSerializer)
      versions << TimeSerializer.many(Post.all).cache_key_with_version
    end
    assert_equal before, written(TimeSerializer)
    assert_equal 2, versions.uniq.size
  end

  # As after a deployment with other settings.
  def test_what_attributes_say_of_their_values
    base = {default: "EUR", type: ActiveModel::Type::String.new(limit: 3), format: "%d", on_error: :null}
    other = {default: "USD", type: ActiveModel::Type::String.new(limit: 4), format: "%f", on_error: :skip}
    digests = [{}, base, *other.map { |name, value| {**base, name => value} }, {omit_nil: true}].map do |options|
      digest = digest_of(options)
      assert_equal digest, digest_of(options)
      refute_equal digest, digest_of(options, :short) unless options.empty?
      digest
    end
    assert_equal digests, digests.uniq
    shown = [Object.new, Float::NAN, Time.at(0)].map { |default| digest_of({default: default}) }
    assert_equal shown, shown.uniq
  end

  # The same class of the same lines, with other options.
  def digest_of(options, view = nil)
    serializer = Class.new(Katsu::Serializer) do
      cache
      attributes :id, **(view ? {} : options)
      view(:short) { attribute :title, **(view ? options : {}) }
    end
    self.class.const_set(:SettingSerializer, serializer)
    Katsu::Plan::Digest.of(serializer.plan)
  ensure
    self.class.__send__(:remove_const, :SettingSerializer)
  end

  def test_two_models_of_one_model_name
    Archive.insert({id: @post.id, title: "archived", created_at: @post.created_at, updated_at: @post.updated_at})
    documents = [Post, Archive].map { |model| watched { PostSerializer.many(model.all).to_json } }
    assert_equal(%w[t archived].map { |title| %([{"id":#{@post.id},"title":"#{title}"}]) }, documents)
  end

  def test_associations_that_are_not_written
    @post.update_columns(subject_type: Post.name, subject_id: @post.id) # which has no serializer
    assert_equal %({"id":#{@post.id}}), written(SubjectSerializer)
    @post.update_columns(subject_type: "Nowhere", updated_at: Time.now)
    assert_equal %({"id":#{@post.id}}), written(SubjectSerializer)
    assert_equal %([{"id":#{@post.id}}]), ChosenSerializer.many(Post.strict_loading.to_a).to_json
    2.times { assert_equal(1, queries { ChosenSerializer.many(Post.all).to_json }.size) }
  end

  def test_a_condition_that_changes_its_mind
    assert_equal %({"id":#{@post.id}}), written(ChosenSerializer)
    with_method(ChosenSerializer, :long?, gives: true) do
      assert_equal %({"id":#{@post.id},"comments":[{"body":"b"}]}), written(ChosenSerializer)
    end
  end

  class RaisingSerializer < Katsu::Serializer
    cache
    has_many :comments, serializer: CommentSerializer, if: -> { raise KeyError, "no answer" }
  end

  class AskingSerializer < Katsu::Serializer
    cache
    has_many :comments, serializer: CommentSerializer, if: -> { Comment.exists?(post_id: object.id) }
  end

  # A condition that raises does so with its path, as without a cache.
  def test_conditions_that_raise
    error = assert_raises(KeyError) { RaisingSerializer.many(Post.all).to_json }
    assert_equal "[0].comments", error.field_path
    Katsu.configure { |config| config.on_lazy_load = :raise }
    error = assert_raises(Katsu::LazyLoadError) { AskingSerializer.many(Post.all).to_json }
    assert_equal "[0].comments", error.field_path
  ensure
    Katsu.configure { |config| config.on_lazy_load = :allow }
  end

  def test_objects_that_no_serializer_writes
    {Post.name => Katsu::SerializerNotFoundError, "Nowhere" => NameError}.each do |type, error|
      @post.update_columns(subject_type: type, subject_id: @post.id)
      assert_raises(error) { written(BareSubjectSerializer) }
      assert_raises(error) { Katsu::ArraySerializer.new(Post.all, each_serializer: BareSubjectSerializer).to_json }
    end
  end
end
