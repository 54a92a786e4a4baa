# frozen_string_literal: true

# What `katsu migrate` makes of each construct of a gem, as the guides in docs/moving show it. A test translates
# each before; another, with the gems, renders both with the same records.
module Constructs
  # before: in the body of the gem's class. after: in that of Katsu's; a comment if it is not carried over. view: is
  # rendered, if one is given.
  Construct = Struct.new(:before, :after, :view) do
    # True if the new class writes the same.
    def same? = !after.start_with?("#")
  end

  # A Construct each.
  def self.table(*rows) = rows.map { |row| Construct.new(*row) }.freeze
  private_class_method :table

  ALBA = table(
    ["attributes :id, :title", "attributes :id, :title"],
    ["attributes :id, if: proc { |post, id| post.draft }", "attributes :id, if: ->(post) { post.draft }"],
    ["attributes :id, if: proc { |post, id| id > 1 }",
     "# katsu migrate: if: proc { |post, id| id > 1 } has no counterpart"],
    ["attribute(:words) { |post| post.body.split.size }", "attribute(:words) { |post| post.body.split.size }"],
    ["attribute(:words) { _1.body.split.size }", "attribute(:words) { _1.body.split.size }"],
    ["attribute(:host) { |post| params[:host] }", "attribute(:host) { |post| context[:host] }"],
    ["attribute(:host) { |post| @params[:host] }", "attribute(:host) { |post| context[:host] }"],
    ["attribute(:words) { |post, *| post.body.size }",
     "# katsu migrate: these parameters of a block have no counterpart"],
    ["attributes :shout; def shout(post) = post.title.upcase",
     "attributes :shout; def shout(post = object) = post.title.upcase"],
    ["attributes id: [String, true]", "attribute :id, type: :string, default: \"\""],
    ["attributes data: [String, true]", "attribute :data, type: :string, default: \"\""],
    ["attributes id: Integer", "# katsu migrate: the type of id, Integer, has no counterpart"],
    ["one :author, resource: AuthorResource", "has_one :author, serializer: AuthorSerializer"],
    ["one :author, resource: AuthorResource, key: :by", "has_one :author, serializer: AuthorSerializer, name: :by"],
    ["many :comments, resource: CommentResource", "has_many :comments, serializer: CommentSerializer"],
    ["many(:comments) { attributes :body }", "has_many(:comments) { attributes :body }"],
    ["many :comments, proc { |all| all.first(1) }, resource: CommentResource",
     "has_many(:comments, serializer: CommentSerializer) { |object| all = object.comments; all.first(1) }"],
    ["many(:comments, proc { |all| all.first(1) }) { attributes :body }",
     "# katsu migrate: a proc and a block have no counterpart together"],
    ["many :comments, source: proc { comments.first(1) }, resource: CommentResource",
     "# katsu migrate: source: chooses other objects"],
    ["one :author, resource: ->(author) { x }", "# katsu migrate: resource: ->(author) { x } is not a class"],
    ["trait(:detail) { attributes :body }", "view(:detail) { attributes :body }", :detail],
    ["nested(:card) { attributes :id, :title }", "nested(:card) { attributes :id, :title }"],
    ["nested(:card, if: proc { |post, card| post.draft }) { attributes :id }",
     "nested(:card, if: ->(post) { post.draft }) { attributes :id }"],
    ["nested(:card, if: proc { |post, card| card }) { attributes :id }",
     "# katsu migrate: if: proc { |post, card| card } has no counterpart"],
    ["attributes :author_id; transform_keys :lower_camel", "attributes :author_id; transform_keys :lower_camel"],
    ["attributes :id; root_key :post, :posts", "attributes :id; root :post, :posts"],
    ["attributes :id; root_key :post", "attributes :id; root :post, false"],
    ["attributes :id; root_key :blog_post; transform_keys :lower_camel",
     "attributes :id; root :blogPost, false; transform_keys :lower_camel"],
    ["transform_keys :dash, root: false; attributes :author_id; root_key :blog_post",
     "transform_keys :dash; attributes :author_id; root :blog_post, false"],
    ["attributes :id; root_key :post, :posts; meta { {host: params[:host]} }",
     "attributes :id; root :post, :posts; meta { |object, context| {host: context[:host]} }"],
    ["meta(:info) { {a: 1} }", "# katsu migrate: meta is written under the key meta"],
    ["on_error :nullify; attribute(:a) { |post| raise }", "on_error :null; attribute(:a) { |post| raise }"],
    ["collection_key :id",
     "# katsu migrate: by: :id is said where the collection is written (has_many, many, render, render json:)"],
    ["layout file: \"x\"", "# katsu migrate: layout is no word of Katsu's"]
  )

  BLUEPRINTER = table(
    ["identifier :id", "attribute :id"],
    ["field :title", "attribute :title"],
    ["fields :id, :title", "attributes :id, :title"],
    ["field :body, name: :text", "attribute :body, name: :text"],
    ["field :data, default: \"none\"", "attribute :data, default: \"none\""],
    ["field :data, exclude_if_nil: true", "attribute :data, omit_nil: true"],
    ["field :data, exclude_if_nil: true, default: 1", "attribute :data, default: 1"],
    ["field :data, exclude_if_nil: true, default: nil", "attribute :data, omit_nil: true"],
    ["field :data, default_if: Blueprinter::EMPTY_STRING, default: 1",
     "# katsu migrate: default_if: Blueprinter::EMPTY_STRING has no counterpart"],
    ["field :created_at, datetime_format: \"%F\"",
     "attribute :created_at, format: \"%F\""],
    ["field :created_at, datetime_format: ->(time) { time.year }",
     "attribute :created_at, format: ->(time) { time.year }"],
    ["field(:words) { |post, options| post.body.split.size }",
     "attribute(:words) { |post, options| post.body.split.size }"],
    ["field(:host) { |post, options| options[:host] }", "attribute(:host) { |post, options| options[:host] }"],
    ["field(:words) { |post, **options| options[:host] }",
     "# katsu migrate: these parameters of a block have no counterpart"],
    ["field :title, extractor: Shout", "# katsu migrate: extractor: Shout has no counterpart"],
    ["field :title, if: ->(name, post, options) { options[:host] && post.draft }",
     "attribute :title, if: ->(post) { options = context; options[:host] && post.draft }"],
    ["association :author, blueprint: AuthorBlueprint", "has_one :author, serializer: AuthorSerializer"],
    ["association :comments, blueprint: CommentBlueprint, name: :notes",
     "has_many :comments, serializer: CommentSerializer, name: :notes"],
    ["association(:comments, blueprint: CommentBlueprint) { |post, options| post.comments.first(1) }",
     "has_many(:comments, serializer: CommentSerializer) { |post, options| post.comments.first(1) }"],
    ["association :author, blueprint: ->(author) { x }", "# katsu migrate: its blueprint is not a class"],
    ["view(:extended) { field :body }", "view(:extended) { attribute :body }", :extended],
    ["field :id; view(:a) { field :title }; view(:b) { include_view :a; exclude :id }",
     "attribute :id; view(:a) { attribute :title }; view(:b) { include_view :a; exclude :id }", :b],
    ["transform Sorted", "# katsu migrate: a transformer has no counterpart but for keys"]
  )

  ACTIVE_MODEL_SERIALIZERS = table(
    ["attributes :id, :title", "attributes :id, :title"],
    ["attribute :body, key: :text", "attribute :body, name: :text"],
    ["attributes :shout; def shout = object.title.upcase", "attributes :shout; def shout = object.title.upcase"],
    ["attribute(:words) { object.body.split.size }", "attribute(:words) { object.body.split.size }"],
    ["attribute(:words) { |serializer| serializer.object.body.split.size }",
     "attribute(:words) { serializer = self; serializer.object.body.split.size }"],
    ["attribute(:host) { instance_options[:host] }", "attribute(:host) { context[:host] }"],
    ["attribute(:host) { @instance_options[:host] }", "attribute(:host) { context[:host] }"],
    ["attribute(:host) { self.instance_options[:host] }", "attribute(:host) { self.context[:host] }"],
    ["attribute :title, if: ->(serializer) { serializer.instance_options[:host] }",
     "attribute :title, if: -> { serializer = self; serializer.context[:host] }"],
    ["attribute :title, if: :draft?; def draft? = object.draft",
     "attribute :title, if: :draft?; def draft? = object.draft"],
    ["attribute :title, unless: -> { scope.nil? }", "attribute :title, unless: -> { scope.nil? }"],
    ["attribute :title, if: \"object.draft\"", "# katsu migrate: if: \"object.draft\" has no counterpart"],
    ["belongs_to :author, serializer: AuthorSerializer", "has_one :author, serializer: AuthorSerializer"],
    ["has_many :comments, serializer: CommentSerializer, key: :notes",
     "has_many :comments, name: :notes, serializer: CommentSerializer"],
    ["has_many(:comments, serializer: CommentSerializer) { object.comments.first(1) }",
     "has_many(:comments, serializer: CommentSerializer) { |_object| object.comments.first(1) }"],
    ["has_many(:comments) { include_data false }", "# katsu migrate: include_data, link and meta are JSON:API's"],
    ["attribute :title, if: -> { current_user }",
     "# katsu migrate: current_user: write scope, or define it: def current_user = scope"],
    ["cache expires_in: 60", "# katsu migrate: vary: has to say what of context and scope the JSON depends on"],
    ["type :posts", "# katsu migrate: type is no word of Katsu's"],
    ["link(:self) { 1 }", "# katsu migrate: link is no word of Katsu's"]
  )

  PANKO = table(
    ["attributes :id, :title", "attributes :id, :title"],
    ["aliases body: :text", "aliases body: :text"],
    ["attributes :shout; def shout = object.title.upcase", "attributes :shout; def shout = object.title.upcase"],
    ["attributes :host; def host = context[:host]", "attributes :host; def host = context[:host]"],
    ["attributes :id, :title; def title = SKIP", "attributes :id, :title; def title = SKIP"],
    ["has_one :author, serializer: AuthorSerializer", "has_one :author, serializer: AuthorSerializer"],
    ["has_many :comments, serializer: CommentSerializer, name: :notes, only: [:id]",
     "has_many :comments, serializer: CommentSerializer, name: :notes, only: [:id]"],
    ["attributes :id, :title; def self.filters_for(context, scope) = {only: [:id]}",
     "attributes :id, :title; def self.filters_for(context, scope) = {only: [:id]}"],
    ["def title = \"a\"; attributes :title",
     "# katsu migrate: Katsu calls title for its attribute; Panko does not, as the attribute is declared below"],
    ["def initialize(options = {}) = super",
     "# katsu migrate: a serializer has no initialize; it is given context: and scope:"],
    ["include Titles; attributes :title",
     "# katsu migrate: Katsu calls methods of modules for attributes of their names; Panko does not"]
  )

  OJ_SERIALIZERS = table(
    ["attributes :id, :title", "attributes :id, :title"],
    ["attributes body: :text", "attribute :body, name: :text"],
    ["attributes text: {from: :body}", "attribute :body, name: :text"],
    ["attributes :title, if: -> { post.draft }", "attribute :title, if: -> { object.draft }"],
    ["attributes :title; def include_title? = post.draft",
     "attribute :title, if: :include_title?; def include_title? = object.draft"],
    ["attributes :title, if: ->(post) { post.draft }",
     "# katsu migrate: if: ->(post) { post.draft } has no counterpart"],
    ["attributes title: {type: :string}", "# katsu migrate: type: :string has no counterpart"],
    ["attribute(:words) { post.body.split.size }", "attribute(:words) { object.body.split.size }"],
    ["attribute(:words) { @object.body.split.size }", "attribute(:words) { object.body.split.size }"],
    ["attribute(:host) { options[:host] }", "attribute(:host) { context[:host] }"],
    ["attribute(:words) { memo.fetch(:words) { post.body.split.size } }",
     "# katsu migrate: memo has no counterpart; one instance of the serializer serves all objects of a call"],
    ["attribute; def shout = post.title.upcase", "attribute :shout; def shout = object.title.upcase"],
    ["attribute def shout = post.title.upcase", "attribute def shout = object.title.upcase"],
    ["attr :shout, as: :loud; def shout = post.title.upcase",
     "attribute :shout, name: :loud; def shout = object.title.upcase"],
    ["serializer_attributes :shout; def shout = post.title.upcase",
     "attributes :shout; def shout = object.title.upcase"],
    ["ams_attributes :id, :title", "attributes :id, :title"],
    ["hash_attributes :id", "# katsu migrate: a key that a Hash does not have is an error, not null"],
    ["def title = \"a\"; attributes :title",
     "# katsu migrate: Katsu calls title for its attribute; oj_serializers reads the object"],
    ["include Titles; attributes :title",
     "# katsu migrate: Katsu calls methods of modules for attributes of their names; oj_serializers reads the object"],
    ["identifier", "attribute :id, if: -> { !object.new_record? }"],
    ["object_as :article; attribute(:words) { article.body.split.size }",
     "def article = object; attribute(:words) { article.body.split.size }"],
    ["has_one :author, serializer: AuthorSerializer", "has_one :author, serializer: AuthorSerializer"],
    ["belongs_to :author, serializer: AuthorSerializer, as: :by",
     "has_one :author, serializer: AuthorSerializer, name: :by"],
    ["has_many :comments, serializer: CommentSerializer", "has_many :comments, serializer: CommentSerializer"],
    ["has_many(:comments, serializer: CommentSerializer) { post.comments.first(1) }",
     "has_many(:comments, serializer: CommentSerializer) { |_object| object.comments.first(1) }"],
    ["attribute(:by) { AuthorSerializer.one(post.author) }", "attribute(:by) { AuthorSerializer.one(object.author) }"],
    ["attribute(:by) { AuthorSerializer.one(post.author, x: 1) }",
     "# katsu migrate: options of one and many are given as context: {...}"],
    ["attribute(:by) { AuthorSerializer.one_if(post.author) }",
     "# katsu migrate: render a serializer within another by one and many"],
    ["flat_one :author, serializer: AuthorSerializer", "# katsu migrate: flat_one is no word of Katsu's"],
    ["mongo_attributes :id", "# katsu migrate: mongo_attributes is no word of Katsu's"],
    ["attributes :author_id; transform_keys :camelize", "attributes :author_id; transform_keys :lower_camel"],
    ["attributes :id; transform_keys(&:upcase)", "attributes :id; transform_keys(&:upcase)"],
    ["sort_attributes_by :name", "# katsu migrate: sort_attributes_by is no word of Katsu's"],
    ["default_format :json", "# katsu migrate: default_format is no word of Katsu's"],
    ["cached", "# katsu migrate: vary: has to say what of context and scope the JSON depends on"]
  )

  # The name of the guide in docs/moving: what a class of the gem begins with, and its table.
  GEMS = {
    "alba" => ["class PostResource\n  include Alba::Resource\n", ALBA],
    "blueprinter" => ["class PostBlueprint < Blueprinter::Base\n", BLUEPRINTER],
    "active_model_serializers" => ["class PostSerializer < ActiveModel::Serializer\n", ACTIVE_MODEL_SERIALIZERS],
    "panko" => ["class PostSerializer < Panko::Serializer\n", PANKO],
    "oj_serializers" => ["class PostSerializer < Oj::Serializer\n", OJ_SERIALIZERS]
  }.freeze
end
