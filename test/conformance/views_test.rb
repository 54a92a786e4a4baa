# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Views: what a serializer writes for different places.
class ViewsTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
    view(:short) { exclude :id }
  end

  class PostSerializer < Katsu::Serializer
    attributes :id

    view :index do
      attributes :title
      attribute(:shout) { |post| post.title.upcase }
      def unused = 1
    end

    view :show do
      include_view :index
      attributes :body
      has_one :author, serializer: AuthorSerializer, view: :short
      exclude :shout
    end

    view(:empty) {}
  end

  class SpecialSerializer < PostSerializer
    view(:index) { attributes :views }
    view(:all) { include_view :show, :index }
  end

  def setup
    @post = Post.new(id: 1, title: "a", body: "b", author: Author.new(id: 2, name: "Ada"), views: 3)
  end

  def write(serializer, object = @post, **options)
    text = watched { serializer.new(options).serialize_to_json(object) }
    assert_equal JSON.parse(text), watched { serializer.new(options).serialize(object) }
    text
  end

  INDEX = '{"id":1,"title":"a","shout":"A"}'

  def test_views
    assert_equal '{"id":1}', write(PostSerializer)
    assert_equal '{"id":1}', write(PostSerializer, view: nil)
    assert_equal '{"id":1}', write(PostSerializer, view: :empty)
    assert_equal INDEX, write(PostSerializer, view: :index)
    assert_equal INDEX, write(PostSerializer, view: "index")
    assert_equal '{"id":1,"title":"a","body":"b","author":{"name":"Ada"}}', write(PostSerializer, view: :show)
  end

  # As its class does, it has a filters_for only if that was defined.
  def test_what_a_form_answers
    form = PostSerializer.form(:index)
    assert_respond_to form, :description
    refute_respond_to form, :filters_for
    refute_respond_to form, :any_other_name
  end

  # While a form is made, another thread may declare more: here what is asked of a transform does.
  def test_declarations_while_a_form_is_made
    serializer = Class.new(PostSerializer)
    assert_equal INDEX, write(serializer, view: :index)
    transform = ->(key) { key }
    transform.define_singleton_method(:respond_to?) do |name, *|
      serializer.view(:index) { attributes :views } if name == :call
      super(name)
    end
    serializer.new(view: :index, transform_keys: transform)
    assert_equal '{"id":1,"title":"a","views":3,"shout":"A"}', write(serializer, view: :index)
  end

  def test_a_view_after_one_within_it_that_was_refused
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      view(:index) do
        begin
          view(:inner) { attributes :body }
          raise "not refused"
        rescue ArgumentError
          nil
        end
        attributes :title
      end
    end
    assert_equal '{"id":1}', write(serializer)
    assert_equal '{"id":1,"title":"a"}', write(serializer, view: :index)
    assert_equal [:index], serializer.description.views.keys
  end

  def test_views_of_subclasses
    assert_equal '{"id":1,"title":"a","views":3,"shout":"A"}', write(SpecialSerializer, view: :index)
    assert_equal '{"id":1,"title":"a","views":3,"body":"b","shout":"A","author":{"name":"Ada"}}',
                 write(SpecialSerializer, view: :all)
    assert_equal INDEX, write(PostSerializer, view: :index)
  end

  class FullSerializer < Katsu::Serializer
    attributes :id, :title

    view :full do
      attributes :views
      aliases body: :text
      has_one :author, serializer: AuthorSerializer
    end

    view :all do
      include_view :full
      attribute(:title) { |post| post.title.upcase }
    end

    view(:short) { exclude :title }

    view :again do
      exclude :title
      attributes :title
    end
  end

  class MaskedSerializer < FullSerializer
    attribute(:views) { "***" }
    attribute(:title) { "*" }
    attribute :id, name: :text
    has_one(:author) { attributes :name }
  end

  class OpenedSerializer < FullSerializer
    view(:full) { attributes :views }
    attribute(:views) { "***" }
  end

  class ModuleSerializer < FullSerializer
    include(Module.new { def self.included(serializer) = serializer.attribute(:views) { "***" } })
  end

  # The most derived class that declares a key counts; of what one class declares, that in a view.
  def test_declarations_of_a_subclass_outside_of_views
    masked = '{"id":1,"text":1,"title":"*","views":"***","author":{"name":"Ada"}}'
    assert_equal masked, write(MaskedSerializer)
    assert_equal masked, write(MaskedSerializer, view: :full)
    assert_equal masked, write(MaskedSerializer, view: :all)
    assert_equal masked.sub('"title":"*",', ""), write(MaskedSerializer, view: :short)
    assert_equal '{"id":1,"text":1,"views":"***","title":"*","author":{"name":"Ada"}}',
                 write(MaskedSerializer, view: :again)
    full = '{"id":1,"title":"a","views":3,"text":"b","author":{"id":2,"name":"Ada"}}'
    assert_equal full, write(FullSerializer, view: :full)
    assert_equal full, write(OpenedSerializer, view: :full)
    assert_equal full, write(Class.new(OpenedSerializer), view: :full)
    assert_equal '{"id":1,"title":"a","views":"***"}', write(OpenedSerializer)
    assert_includes write(Class.new(OpenedSerializer) { attribute(:views) { 0 } }, view: :full), '"views":0'
    assert_includes write(ModuleSerializer, view: :full), '"views":"***"'
    assert_includes write(Class.new(ModuleSerializer), view: :all), '"views":"***"'
    own = Class.new(FullSerializer) do
      attribute(:views) { "***" }
      view(:full) { attribute(:views) { 4 } }
    end
    assert_includes write(own, view: :all), '"views":4'
  end

  def test_another_kind_in_a_subclass
    serializer = Class.new(FullSerializer) do
      attribute(:author) { |post| post.author.name }
      has_many(:views, serializer: AuthorSerializer) { |post| [post.author] }
    end
    expected = '{"id":1,"title":"a","text":"b","author":"Ada","views":[{"id":2,"name":"Ada"}]}'
    assert_equal expected, write(serializer, view: :full)
  end

  def test_all_calls
    list = "[#{INDEX}]"
    assert_equal list, Katsu::ArraySerializer.new([@post], each_serializer: PostSerializer, view: :index).to_json
    assert_equal list, PostSerializer.many([@post], view: :index).to_json
    assert_equal INDEX, PostSerializer.one(@post, view: :index).to_json
    assert_equal %({"posts":#{list}}), PostSerializer.render([@post], view: :index, root: :posts)
    assert_equal list, Katsu::Response.create { |r| r.array_serializer([@post], PostSerializer, view: :index) }.to_json
    assert_equal [:author], PostSerializer.preloads(Post, view: :show)
    assert_equal [], PostSerializer.preloads(Post, view: :index)
    assert_equal "#<ViewsTest::PostSerializer id, title, shout>", PostSerializer.new(view: :index).inspect
  end

  def test_filters_are_of_the_view
    assert_equal '{"title":"a"}', write(PostSerializer, view: :index, only: [:title])
    assert_equal '{"id":1,"title":"a"}', write(PostSerializer, view: :index, except: [:shout])
    error = assert_raises(Katsu::InvalidFilterError) { PostSerializer.new(view: :index, only: [:body]) }
    assert_equal "ViewsTest::PostSerializer (view :index): only: names :body, which it does not declare. " \
                 "It declares id, title, shout", error.message
  end

  # A plan for each view and set of filters, and no more.
  def test_plans_are_kept
    index = PostSerializer.form(:index)
    assert_same index.plan, PostSerializer.form(:index).plan
    refute_same index, PostSerializer.form(:show)
    assert_same index, PostSerializer.form("index")
    assert_same index.plan([:id]), index.plan(["id"].map(&:to_sym))
    refute_same index.plan, PostSerializer.plan
    200.times { |i| PostSerializer.new(view: :index, transform_keys: ->(key) { "#{key}#{i}" }) }
    assert_operator PostSerializer.instance_variable_get(:@forms).size, :<=, 64
  end

  def test_a_view_that_is_declared_later
    serializer = Class.new(PostSerializer)
    assert_raises(ArgumentError) { serializer.new(view: :late) }
    assert_equal INDEX, write(serializer, view: :index)
    PostSerializer.view(:late) { attributes :views }
    serializer.view(:index) { attributes :views }
    assert_equal '{"id":1,"views":3}', write(serializer, view: :late)
    assert_equal '{"id":1,"title":"a","views":3,"shout":"A"}', write(serializer, view: :index)
  end

  class NodeSerializer < Katsu::Serializer
    attributes :id
    view :tree do
      has_many :nodes, serializer: NodeSerializer
    end
    view :endless do
      has_many :nodes, serializer: NodeSerializer, view: :endless
    end
  end

  def test_a_view_of_the_same_serializer
    tree = {id: 1, nodes: [{id: 2, nodes: [{id: 3, nodes: []}]}]}
    assert_equal '{"id":1,"nodes":[{"id":2}]}', write(NodeSerializer, tree, view: :tree)
    error = assert_raises(Katsu::Error) { NodeSerializer.new(view: :endless) }
    assert_includes error.message, ":nodes leads back into ViewsTest::NodeSerializer (view :endless)"
  end

  class EventSerializer < Katsu::Serializer
    has_one :subject, serializer: {"Author" => AuthorSerializer, "Hash" => AuthorSerializer}, view: :short
  end

  def test_polymorphic_associations
    assert_equal '{"subject":{"name":"Ada"}}', write(EventSerializer, {subject: @post.author})
  end

  class ScopedSerializer < Katsu::Serializer
    attributes :id
    view(:index) { attributes :title }
    def self.filters_for(context, _) = {except: context ? [:id] : []}
  end

  class HolderSerializer < Katsu::Serializer
    has_one :post, serializer: ScopedSerializer, view: :index
  end

  def test_filters_for
    assert_equal '{"id":1,"title":"a"}', write(ScopedSerializer, view: :index)
    assert_equal '{"title":"a"}', write(ScopedSerializer, view: :index, context: 1)
    assert_equal '{"post":{"title":"a"}}', write(HolderSerializer, {post: @post}, context: 1)
    assert_equal '{"post":{"id":1,"title":"a"}}', write(HolderSerializer, {post: @post})
  end

  # They are for each view, and for the class without one.
  def test_filters_for_that_names_what_another_view_declares
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :body
      view(:index) { attributes :title }
      view(:short) { exclude :body }
      def self.filters_for(context, _) = context
    end
    holder = Class.new(Katsu::Serializer) do
      %i[index short].each { |view| has_one :post, name: view, serializer: serializer, view: view }
    end
    written = ->(filters) { [nil, :index, :short].map { |view| write(serializer, view: view, context: filters) } }
    assert_equal %w[{"id":1} {"id":1} {"id":1}], written.call({except: %i[title body]})
    assert_equal %w[{} {"title":"a"} {}], written.call({only: [:title]})
    assert_equal %w[{"id":1} {"id":1,"title":"a"} {"id":1}], written.call({"only" => %w[title id]})
    assert_equal '{"index":{"title":"a"},"short":{}}', write(holder, {post: @post}, context: {only: [:title]})
    assert_equal '{"index":{"id":1,"body":"b"},"short":{"id":1}}',
                 write(holder, {post: @post}, context: {except: [:title]})
    assert_raises(Katsu::InvalidFilterError) { serializer.new(view: :index, context: {except: [:titel]}) }
    assert_raises(Katsu::InvalidFilterError) { serializer.new(except: [:title]) }
  end

  def declared(&body)
    Class.new(Katsu::Serializer) do
      def self.to_s = "S"
      class_eval(&body)
    end
  end

  # As filters do: a name that is the key of another field means that one.
  def test_a_name_that_is_the_key_of_another_field_excludes_only_that
    serializer = declared do
      has_one(:author, name: :writer) { attributes :id }
      has_one(:author) { attributes :name }
      view(:name) { exclude :author }
    end
    object = {author: {id: 1, name: "Ada"}}
    assert_equal '{"writer":{"id":1}}', serializer.render(object, except: [:author])
    assert_equal '{"writer":{"id":1}}', serializer.render(object, view: :name)
  end

  def test_associations_are_excluded_by_their_names_and_their_keys
    serializer = Class.new(Katsu::Serializer) do
      has_one(:author, name: :writer) { attributes :name }
      attributes :id
      view(:name) { exclude :author }
      view(:key) { exclude :writer }
    end
    assert_equal %w[id writer], serializer.new.serialize({id: 1, author: nil}).keys.sort
    %i[name key].each { |view| assert_equal({"id" => 1}, serializer.new(view: view).serialize({id: 1})) }
  end

  def test_words_for_the_whole_class
    {root: [:a], meta: [{a: 1}], cache: [], transform_keys: [:camel]}.each do |word, arguments|
      refused = assert_raises(ArgumentError) { declared { view(:a) { send(word, *arguments) } } }
      assert_equal "S: #{word} is for the whole class and stands outside of view :a", refused.message
    end
    %i[omit_nil on_error].each do |word|
      assert_raises(ArgumentError) { declared { view(:a) { send(word, *(:null if word == :on_error)) } } }
    end
  end

  def test_names_that_are_strings
    names = []
    serializer = declared do
      attributes :id, :title
      view("short") { names << exclude("title") }
      view(:again) { names << include_view("short") }
    end
    assert_equal [[:title], [:short]], names
    assert_equal %w[{"id":1} {"id":1}], [:short, "again"].map { |view| write(serializer, view: view) }
  end

  def test_mistakes
    {
      "S has no view :indx; there are :index. Did you mean index?" => -> {
        declared do
          view(:index) do
          end
        end.new(view: :indx)
      },
      "S has no view 3; there are :index." => -> { declared { view(:index) {} }.new(view: 3) },
      "S has no view [:index]; there are :index." => -> {
        given = [:index].tap { |names| names.define_singleton_method(:to_s) { "index" } }
        declared { view(:index) {} }.new(view: given)
      },
      "S has no view :index; it declares no views" => -> { declared { attributes :id }.new(view: :index) },
      "S: has_many :items, name: \"all\": S.items has no view :b; there are :a. Did you mean a?" => -> {
        declared { has_many(:items, name: :all, view: :b) { view(:a) { attributes :id } } }.new
      },
      "S: a is declared twice: nested :b, name: \"a\" and attribute :a differ" => -> {
        declared do
          nested(:b, name: :a) { attributes :id }
          attributes :a
        end
      },
      "S: view :a takes a block, such as view(:a) { attributes :id }" => -> { declared { view :a } },
      "S: view :b stands in view :a; include_view :b takes over another view" => -> {
        declared do
          view(:a) do
            view(:b) do
            end
          end
        end
      },
      "S: exclude stands in a view, such as view(:index) { exclude :a }" => -> { declared { exclude :a } },
      "S: has_one :a, view: 3 is no name; names are Symbols or Strings" => -> { declared { has_one :a, view: 3 } },
      "S: include_view has no names" => -> { declared { view(:a) { include_view } } },
      "S: include_view: 3 is no name; names are Symbols or Strings" => -> { declared { view(:a) { include_view 3 } } },
      "S: a is declared twice: attribute :b, as \"a\" and attribute :c, as \"a\" differ" => -> {
        declared do
          view(:a) do
            aliases b: :a, c: :a
          end
        end
      }
    }.each { |message, code| assert_equal message, assert_raises(ArgumentError, &code).message }
    {
      "S: view :a includes :bb, which is no view; there are :a, :b. Did you mean b?" =>
        -> {
          declared do
            view(:a) { include_view :bb }
            view(:b) {}
          end.new(view: :a)
        },
      "S: view :a includes itself (a > b > a)" => -> {
        declared do
          view(:a) { include_view :b }
          view(:b) do
            include_view :a
          end
        end.new(view: :a)
      },
      "S: view :a excludes :titel, which is not declared before it. Did you mean title? There are title" =>
        -> {
          declared do
            attributes :title
            view(:a) { exclude :titel }
          end.new(view: :a)
        },
      "S: view :a excludes :title, which is not declared before it. Nothing is" =>
        -> {
          declared do
            view(:a) do
              exclude :title
              attributes :title
            end
          end.new(view: :a)
        }
    }.each { |message, code| assert_equal message, assert_raises(Katsu::Error, &code).message }
  end
end
