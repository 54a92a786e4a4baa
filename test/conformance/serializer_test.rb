# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Serializers: the same bytes from both backends, for records, Hashes and objects.
class SerializerTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :shouted
    aliases body: :text
    attribute(:excerpt) { |post| post.body.to_s[0, 3] }
    attribute :secret, if: -> { scope == :admin }
    has_many :comments, each_serializer: CommentSerializer
    has_one :author, serializer: "AuthorSerializer"

    def shouted = "#{object.title.upcase}#{context}"
    def secret = "s#{object.id}"
  end

  Plain = Struct.new(:id, :title, :body, :author, :comments, keyword_init: true)

  def setup
    @author = Author.create!(name: "Åsa")
    @post = Post.create!(title: "one", body: "The \"body\"", author: @author)
    @comments = %w[a b].map { |body| Comment.create!(post: @post, body: body) }
    @record = Post.find(@post.id)
  end

  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def json(serializer, object, **options)
    watched { serializer.new(**options).serialize_to_json(object) }
  end

  def array(serializer, objects, **options)
    watched { Katsu::ArraySerializer.new(objects, each_serializer: serializer, **options).to_json }
  end

  def expected(id: @post.id, context: "", secret: false)
    comments = @comments.map { |comment| {"id" => comment.id, "body" => comment.body} }
    {"id" => id, "title" => "one", "text" => "The \"body\"", "excerpt" => "The", "shouted" => "ONE#{context}",
     **(secret ? {"secret" => "s#{id}"} : {}), "author" => {"id" => @author.id, "name" => "Åsa"},
     "comments" => comments}
  end

  def sources
    author = {id: @author.id, name: "Åsa"}
    comments = @comments.map { |comment| {"id" => comment.id, "body" => comment.body} }
    fields = {id: @post.id, title: "one", body: "The \"body\"", author: author, comments: comments}
    [@record, Post.includes(:author, :comments).find(@post.id), Plain.new(**fields)]
  end

  def test_every_source_gives_the_same_document
    sources.each do |source|
      assert_equal JSON.generate(expected), json(PostSerializer, source), source.class
      assert_equal "[#{JSON.generate(expected)},#{JSON.generate(expected)}]", array(PostSerializer, [source, source])
      assert_equal expected, watched { PostSerializer.new.serialize(source) }
      assert_equal [expected], watched { Katsu::ArraySerializer.new([source], each_serializer: PostSerializer).to_a }
    end
  end

  def test_context_and_scope_reach_methods_and_conditions
    assert_equal JSON.generate(expected(context: "!", secret: true)),
                 json(PostSerializer, @record, context: "!", scope: :admin)
  end

  def test_hash_sources_by_symbol_and_string
    assert_equal %({"id":1,"name":"x"}), json(AuthorSerializer, {id: 1, "name" => "x"})
    assert_equal %({"id":1,"name":null}), json(AuthorSerializer, {id: 1, name: nil})
    assert_equal %({"id":0,"name":0}), json(AuthorSerializer, Hash.new(0))
  end

  class Reader
    attr_reader :id, :name
    alias name? name

    def initialize(value)
      @id = @name = value
    end
  end

  KINDS = [1, 2**70, "a", "q\"\\\n", "é", "é\n", "a".encode("UTF-16LE"), "é".encode("ISO-8859-1"),
           Class.new(String).new("own"), nil, 2.5, Float::NAN, true, :s,
           Time.utc(2026, 1, 2, 3, 4, 5.678r), Class.new(Time).at(0), [1, "b"], {"c" => nil}].freeze

  # Whichever comes first: a number, text, what has to be escaped, nothing or something else.
  def test_objects_with_values_of_other_kinds_than_the_first
    sources = [->(value) { {id: value, name: value} }, ->(value) { {"id" => value, "name" => value} },
               ->(value) { Reader.new(value) }]
    one = KINDS.map { |value| %({"id":#{Katsu.generate(value.as_json)},"name":#{Katsu.generate(value.as_json)}}) }
    [1, "a", KINDS[3], nil, 2.5].map { |value| KINDS.index(value) }.each do |first|
      serializer = Class.new(Katsu::Serializer) { attributes :id, :name }
      sources.each do |source|
        objects = KINDS.rotate(first).map { |value| source.(value) }
        assert_equal "[#{one.rotate(first).join(",")}]", array(serializer, objects)
        assert_equal KINDS.rotate(first).map(&:as_json),
                     Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_a.map { |built| built["name"] }
      end
    end
  end

  def test_hashes_with_other_keys_than_the_first
    hashes = [{"id" => 1, "name" => "a"}, {id: 2, name: "b"}, {"id" => 3, :id => nil, "name" => "c", :name => false},
              {"id" => false, "name" => nil},
              Hash.new(0).merge("id" => 4), Hash.new { |_, key| "made for #{key}" }.merge("id" => nil)]
    expected = ['{"id":1,"name":"a"}', '{"id":2,"name":"b"}', '{"id":null,"name":false}', '{"id":false,"name":null}',
                '{"id":4,"name":0}', '{"id":null,"name":"made for name"}']
    hashes.each_index do |first|
      serializer = Class.new(Katsu::Serializer) { attributes :id, :name }
      assert_equal "[#{expected.rotate(first).join(",")}]", array(serializer, hashes.rotate(first))
    end
  end

  def test_a_reader_by_another_name
    serializer = Class.new(Katsu::Serializer) { attributes :name?, :id }
    assert_equal '[{"name?":"a","id":"a"},{"name?":1,"id":1}]', array(serializer, [Reader.new("a"), Reader.new(1)])
  end

  class Veiled < BasicObject
    attr_reader :id, :name

    def initialize = @id = @name = 1
    def class = ::SerializerTest::Veiled
    def nil? = false
  end

  def test_objects_that_answer_to_little_but_their_readers
    serializer = Class.new(Katsu::Serializer) { attributes :id, :name }
    assert_equal '{"id":1,"name":1}', json(serializer, Veiled.new)
    guarded = Class.new(Reader) { def instance_variable_get(*) = raise("it was called") }
    assert_equal '{"id":2,"name":2}', json(serializer, guarded.new(2))
  end

  # A value is written before the next is asked for.
  def test_readers_that_change_what_others_gave
    klass = Class.new do
      def initialize = @text = +"a"
      def id = @text
      def name = (@text << "b").dup
    end
    serializer = Class.new(Katsu::Serializer) { attributes :id, :name }
    assert_equal '[{"id":"a","name":"ab"},{"id":"a","name":"ab"}]', array(serializer, [klass.new, klass.new])
    hashes = Array.new(2) do
      Hash.new do |hash, key|
        hash["id"] << "b"
        hash[:last] = 1
        key.name
      end.merge!("id" => +"a", "last" => 0)
    end
    keys = Class.new(Katsu::Serializer) { attributes :id, :name, :last }
    assert_equal '[{"id":"a","name":"name","last":1},{"id":"a","name":"name","last":1}]', array(keys, hashes)
  end

  def test_only_and_except
    assert_equal({"id" => @post.id, "text" => "The \"body\""},
                 JSON.parse(json(PostSerializer, @record, only: [:id, :text])))
    assert_equal %w[id title author], JSON.parse(json(PostSerializer, @record,
                                                      except: %i[text shouted excerpt comments])).keys
    nested = {instance: [:id, :author, :comments], author: [:name], comments: [:body]}
    assert_equal({"id" => @post.id, "author" => {"name" => "Åsa"}, "comments" => [{"body" => "a"}, {"body" => "b"}]},
                 JSON.parse(json(PostSerializer, @record, only: nested)))
    assert_equal({"name" => "Åsa"}, JSON.parse(json(PostSerializer, @record, except: {author: [:id]}))["author"])
    assert_equal json(PostSerializer, @record), json(PostSerializer, @record, only: {}, except: [])
    assert_equal %({"id":#{@post.id}}), json(PostSerializer, @record, only: ["id"])
  end

  # Whichever was asked for last; a caller may change an Array that it gave before.
  def test_filters_that_are_alike_share_a_plan
    deep = ->(levels, name) { levels.zero? ? [name] : {comments: [:id], author: deep.(levels - 1, name)} }
    serializer = Class.new(AuthorSerializer)
    serializer.has_one :author, serializer: serializer, depth: 12
    serializer.has_many :comments, serializer: CommentSerializer
    [nil, [:id], ["id"], %i[id name], %i[name id], {instance: [:id]}, {instance: [:id], author: [:name]},
     {author: [:name]}, {"author" => [:name]},
     {author: ["name"]}, {author: [:name], comments: [:id]}, {author: {instance: [:name]}}, deep.(3, :id),
     deep.(3, :name), deep.(10, :id), deep.(10, :name)].permutation(2) do |one, other|
      plan = serializer.plan(one)
      assert_same plan, serializer.plan(Marshal.load(Marshal.dump(one)))
      refute_same plan, serializer.plan(other), "#{one} and #{other}"
      assert_equal other.nil?, plan.equal?(serializer.plan(one, other)), "#{one} and #{other}"
      assert_same plan, serializer.plan(one)
    end
    serializer = Class.new(AuthorSerializer)
    [->(given) { [given] }, ->(given) { [nil, given] }].each do |filters|
      filter = [:id]
      plan = serializer.plan(*filters.call(filter))
      assert_same plan, serializer.plan(*filters.call(filter))
      refute_same plan, serializer.plan(*filters.call(filter << :name))
    end
  end

  def test_a_filter_that_says_nothing_is_none
    plan = AuthorSerializer.plan
    [[nil, []], [nil, {}], [{}, []]].each { |filters| assert_same plan, AuthorSerializer.plan(*filters) }
  end

  def test_filters_for_has_the_last_word
    serializer = Class.new(AuthorSerializer) { def self.filters_for(context, _scope) = {only: [context]} }
    assert_equal %({"name":"Åsa"}), json(serializer, @author, context: :name)
    assert_equal %({"id":#{@author.id}}), json(serializer, @author, context: :id)
  end

  def test_filters_for_of_a_nested_serializer_sees_the_context
    inner = Class.new(AuthorSerializer) { def self.filters_for(context, _scope) = {only: [context || :id]} }
    outer = Class.new(Katsu::Serializer) do
      attributes :id
      has_one :author, serializer: inner
    end
    assert_equal({"name" => "Åsa"}, JSON.parse(json(outer, @record, context: :name))["author"])
    assert_equal({"id" => @author.id}, JSON.parse(json(outer, @record))["author"])
  end

  # Its target is a promise.
  def test_an_association_that_is_being_loaded
    association = ActiveRecord::Associations::Association
    skip "associations are not loaded beside" unless association.method_defined?(:async_load_target)

    load = ->(name) { Post.find(@post.id).tap { |post| post.association(name).async_load_target } }
    %i[author comments].each do |name|
      assert_equal expected, JSON.parse(json(PostSerializer, load.call(name)))
      assert_equal expected, PostSerializer.new.serialize(load.call(name))
    end
  end

  def test_wrong_filters
    error = assert_raises(Katsu::InvalidFilterError) { json(PostSerializer, @record, only: "id") }
    assert_kind_of ArgumentError, error
    assert_match(/PostSerializer: only: "id" is a String; accepted are an Array of Symbols/, error.message)
    assert_match(/names :titel, which it does not declare. Did you mean title\?/,
                 assert_raises(Katsu::InvalidFilterError) { json(PostSerializer, @record, except: [:titel]) }.message)
    assert_raises(Katsu::InvalidFilterError) { json(PostSerializer, @record, only: [1]) }
    assert_raises(Katsu::InvalidFilterError) { json(PostSerializer, @record, only: {author: "name"}) }
    {title: "It has comments, author", autor: "Did you mean author? It has comments, author"}.each do |name, rest|
      error = assert_raises(Katsu::InvalidFilterError) { json(PostSerializer, @record, only: {name => [:id]}) }
      assert_includes error.message, "only: has filters under :#{name}, which is no association of it. #{rest}"
    end
    error = assert_raises(Katsu::InvalidFilterError) { json(CommentSerializer, Comment.new, except: {a: [:id]}) }
    assert_includes error.message, "except: has filters under :a, which is no association of it. It has none"
  end

  def test_filters_of_too_many_names
    assert_equal %({"id":#{@author.id}}), json(AuthorSerializer, @author, only: [:id] * 1000)
    error = assert_raises(Katsu::InvalidFilterError) { json(AuthorSerializer, @author, only: [:id] * 1001) }
    assert_match(/only: names 1001 attributes; at most 1000 are accepted/, error.message)
  end

  def test_wrong_options
    error = assert_raises(ArgumentError) { AuthorSerializer.new(onyl: [:id], "scope" => 1) }
    assert_match(/AuthorSerializer: unknown options: :onyl, "scope"; known are only, except, context, /, error.message)
    assert_match(/context, scope, view, transform_keys\. Did you mean only\?\z/, error.message)
    assert_match(/unknown option: :xyz; known are .*transform_keys\.\z/,
                 assert_raises(ArgumentError) { AuthorSerializer.new(only: [:id], xyz: 1) }.message)
    assert_match(/AuthorSerializer: options are keywords or a Hash \(got Author\)/,
                 assert_raises(ArgumentError) { AuthorSerializer.new(@author) }.message)
    assert_match(/unknown option: :each_serialiser/,
                 assert_raises(ArgumentError) do
                   Katsu::ArraySerializer.new([], each_serialiser: AuthorSerializer)
                 end.message)
    assert_raises(ArgumentError) { Katsu::ArraySerializer.new([], AuthorSerializer) }
    assert_match(/unknown option: "foo";/,
                 assert_raises(ArgumentError) do
                   AuthorSerializer.new({only: [:id],
                                         foo: 1}.with_indifferent_access)
                 end.message)
    assert_equal %({"id":#{@author.id}}),
                 AuthorSerializer.new({only: [:id]}.with_indifferent_access).serialize_to_json(@author)
  end

  def test_options_of_a_subclass
    greeting = Class.new(Katsu::Serializer) do
      attributes :greeting
      def self.new(word: nil, **options) = word ? super(context: word, **options) : super(**options)
      def greeting = "#{context} #{scope.inspect}"
    end
    assert_equal %({"greeting":"hello nil"}), greeting.new(word: "hello").serialize_to_json(@author)
    assert_equal [nil, nil], [greeting.new.context, greeting.new.scope]
  end

  def test_an_attribute_that_exists_nowhere
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :titel
      def self.to_s = "BadSerializer"
    end
    error = assert_raises(Katsu::UnknownAttributeError) { json(serializer, @record) }
    assert_equal "BadSerializer declares titel, but Post has no such column, method or key. Did you mean title?",
                 error.message
    assert_raises(Katsu::UnknownAttributeError) { json(serializer, {id: 1, title: 2}) }
    assert_raises(Katsu::UnknownAttributeError) { json(serializer, Plain.new(id: 1)) }
    assert_raises(Katsu::UnknownAttributeError) { watched { serializer.new.serialize(@record) } }
  end

  def test_each_serializer_missing
    error = assert_raises(ArgumentError) { Katsu::ArraySerializer.new([]) }
    assert_match(/each_serializer/, error.message)
    assert_raises(ArgumentError) { Katsu::ArraySerializer.new([], each_serializer: String) }
  end

  def test_nil_objects_nil_associations_and_empty_batches
    assert_equal "null", json(AuthorSerializer, nil)
    assert_nil AuthorSerializer.new.serialize(nil)
    assert_equal "[]", array(AuthorSerializer, [])
    assert_equal "[null,{\"id\":1,\"name\":\"x\"},null]", array(AuthorSerializer, [nil, {id: 1, name: "x"}, nil])
    Post.where(id: @post.id).update_all(author_id: nil)
    assert_nil JSON.parse(json(PostSerializer, Post.find(@post.id)))["author"]
    assert_nil PostSerializer.new.serialize(Post.find(@post.id))["author"]
    assert_equal "null", JSON.generate(JSON.parse(json(PostSerializer, Plain.new(id: 1, title: "a")))["comments"])
  end

  def test_relations_and_what_has_to_a
    assert_equal array(AuthorSerializer, [@author]), array(AuthorSerializer, Author.where(id: @author.id))
    assert_equal %([{"id":1,"name":"x"}]), array(AuthorSerializer, [{id: 1, name: "x"}].each)
    assert_raises(TypeError) { array(AuthorSerializer, 5) }
  end

  def test_skip
    serializer = Class.new(Katsu::Serializer) do
      attributes :first, :id, :name
      def first = Katsu::Serializer::SKIP
      def name = object.name == "Åsa" ? Katsu::Serializer::SKIP : object.name
    end
    assert_equal %([{"id":#{@author.id}},{"id":2,"name":"B"}]),
                 array(serializer, [@author, {id: 2, name: "B"}].map { |o| o.is_a?(Hash) ? Author.new(o) : o })
    assert_equal({"id" => @author.id}, serializer.new.serialize(@author))
    nothing = Class.new(Katsu::Serializer) { attribute(:a) { Katsu::Serializer::SKIP } }
    assert_equal "[{},{}]", array(nothing, [1, 2])
  end

  def test_conditions_by_symbol_and_callable
    serializer = Class.new(Katsu::Serializer) do
      attribute :id, if: :big?
      attribute :name, if: ->(*) { context }
      has_one :mentor, serializer: AuthorSerializer, if: -> { false }
      def big? = object.id > 100_000
    end
    assert_equal "{}", json(serializer, @author)
    assert_equal %({"name":"Åsa"}), json(serializer, @author, context: true)
  end

  def test_inheritance_and_reopening
    parent = Class.new(Katsu::Serializer) { attributes :id }
    child = Class.new(parent) { attributes :name, :id }
    assert_equal %({"id":#{@author.id},"name":"Åsa"}), json(child, @author)
    assert_equal %({"id":#{@author.id}}), json(parent, @author)
    parent.class_eval { attributes :type }
    assert_equal %w[id type name], JSON.parse(json(child, @author)).keys
    child.class_eval { def name = "method" }
    assert_equal "method", JSON.parse(json(child, @author))["name"]
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: child }
    assert_equal "method", JSON.parse(json(outer, @record))["author"]["name"]
    child.class_eval { attributes :mentor_id }
    assert_includes JSON.parse(json(outer, @record))["author"].keys, "mentor_id"
  end

  def test_names_of_methods_that_every_object_has_are_attributes
    serializer = Class.new(Katsu::Serializer) { attributes :hash, :display, :object_id }
    assert_equal %({"hash":1,"display":"x","object_id":3}), json(serializer, {hash: 1, display: "x", object_id: 3})
  end

  def test_association_options
    serializer = Class.new(Katsu::Serializer) do
      has_one :author, name: :writer, serializer: AuthorSerializer, only: [:name]
      has_many :recent, each_serializer: CommentSerializer, except: [:id]
    end
    assert_equal %({"writer":{"name":"Åsa"},"recent":[{"body":"b"}]}), json(serializer, @record)
    assert_equal %({"writer":{"id":#{@author.id}}}),
                 json(serializer, @record, only: {instance: [:writer], writer: [:id]})
    assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { has_one :a, serialiser: 1 } }
  end

  class PersonSerializer < Katsu::Serializer
    attributes :id
  end

  # An attribute, and not what every object answers.
  def test_objects_that_have_an_attribute_class
    pupil = Struct.new(:id, :class).new(1, "3b")
    own = Class.new do
      def id = 1
      def class(school = "3b") = school
    end
    serializer = Class.new(Katsu::Serializer) { attributes :id, :class }
    room = Class.new(Katsu::Serializer) { has_many :pupils, serializer: serializer, by: :id }
    one = '{"id":1,"class":"3b"}'
    [pupil, own.new].each do |object|
      assert_equal one, json(serializer, object)
      assert_equal JSON.parse(one), serializer.new.serialize(object)
      assert_equal one, serializer.one(object).to_json
      assert_equal "[#{one},#{one}]", serializer.many([object, object]).to_json
      assert_equal %({"pupils":{"1":#{one}}}), json(room, {pupils: [object]})
      assert_equal '[{"id":1}]', Katsu::ArraySerializer.new([object], each_serializer: PersonSerializer).to_json
    end
  end

  # As ActiveSupport knows plurals.
  def test_serializers_by_irregular_names
    outer = self.class.const_set(:OuterSerializer, Class.new(Katsu::Serializer))
    outer.has_many :people
    assert_equal %({"people":[{"id":1}]}), json(outer, {people: [{id: 1}]})
  ensure
    self.class.send(:remove_const, :OuterSerializer)
  end

  def test_a_serializer_that_is_not_found
    serializer = Class.new(Katsu::Serializer) do
      has_one :nobody
      def self.to_s = "Outer"
    end
    error = assert_raises(Katsu::SerializerNotFoundError) { serializer.new }
    assert_match(/Outer has no serializer for :nobody; tried NobodySerializer/, error.message)
    assert_match(/Give its class, or the name of its class, by serializer:\z/, error.message)
  end

  class SettingsSerializer < Katsu::Serializer
    attributes :id
  end

  class SettingsHolderSerializer < Katsu::Serializer
    has_one :settings
    has_one :options, serializer: "Settings"
  end

  def test_serializers_by_plural_names
    object = {settings: {id: 1}, options: nil}
    assert_equal %({"settings":{"id":1},"options":null}), json(SettingsHolderSerializer, object)
  end

  def test_a_serializer_that_contains_itself_needs_a_depth
    endless = Class.new(Katsu::Serializer) do
      attributes :name
      def self.to_s = "Endless"
    end
    endless.has_many :pupils, serializer: endless
    assert_match(/depth: 3/, assert_raises(Katsu::Error) { endless.new }.message)
    bounded = Class.new(Katsu::Serializer) { attributes :name }
    bounded.has_many :pupils, serializer: bounded, depth: 2
    Author.create!(name: "2", mentor: Author.create!(name: "1", mentor: Author.create!(name: "0", mentor: @author)))
    assert_equal %({"name":"Åsa","pupils":[{"name":"0","pupils":[{"name":"1"}]}]}), json(bounded, @author)
  end

  # What is kept of a plan may not depend on which was compiled first.
  def test_serializers_that_contain_each_other
    documents = [[0, 1], [1, 0]].map do |order|
      a, b = Array.new(2) { Class.new(Katsu::Serializer) { attributes :id } }
      a.has_one :b, serializer: b, depth: 1
      b.has_one :a, serializer: a, depth: 1
      one, two = {id: 1}, {id: 2}
      one[:b], two[:a] = two, one
      pairs = [[a, one], [b, two]]
      order.map { |i| [i, json(pairs[i][0], pairs[i][1])] }.sort
    end
    assert_equal documents[0], documents[1]
    assert_equal %({"id":2,"a":{"id":1,"b":{"id":2,"a":{"id":1}}}}), documents[0][1][1]
  end

  def test_response
    response = watched do
      Katsu::Response.create do |r|
        {total: 1, day: Date.new(2026, 1, 2), list: [1, r.value({x: r.json("[0]")})],
         authors: r.array_serializer([@author], AuthorSerializer),
         one: r.serializer(@author, AuthorSerializer, only: [:name])}
      end.to_json
    end
    assert_equal %({"total":1,"day":"2026-01-02","list":[1,{"x":[0]}],"authors":[{"id":#{@author.id},"name":"Åsa"}],) +
                 %("one":{"name":"Åsa"}}), response
  end

  # The last of equal keys, as as_json has it.
  def test_a_response_writes_a_key_once
    named = Class.new { def to_s = "n" }
    response = Katsu::Response.create { |r| {"a" => 1, a: r.value({named.new => 1, named.new => 2}), b: 0} }
    assert_equal %({"a":{"n":2},"b":0}), watched { response.to_json }
    assert_equal JSON.parse(response.to_json), response.as_json
  end

  # What render json: calls: to_json(options), and as_json where it stands in something else.
  def test_standing_in_what_rails_renders
    list = Katsu::ArraySerializer.new([@author], each_serializer: AuthorSerializer, only: [:name])
    response = Katsu::Response.create do |r|
      {list: list, text: r.json("[1]"), day: Date.new(2026, 1, 2),
       one: r.serializer(@author, AuthorSerializer, only: [:id])}
    end
    assert_equal %([{"name":"Åsa"}]), list.to_json(prefixes: ["posts"], status: 200)
    assert_equal %({"posts":[{"name":"Åsa"}]}), {posts: list}.to_json
    document = %({"list":[{"name":"Åsa"}],"text":[1],"day":"2026-01-02","one":{"id":#{@author.id}}})
    assert_equal document, response.to_json(status: 200)
    assert_equal %({"data":#{document}}), {data: response}.to_json
    assert_equal %({"data":#{document}}), ActiveSupport::JSON.encode({data: response})
    list = Katsu::ArraySerializer.new([@author], each_serializer: AuthorSerializer)
    [%([{"name":"Åsa"}]), [{"name" => "Åsa"}]].zip([list.to_json(only: [:name], status: 200),
                                                    list.as_json(except: "id")]) { |rendered| assert_equal(*rendered) }
    assert_equal %({"one":{"id":#{@author.id}}}), response.to_json(only: :one)
  end

  # A method that is defined after its attribute, in this class or a child, moves it behind those before.
  def test_the_order_of_method_fields
    mixed = Module.new { def label = "the module's" }
    parent = Class.new(Katsu::Serializer) do
      include mixed
      def early = "the serializer's"
      attributes :early, :label, :late, :hidden, :id, :inherited
      def hidden = "hidden"
      def late = "late"
      private :hidden
    end
    child = Class.new(parent) do
      def inherited = "child's"
      attributes :late
    end
    object = {id: 1, early: "e", label: "l", late: 0, hidden: 0, inherited: "i"}
    methods = %("early":"the serializer's","label":"the module's","hidden":"hidden","late":"late")
    assert_equal %({"id":1,"inherited":"i",#{methods}}), json(parent, object)
    assert_equal %({"id":1,#{methods},"inherited":"child's"}), json(child, object)
    assert_equal json(child, object), JSON.generate(child.new.serialize(object))
  end

  module Api
    class PartSerializer < Katsu::Serializer; attributes :api; end
    class Part < Katsu::Serializer; attributes :plain; end

    class BaseSerializer < Katsu::Serializer
      has_one :part
      has_one :other, serializer: "Part"
      has_one :top, serializer: "::SerializerTest::AuthorSerializer"
    end
  end

  module Other
    class PartSerializer < Katsu::Serializer; attributes :other; end
    class SubSerializer < Api::BaseSerializer; end
  end

  def test_names_mean_what_they_mean_where_they_are_written
    object = {part: {api: 1, other: 2}, other: {api: 3, plain: 4}, top: {id: 1, name: "n"}}
    assert_equal %({"part":{"api":1},"other":{"api":3},"top":{"id":1,"name":"n"}}), json(Other::SubSerializer, object)
  end

  def test_values_of_method_fields
    values = [Time.utc(2026, 1, 2, 3, 4, 5.678r), Date.new(2026, 1, 2), BigDecimal("1.50"), 2**70, 1.5, Float::NAN,
              :sym, nil, true,
              {a: [Date.new(2026, 1, 2)]}, [nil, :b], "ü\n", 1..2]
    serializer = Class.new(Katsu::Serializer) do
      attributes :v
      def v = context
    end
    values.each do |value|
      assert_equal({"v" => value.as_json}, JSON.parse(json(serializer, @author, context: value)), value.inspect)
      assert_equal JSON.parse({"v" => value.as_json}.to_json),
                   JSON.parse(JSON.generate(serializer.new(context: value).serialize(@author)))
    end
  end

  def test_a_method_field_that_raises
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :bad
      def bad = raise(KeyError, "mine")
    end
    2.times { assert_raises(KeyError) { array(serializer, [@author]) } }
    assert_equal :thrown, catch(:x) {
      array(Class.new(Katsu::Serializer) { attribute(:a) { throw :x, :thrown } },
            [@author])
    }
  end

  def test_errors_in_values_carry_the_path
    serializer = Class.new(Katsu::Serializer) { has_many :comments, each_serializer: CommentSerializer }
    error = assert_raises(Katsu::GeneratorError) do
      array(serializer,
            [{comments: [{id: 1, body: "a"}, {id: 2, body: "\xFF"}]}])
    end
    assert_equal "[0].comments[1].body", error.path
  end

  def test_the_batch_may_change_while_it_is_walked
    list = Array.new(3) { |i| {id: i, name: "n"} }
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      attribute(:name) do |o|
        list.clear if o[:id] == 1
        "x"
      end
    end
    assert_equal %([{"id":0,"name":"x"},{"id":1,"name":"x"}]), array(serializer, list)
  end

  def test_serializers_inside_method_fields
    inner = AuthorSerializer
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      attribute(:author) { |post| inner.new.serialize(post.author) }
    end
    assert_equal %([{"id":#{@post.id},"author":{"id":#{@author.id},"name":"Åsa"}}]), array(serializer, [@record])
  end

  def test_objects_allocated
    skip "objects are counted in the native backend without GC modes" unless native? && normal_run?

    simple = Class.new(Katsu::Serializer) { attributes :id, :title, :body, :author_id, :created_at }
    posts = Post.find([@post.id]) * 500
    assert_operator allocations { Katsu::ArraySerializer.new(posts, each_serializer: simple).to_json }, :<=, 5
  end
end
