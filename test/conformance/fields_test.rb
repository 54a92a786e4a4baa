# frozen_string_literal: true

require "support/test_case"
require "support/database"

# What users ask of serializers beyond columns: polymorphic associations, filters from clients, errors in method
# fields, filters that depend on the context.
class FieldsTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title
    has_one :author, serializer: AuthorSerializer
  end

  Event = Struct.new(:subject, :subjects)

  class EventSerializer < Katsu::Serializer
    has_one :subject, serializer: {"Post" => PostSerializer, "Author" => "AuthorSerializer"}, only: [:id]
    has_many :subjects, serializer: {Post => PostSerializer, Author => AuthorSerializer}
  end

  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def json(serializer, object, **options)
    watched { serializer.new(**options).serialize_to_json(object) }
  end

  def test_a_polymorphic_association
    author = Author.create!(name: "A")
    editor = Editor.create!(name: "E")
    post = Post.create!(title: "P", author: author)
    event = Event.new(editor, [post, author, nil])
    expected = {"subject" => {"id" => editor.id},
                "subjects" => [{"id" => post.id, "title" => "P", "author" => {"id" => author.id, "name" => "A"}},
                               {"id" => author.id, "name" => "A"}, nil]}
    assert_equal expected, JSON.parse(json(EventSerializer, event))
    assert_equal expected, watched { EventSerializer.new.serialize(event) }
    assert_equal({"subject" => nil, "subjects" => nil}, EventSerializer.new.serialize(Event.new))
    assert_equal %({"subject":{"name":"Ed. E"},"subjects":[]}),
                 json(EventSerializer, Event.new(editor, []), only: {subject: [:name]})
    error = assert_raises(Katsu::SerializerNotFoundError) { json(EventSerializer, Event.new(Comment.new, [])) }
    assert_match(/EventSerializer has no serializer for :subject if it is a Comment; serializer: knows Post, Author/,
                 error.message)
  end

  class Chain < Katsu::Serializer
    attributes :id
    has_one :next, serializer: {"Hash" => Chain}, depth: 2
  end

  def test_a_polymorphic_association_that_leads_back
    endless = Class.new(Katsu::Serializer)
    endless.has_one :next, serializer: {"Hash" => endless}
    assert_equal %({"next":{"next":null}}), json(endless, {next: {next: nil}})
    ring = {}.tap { |hash| hash[:next] = hash }
    %i[serialize serialize_to_json].each do |call|
      error = assert_raises(Katsu::NestingError) { endless.new.public_send(call, ring) }
      assert_match(/nesting of 101 is too deep.*under next.next/, error.inspect)
    end
    objects = (1..5).reverse_each.reduce(nil) { |inner, id| {id: id, next: inner} }
    assert_equal %({"id":1,"next":{"id":2,"next":{"id":3}}}), json(Chain, objects)
    assert_equal({"id" => 1, "next" => {"id" => 2, "next" => {"id" => 3}}}, Chain.new.serialize(objects))
    [-1, 1.5, "x"].each { |depth| assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { has_one :next, depth: depth } } }
  end

  # Each may stand in each: what is compiled is bounded by what is declared.
  def test_polymorphic_associations_between_many_serializers
    kinds = Array.new(12) { |i| Struct.new(:id, :parts) }
    serializers = kinds.map { Class.new(Katsu::Serializer) { attributes :id } }
    kinds.each_with_index { |kind, i| self.class.const_set(:"Kind#{i}", kind) }
    map = kinds.zip(serializers).to_h { |kind, serializer| [kind.name, serializer] }
    serializers.each { |serializer| serializer.has_many :parts, serializer: map, depth: 2 }
    tree = ->(left) { kinds[left].new(left, left.zero? ? [] : [tree.(left - 1)]) }
    assert_equal %({"id":5,"parts":[{"id":4,"parts":[{"id":3,"parts":[{"id":2,"parts":[{"id":1,"parts":[{"id":0,"parts":[]}]}]}]}]}]}),
                 json(serializers[5], tree.(5))
    assert_operator serializers.sum { |serializer| serializer.plans.sum { |_, entries| entries.size } }, :<=, 12
  end

  # One serializer serves all objects of a call, there too.
  def test_the_serializer_below_a_polymorphic_association_is_one
    counting = Class.new(Katsu::Serializer) do
      attributes :n
      def n = @n = (@n || 0) + 1
    end
    outer = Class.new(Katsu::Serializer) { has_many :subjects, serializer: {Hash => counting} }
    assert_equal %({"subjects":[{"n":1},{"n":2}]}), json(outer, {subjects: [{}, {}]})
    assert_equal({"subjects" => [{"n" => 1}, {"n" => 2}]}, outer.new.serialize({subjects: [{}, {}]}))
    counting.has_one :next, serializer: {Hash => counting}
    assert_equal %({"n":1,"next":{"n":2,"next":{"n":3,"next":null}}}), json(counting, {next: {next: {next: nil}}})
  end

  def test_filters_for_that_is_defined_later
    inner = Class.new(Katsu::Serializer) { attributes :id, :name }
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: inner }
    object = {author: {id: 1, name: "n"}}
    assert_equal %({"author":{"id":1,"name":"n"}}), json(outer, object)
    def inner.filters_for(_context, _scope) = {only: [:id]}
    assert_equal %({"author":{"id":1}}), json(outer, object)
  end

  def test_filters_for_from_a_module_that_comes_later
    filtering = Module.new { def filters_for(_context, _scope) = {only: [:id]} }
    empty = Module.new
    [->(serializer) { serializer.extend(filtering) }, ->(serializer) { serializer.singleton_class.include(filtering) },
     ->(serializer) {
       serializer.extend(empty)
       empty.include(filtering)
     }].each do |bring|
      serializer = Class.new(Katsu::Serializer) { attributes :id, :name }
      3.times { assert_equal %({"id":1,"name":"n"}), json(serializer, {id: 1, name: "n"}) }
      bring.call(serializer)
      assert_equal %({"id":1}), json(serializer, {id: 1, name: "n"})
    end
  end

  def test_a_copy_of_a_serializer_has_declarations_of_its_own
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    3.times { json(serializer, {id: 1}) }
    copy = serializer.dup
    copy.attribute(:more) { 2 }
    assert_equal [%({"id":1,"more":2}), %({"id":1})], [json(copy, {id: 1}), json(serializer, {id: 1})]
  end

  def test_filters_of_a_polymorphic_association
    named = Class.new(Katsu::Serializer) { attributes :id, :author }
    both = Class.new(Katsu::Serializer) { has_one :subject, serializer: {"Post" => PostSerializer, "Hash" => named} }
    assert_equal %({"subject":{"id":1,"author":"A"}}),
                 json(both, {subject: {id: 1, author: "A"}}, only: {subject: {author: [:name]}})
    post, author = Post.new(id: 1, title: "P"), Author.new(id: 2, name: "A")
    event = Event.new(nil, [post, author])
    assert_equal %({"subjects":[{"title":"P"},{}]}),
                 json(EventSerializer, event, only: {instance: [:subjects], subjects: [:title]})
    assert_equal %({"subjects":[{"id":1,"author":null},{"id":2}]}),
                 json(EventSerializer, event, only: {instance: [:subjects]}, except: {subjects: %i[title name]})
    assert_match(/names :nonsense/, assert_raises(Katsu::InvalidFilterError) do
      EventSerializer.new(only: {subjects: [:nonsense]})
    end.message)
    [{instance: 5}, ["\xFF"], {1 => []}, {author: [:nonsense]}].each { |filter| assert_raises(Katsu::InvalidFilterError) { EventSerializer.new(only: {subject: filter}) } }
  end

  def test_errors_below_a_polymorphic_association_carry_their_place
    bad = Class.new(Katsu::Serializer) do
      attributes :bad, :name
      def bad = (raise "mine" if object[:id] == 1)
    end
    outer = Class.new(Katsu::Serializer) do
      has_one :subject, serializer: {Hash => bad}
      has_many :subjects, serializer: {Hash => bad}
    end
    raised = lambda do |object, error|
      %i[to_json to_a].map { |call| assert_raises(error) { watched { Katsu::ArraySerializer.new([object], each_serializer: outer).public_send(call) } } }
    end
    raised.({subject: {id: 1, name: "n"}, subjects: []}, RuntimeError).each do |error|
      assert_equal "[0].subject.bad", error.field_path
    end
    raised.({subject: nil, subjects: [{id: 2, name: "n"}, {id: 1, name: "n"}]}, RuntimeError).each do |error|
      assert_equal "[0].subjects[1].bad", error.field_path
    end
    assert_equal "[0].subjects[0].name", assert_raises(Katsu::GeneratorError) {
      Katsu::ArraySerializer.new([{subject: nil, subjects: [{id: 2, name: "\xFF"}]}], each_serializer: outer).to_json
    }.path
  end

  def test_errors_in_method_fields_carry_their_place
    bad = Class.new(Katsu::Serializer) do
      attributes :id, :bad
      def bad = raise(KeyError, "mine")
    end
    outer = Class.new(Katsu::Serializer) { has_many :comments, serializer: bad }
    post = Post.create!(title: "p")
    comment = post.comments.create!(body: "b")
    calls = [-> { Katsu::ArraySerializer.new([post], each_serializer: outer).to_json }, -> {
      Katsu::ArraySerializer.new([post], each_serializer: outer).to_a
    }]
    calls.each do |call|
      error = assert_raises(KeyError) { watched(&call) }
      assert_kind_of Katsu::FieldError, error
      assert_equal ["[0].comments[0].bad", Comment, comment.id], [error.field_path, error.field_class, error.field_id]
      assert_equal "#<KeyError: mine (in [0].comments[0].bad of Comment with id #{comment.id})>", error.inspect
      assert_match(/fields_test/, error.backtrace.first)
    end
  end

  def test_a_missing_column_in_a_method_field_stays_what_it_is
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :title, :foo
      def foo = object.body
    end
    part = Post.select(:id, :title).find(Post.create!(title: "t").id)
    [:serialize, :serialize_to_json].each do |call|
      error = assert_raises(ActiveModel::MissingAttributeError) { serializer.new.public_send(call, part) }
      assert_match(/in foo of Post with id #{part.id}/, error.inspect)
    end
  end

  def test_errors_in_blocks_and_conditions
    block = Class.new(Katsu::Serializer) { attribute(:a) { |o| o.fetch(:nothing) } }
    assert_equal ["a", Hash, 7], assert_raises(KeyError) {
      json(block, {id: 7})
    }.then { |e| [e.field_path, e.field_class, e.field_id] }
    condition = Class.new(Katsu::Serializer) { attribute :id, if: -> { raise "no" } }
    assert_equal "#<RuntimeError: no (in id of Hash with id 7)>", assert_raises(RuntimeError) {
      json(condition, {id: 7})
    }.inspect
    frozen = Class.new(Katsu::Serializer) { attribute(:a) { raise RuntimeError.new("cold").freeze } }
    assert_equal "cold", assert_raises(RuntimeError) { json(frozen, {}) }.message unless RUBY_VERSION < "3.2"
    nested = Class.new(Katsu::Serializer) { attribute(:outer) { |o| block.new.serialize(o) } }
    assert_equal "a", assert_raises(KeyError) { json(nested, {id: 7}) }.field_path
    assert_equal "[1]", Katsu.generate([1])
  end

  def test_fields_that_a_client_asks_for
    allow = [:id, :title, {author: %i[name]}]
    {"id,title" => %i[id title], " id , author.name" => {instance: %i[id author], author: [:name]},
     %w[id title] => %i[id title], "author,id" => {instance: %i[author id], author: [:name]}}.each do |text, filter|
      assert_equal filter, PostSerializer.fields(text, allow: allow)
    end
    ["", nil, " , ", []].each do |nothing|
      assert_equal({instance: %i[id title author], author: [:name]}, PostSerializer.fields(nothing, allow: allow))
    end
    assert_equal({instance: [:author], author: [:name]},
                 PostSerializer.fields("author.name,author", allow: {author: [:name]}))
    [[], {}, nil].each { |nothing| assert_raises(ArgumentError) { PostSerializer.fields("id", allow: nothing) } }
    ["\xFF,id", "id".encode("UTF-16LE") + "\xD8".dup.force_encoding("UTF-16LE")].each { |text| assert_raises(Katsu::InvalidFilterError) { PostSerializer.fields(text, allow: allow) } }
    author = Author.create!(name: "A")
    post = Post.create!(title: "P", author: author)
    {"id,author.name" => %({"id":#{post.id},"author":{"name":"A"}}), "author" => %({"author":{"name":"A"}}),
     "" => %({"id":#{post.id},"title":"P","author":{"name":"A"}})}.each do |text, document|
      assert_equal document, json(PostSerializer, post, only: PostSerializer.fields(text, allow: allow))
    end
    ["body", "author.id", "id.x", "author.name.x", "a" * 500, "id." * 50].each do |text|
      assert_raises(Katsu::InvalidFilterError, text) { PostSerializer.fields(text, allow: allow) }
    end
    assert_match(/field "author.id" is not one of those allowed here: name/, assert_raises(Katsu::InvalidFilterError) do
      PostSerializer.fields("author.id", allow: allow)
    end.message)
    assert_raises(Katsu::InvalidFilterError) { PostSerializer.fields("id," * 10_000, allow: allow) }
    assert_raises(Katsu::InvalidFilterError) { PostSerializer.new(only: [:id] * 2000) }
    [{1 => [:id]}, {nil => []}, ["\xFF"],
     (1..2000).to_h { |i| ["x#{i}", []] }].each { |filter| assert_raises(Katsu::InvalidFilterError) { PostSerializer.new(only: filter) } }
    assert_operator assert_raises(Katsu::InvalidFilterError) {
      PostSerializer.new(only: ["x" * 1_000_000])
    }.message.size, :<, 1000
  end

  def test_filters_that_differ_each_time_take_bounded_memory
    names = (1..12).map { |i| :"n#{i}" }
    serializer = Class.new(Katsu::Serializer) { attributes(*names) }
    object = names.to_h { |name| [name, 1] }
    600.times do |i|
      assert_equal names.first(i % 12 + 1).size,
                   serializer.new(only: names.rotate(i).first(i % 12 + 1) | [names[i % 12]]).serialize(object).size
    end
    assert_operator serializer.plans.sum { |_, entries| entries.size }, :<=, Katsu::Plan::Cache::LIMIT
  end

  def test_nested_filters_by_context_are_compiled_once_for_each_answer
    inner = Class.new(AuthorSerializer) { def self.filters_for(context, _scope) = {only: [context || :id]} }
    middle = Class.new(Katsu::Serializer) do
      attributes :id
      has_one :author, serializer: inner
    end
    outer = Class.new(Katsu::Serializer) { has_many :posts, serializer: middle }
    plans = %i[name id name id name].map { |context| outer.plan(nil, nil, context) }
    assert_equal 2, plans.uniq(&:object_id).size
    middle.plan(nil, nil, :name)
    object = {posts: [{id: 1, author: {id: 2, name: "A"}}]}
    {name: "{\"name\":\"A\"}", id: "{\"id\":2}"}.each do |context, text|
      assert_equal %({"posts":[{"id":1,"author":#{text}}]}), json(outer, object, context: context)
      assert_equal %({"id":1,"author":#{text}}), json(middle, object[:posts][0], context: context)
    end
    100.times { |i| outer.plan(nil, nil, i.even? ? :id : :name) }
  end
end
