# frozen_string_literal: true

require "support/test_case"
require "support/database"

begin
  require "alba"
  require "blueprinter"
  require "active_model_serializers"
  require "panko_serializer"
  Oj.default_options = {mode: :rails, use_raw_json: true} # as oj_serializers does, which puts Oj into Rails, too
  require "active_support/core_ext/string" # which it needs
  require "oj_serializers"
  require "katsu/migrate"
  require_relative "constructs"
rescue LoadError
  nil # bin/test --peers has the gems
end

# Each construct of the tables, written by the gem and by what katsu migrate makes of it, with the same records.
class MigratedPeersTest < TestCase
  HERE = <<~RUBY
    class AuthorSerializer < Katsu::Serializer
      attributes :id, :name
    end
    class CommentSerializer < Katsu::Serializer
      attributes :id, :body
    end
  RUBY
  # The gem's classes of authors and comments.
  OTHERS = {
    "alba" => <<~RUBY,
      class AuthorResource
        include Alba::Resource
        attributes :id, :name
      end
      class CommentResource
        include Alba::Resource
        attributes :id, :body
      end
    RUBY
    "blueprinter" => <<~RUBY,
      class AuthorBlueprint < Blueprinter::Base
        fields :id, :name
      end
      class CommentBlueprint < Blueprinter::Base
        fields :id, :body
      end
    RUBY
    "active_model_serializers" => <<~RUBY,
      class AuthorSerializer < ActiveModel::Serializer
        attributes :id, :name
      end
      class CommentSerializer < ActiveModel::Serializer
        attributes :id, :body
      end
    RUBY
    "panko" => <<~RUBY,
      class AuthorSerializer < Panko::Serializer
        attributes :id, :name
      end
      class CommentSerializer < Panko::Serializer
        attributes :id, :body
      end
    RUBY
    "oj_serializers" => <<~RUBY
      class AuthorSerializer < Oj::Serializer
        attributes :id, :name
      end
      class CommentSerializer < Oj::Serializer
        attributes :id, :body
      end
    RUBY
  }.freeze
  PARAMS = {host: "example.com"}.freeze

  def setup
    gems = defined?(ActiveModel::Serializer) && defined?(Blueprinter)
    skip "the gems are not there; bin/test --peers installs them" unless gems
    ActiveModelSerializers.logger = Logger.new(nil)
    Alba.inflector = :active_support
    author = Author.create!(name: "Ada")
    [true, false].each do |draft|
      post = Post.create!(title: "title", body: "a body", draft: draft, author: author, created_at: Time.utc(2026))
      %w[one two].each { |body| Comment.create!(post: post, body: body) }
    end
    @posts = Post.includes(:author, :comments).order(:id).to_a
  end

  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def test_alba
    compare("alba", [*@posts, @posts]) do |classes, post, view|
      options = view ? {with_traits: view} : {}
      classes.const_get(:PostResource).new(post, params: PARAMS, **options).serialize
    end
  end

  def test_blueprinter
    compare("blueprinter") do |classes, post, view|
      classes.const_get(:PostBlueprint).render(post, view: view || :default, **PARAMS)
    end
  end

  def test_active_model_serializers
    compare("active_model_serializers") do |classes, post, _|
      classes.const_get(:PostSerializer).new(post, scope: :editor, **PARAMS).to_json
    end
  end

  def test_panko
    compare("panko") do |classes, post, _|
      classes.const_get(:PostSerializer).new(context: PARAMS).serialize_to_json(post)
    end
  end

  def test_oj_serializers
    compare("oj_serializers") do |classes, post, _|
      classes.const_get(:PostSerializer).one_as_hash(post, PARAMS).to_json
    end
  end

  private

  # The block renders one of the objects, a post or an Array of posts, with the gem's classes, which are in a module.
  def compare(gem, objects = @posts)
    opening, table = Constructs::GEMS.fetch(gem)
    table.select(&:same?).each do |construct|
      text = "#{opening}  #{construct.before}\nend\n"
      theirs = evaluated(OTHERS.fetch(gem) + text)
      ours = evaluated(HERE + Katsu::Migrate.text(text))
      objects.each do |post|
        expected = JSON.parse(yield(theirs, post, construct.view))
        assert_equal expected, JSON.parse(render(ours, post, construct.view)), "#{gem}: #{construct.before}"
      end
    end
  end

  def render(classes, post, view)
    options = view ? {view: view} : {}
    classes.const_get(:PostSerializer).render(post, context: PARAMS, scope: :editor, **options)
  end

  # A module with the classes of the text, as gems find each other's classes by name.
  def evaluated(text)
    name = "Migrated#{@modules = @modules.to_i + 1}#{self.name}"
    Object.const_set(name, Module.new)
    eval("module #{name}\n#{text}\nend", TOPLEVEL_BINDING.dup) # rubocop:disable Security/Eval
    Object.const_get(name)
  end
end
