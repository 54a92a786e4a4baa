# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "active_support/cache"

# What is written below a cached record, and by whom: no viewer gets another one's JSON, from the store or by a version.
class CachingBelowTest < TestCase
  ActiveRecord::Schema.define do
    create_table(:below_posts) do |t|
      t.string :title
      t.timestamps precision: 6
    end

    create_table(:below_notes) do |t|
      t.string :text
      t.references :post
      t.references :subject, polymorphic: true
      t.timestamps precision: 6
    end
  end

  # As ActiveSupport's CurrentAttributes.
  module Viewer
    class << self
      attr_accessor :user
    end
  end

  class Post < ActiveRecord::Base
    self.table_name = "below_posts"
    has_many :notes, class_name: "CachingBelowTest::Note"
    attr_accessor :liked
  end

  class Note < ActiveRecord::Base
    self.table_name = "below_notes"
    belongs_to :post, class_name: "CachingBelowTest::Post", optional: true
    belongs_to :subject, polymorphic: true, optional: true
    attr_accessor :liked
  end

  # A MemoryStore that tells how long texts are kept.
  class Store < ActiveSupport::Cache::MemoryStore
    attr_reader :seconds

    def write_multi(texts, **options)
      @seconds = options[:expires_in]
      super
    end
  end

  STORE = Store.new

  class ForViewer < Katsu::Serializer
    cache store: STORE, vary: -> { Viewer.user }, expires_in: 60
    attribute(:for) { Viewer.user }
  end

  class OwnNotes < Katsu::Serializer
    cache store: STORE, expires_in: 600
    has_many :notes, serializer: ForViewer
  end

  class SubjectOfViewer < Katsu::Serializer
    cache store: STORE
    has_one :subject, serializer: {Post => ForViewer}
  end

  class Child < ForViewer
    cache expires_in: 5
  end

  class SameForAll < ForViewer
    cache vary: nil
    attributes :id
  end

  class Secret < Katsu::Serializer
    attributes :id
    attribute(:secret) { 1 }
    def self.filters_for(*) = Viewer.user == "Ada" ? {} : {except: [:secret]}
  end

  class Subject < Katsu::Serializer
    cache store: STORE
    has_one :subject, serializer: {Post => Secret}
  end

  class TouchedSubject < Katsu::Serializer
    cache store: STORE, touch: [:subject]
    attributes :id
    has_one :subject, serializer: {Post => Secret}
  end

  class Liked < Katsu::Serializer
    attributes :liked
  end

  class LikedNotes < Katsu::Serializer
    cache store: STORE
    has_many :notes, serializer: Liked
  end

  class TouchedLikedNotes < Katsu::Serializer
    cache store: STORE, touch: [:notes]
    has_many :notes, serializer: Liked
  end

  class LikedWithin < Katsu::Serializer
    cache store: STORE, touch: true
    nested(:more) { attributes :liked }
  end

  class LikedNotesOfViewer < Katsu::Serializer
    cache store: STORE, vary: -> { Viewer.user }
    has_many :notes, serializer: Liked
  end

  class Texts < Katsu::Serializer
    attributes :text
  end

  class NoteTexts < Katsu::Serializer
    cache store: STORE
    has_many :notes, serializer: Texts
  end

  class Needing < Katsu::Serializer
    cache store: STORE
    attribute(:texts, needs: :notes) { |post| post.notes.map(&:text) }
  end

  # A type with a setting of its own.
  class Rounded < ActiveModel::Type::Value
    def initialize(digits, range = nil)
      @digits = digits
      @range = range
      super()
    end

    def cast(value) = value.round(@digits)
  end

  def setup
    [Note, Post].each(&:delete_all)
    STORE.clear
    @post = Post.create!(title: "a")
    @note = Note.create!(text: "n", post: @post, subject: @post)
  end

  def teardown
    Viewer.user = nil
  end

  def by_viewer(serializer, record)
    %w[Ada Bo Ada].map do |name|
      Viewer.user = name
      JSON.parse(serializer.render(record.class.find(record.id)))
    end
  end

  def test_vary_of_cached_serializers_below
    ada, bo = %w[Ada Bo].map { |name| {"for" => name} }
    assert_equal [[ada], [bo], [ada]], by_viewer(OwnNotes, @post).map { |json| json["notes"] }
    assert_equal [ada, bo, ada], by_viewer(SubjectOfViewer, @note).map { |json| json["subject"] }
  end

  def test_the_least_of_expires_in
    OwnNotes.render(@post)
    assert_equal 60, STORE.seconds
  end

  def test_a_subclass_keeps_what_it_does_not_say_again
    assert_equal [{"for" => "Ada"}, {"for" => "Bo"}, {"for" => "Ada"}], by_viewer(Child, @post)
    assert_equal 5, STORE.seconds
    assert_equal %w[Ada Ada Ada], by_viewer(SameForAll, @post).map { |json| json["for"] }
    assert_equal 60, STORE.seconds
  end

  def test_filters_of_what_a_polymorphic_association_chooses
    id = @post.id
    [Subject, TouchedSubject].each do |serializer|
      subjects = by_viewer(serializer, @note).map { |json| json["subject"] }
      assert_equal [{"id" => id, "secret" => 1}, {"id" => id}, {"id" => id, "secret" => 1}], subjects
    end
  end

  def test_variables_of_records_below
    skip "only CRuby shows what is an attr_reader" unless defined?(RubyVM::InstructionSequence)
    {LikedNotes => Note, TouchedLikedNotes => Note, LikedWithin => Post}.each do |serializer, model|
      error = assert_raises(Katsu::Error) { serializer.render(@post) }
      assert_match(/: liked is a variable of each #{model}, an attr_reader.*; say by/, error.message)
    end
    by_viewer = %w[Ada Bo].map do |name|
      Viewer.user = name
      @post.notes.each { |note| note.liked = name }
      JSON.parse(LikedNotesOfViewer.render(@post))["notes"][0]["liked"]
    end
    assert_equal %w[Ada Bo], by_viewer
  end

  # The associated records' database may be another one's.
  def test_shards_of_records_below
    posts = %i[one two].to_h do |shard|
      Note.where(id: @note.id).update_all(text: shard.to_s)
      [shard, Post.find(@post.id).tap { |post| post.notes.load }]
    end
    shard = nil
    Note.define_singleton_method(:current_shard) { shard }
    versions = posts.map do |name, post|
      shard = name
      assert_equal [{"text" => name.to_s}], JSON.parse(NoteTexts.render(post))["notes"]
      assert_equal [name.to_s], JSON.parse(Needing.render(post))["texts"]
      NoteTexts.many([post]).cache_key_with_version
    end
    assert_equal 2, versions.uniq.size
  ensure
    Note.singleton_class.send(:remove_method, :current_shard)
  end

  # A document with a variable of a record has the tag of its JSON.
  def test_versions_of_documents
    skip "only CRuby shows what is an attr_reader" unless defined?(RubyVM::InstructionSequence)
    liked = ->(value) { Liked.many(Post.all.to_a.each { |post| post.liked = value }).cache_key_with_version }
    refute_equal liked.call(true), liked.call(false)
    varied = %w[Ada Bo].map do |name|
      Viewer.user = name
      ForViewer.many(Post.all).cache_key_with_version
    end
    assert_equal 2, varied.uniq.size
  end

  def test_settings_of_types
    error = assert_raises(ArgumentError) do
      Class.new(Katsu::Serializer) do
        attribute :id, type: Rounded.new(1)
        attribute :id, type: Rounded.new(2)
      end
    end
    assert_match(/twice/, error.message)
    digests = [[1, 0..1], [2, 0..1], [1, 0..2], [1, 0..1]].map do |digits, range|
      serializer = Class.new(Katsu::Serializer) { attribute :id, type: Rounded.new(digits, range) }
      serializer.description.attributes.values.first.told.inspect
    end
    assert_equal 3, digests.uniq.size
  end

  class Leading < ActiveRecord::Base
    self.table_name = "below_notes"
    has_one :inner, class_name: "CachingBelowTest::Leading", foreign_key: :post_id
    belongs_to :outer, class_name: "CachingBelowTest::Leading", foreign_key: :post_id, optional: true
  end

  class Outer < Katsu::Serializer
    attributes :id
  end

  class Inner < Katsu::Serializer
    cache store: STORE
    attributes :id
    has_one :inner, serializer: Inner, depth: 1
    has_one :outer, serializer: Outer
  end

  Outer.has_one :outer, serializer: Inner

  # An association that no object reaches, as it would lead back without end.
  def test_what_leads_back
    Note.delete_all
    first = Leading.create!
    last = Leading.create!(post_id: first.id)
    only = {instance: %i[id inner], inner: {instance: %i[id inner], inner: %i[id outer]}}
    2.times do
      assert_equal %({"id":#{first.id},"inner":{"id":#{last.id}}}), Inner.render(Leading.find(first.id), only: only)
    end
  end
end
