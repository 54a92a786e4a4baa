# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Associations whose serializer is chosen by the class of each object.
class PolymorphicTest < TestCase
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

  class Chain < Katsu::Serializer
    attributes :id
    has_one :next, serializer: {"Hash" => Chain}, depth: 2
  end

  class Titled
    def self.to_s = "a class with a title"
    def id = 1
  end

  const_set(:ÉtéSerializer, Class.new(Katsu::Serializer) { attributes :id })

  class TitledSerializer < Katsu::Serializer
    has_one :subject, serializer: {Titled => "PolymorphicTest::ÉtéSerializer"}
  end

  def test_names_of_classes
    assert_equal '{"subject":{"id":1}}', TitledSerializer.new.serialize_to_json({subject: Titled.new})
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
    assert_raises(Katsu::SerializerNotFoundError) { json(EventSerializer, Event.new(nil, [[Post.new]])) }
    error = assert_raises(Katsu::SerializerNotFoundError) { json(EventSerializer, Event.new(Comment.new, [])) }
    assert_includes error.message, "EventSerializer has no serializer for an object of class Comment in :subject; " \
                                   "it has one for Post, Author"
  end

  One, Two, Three, Four = %i[one two three four].map { |field| Struct.new(field) }

  # An object's plan is looked for among those of the objects before it.
  def test_classes_in_every_order
    types = [One, Two, Three, Four]
    map = types.to_h { |type| [type, Class.new(Katsu::Serializer) { attributes(*type.members) }] }
    serializer = Class.new(Katsu::Serializer) { has_many :subjects, serializer: map }.new
    types.repeated_permutation(5) do |order|
      objects = order.each_with_index.map { |type, index| type.new(index) }
      expected = {"subjects" => objects.map { |object| object.to_h.transform_keys(&:name) }}
      assert_equal expected, serializer.serialize({subjects: objects})
    end
  end

  class WriterSerializer < Katsu::Serializer
    has_one(:author, name: :writer) { attributes :name }
    has_one(:author) { attributes :id }
  end

  class EditorSerializer < Katsu::Serializer
    attribute(:author) { "Ada" }
    has_one(:author, name: :writer) { attributes :name }
  end

  # Also what is read by the name of another field.
  def test_only_with_names_of_another_serializer
    map = {Struct => AuthorSerializer, Hash => WriterSerializer}
    outer = Class.new(Katsu::Serializer) { has_one :subject, serializer: map }
    %i[id name].each do |name|
      assert_equal '{"subject":{}}', json(outer, {subject: {author: {id: 1, name: "Ada"}}}, only: {subject: [name]})
    end
    each = {"Hash" => EditorSerializer, "Struct" => AuthorSerializer}
    list = Katsu::ArraySerializer.new([{author: {name: "Ada"}}], each_serializer: each, only: [:id])
    assert_equal ["[{}]", [{}]], [list.to_json, list.to_a]
    many = Class.new(Katsu::Serializer) { attributes(*Array.new(1_001) { |index| :"a#{index}" }) }
    each = {"Hash" => many, "Struct" => AuthorSerializer}
    assert_equal "[{}]", Katsu::ArraySerializer.new([{}], each_serializer: each, only: [:id]).to_json
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
    within = Array.new(60).reduce(nil) { |inner, _| {next: inner} }
    assert_equal JSON.parse(json(endless, within)), endless.new.serialize(within)
    deepest = Array.new(101).reduce(nil) { |inner, _| {next: inner} }
    assert_equal JSON.generate(deepest, max_nesting: 0), json(endless, deepest)
    objects = (1..5).reverse_each.reduce(nil) { |inner, id| {id: id, next: inner} }
    assert_equal %({"id":1,"next":{"id":2,"next":{"id":3}}}), json(Chain, objects)
    assert_equal({"id" => 1, "next" => {"id" => 2, "next" => {"id" => 3}}}, Chain.new.serialize(objects))
    [-1, 1.5, "x"].each do |depth|
      assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { has_one :next, depth: depth } }
    end
  end

  # Only choices count for their limit.
  def test_a_polymorphic_association_below_many_others
    deep = Class.new(Katsu::Serializer)
    deep.has_one :next, serializer: deep, depth: 150
    deep.has_one :part, serializer: {Hash => AuthorSerializer}
    innermost = {next: nil, part: {id: 1, name: "n"}}
    object = Array.new(120).reduce(innermost) { |inner, _| {next: inner, part: nil} }
    assert_equal JSON.generate(object, max_nesting: 0), json(deep, object)
    assert_equal JSON.parse(json(deep, object), max_nesting: false), deep.new.serialize(object)
  end

  def test_where_an_error_was_below_many_others
    deep = Class.new(Katsu::Serializer) { attributes :id }
    deep.has_one :next, serializer: deep, depth: 150
    object = Array.new(90).reduce({id: "\xFF", next: nil}) { |inner, _| {id: 1, next: inner} }
    error = assert_raises(Katsu::GeneratorError) { json(deep, object) }
    assert_equal "#{"next." * 90}id", error.path
  end

  # Each may stand in each: what is compiled is bounded by what is declared.
  def test_polymorphic_associations_between_many_serializers
    kinds = Array.new(12) { |i| Struct.new(:id, :parts) }
    serializers = kinds.map { Class.new(Katsu::Serializer) { attributes :id } }
    kinds.each_with_index { |kind, i| self.class.const_set(:"Kind#{i}", kind) }
    map = kinds.zip(serializers).to_h { |kind, serializer| [kind.name, serializer] }
    serializers.each { |serializer| serializer.has_many :parts, serializer: map, depth: 2 }
    tree = ->(left) { kinds[left].new(left, left.zero? ? [] : [tree.(left - 1)]) }
    expected = (0..5).reduce(nil) { |inner, id| {"id" => id, "parts" => [inner].compact} }
    assert_equal JSON.generate(expected), json(serializers[5], tree.(5))
    assert_operator serializers.sum { |serializer| serializer.plans.sum { |_, entries| entries.size } }, :<=, 12
  end

  # Filters may give each object a plan of its own.
  def test_a_plan_for_each_of_thousands_of_objects
    names = Array.new(13) { |i| :"a#{i}" }
    parts = Class.new(Katsu::Serializer) { attributes(*names) }
    chosen = ->(number) { names.select.with_index { |_, bit| number[bit] == 1 } }
    count = 0
    parts.define_singleton_method(:filters_for) { |*| {only: chosen.(count += 1)} }
    outer = Class.new(Katsu::Serializer) { has_many :subjects, serializer: {Hash => parts} }
    object = names.to_h { |name| [name, [name]] }
    many = native? ? 4_500 : 200 # each is code that Ruby compiles
    expected = (1..many).map { |number| object.slice(*chosen.(number)) }
    {serialize_to_json: JSON.generate(subjects: expected),
     serialize: {"subjects" => JSON.parse(JSON.generate(expected))}}.each do |call, document|
      count = 0
      actual = outer.new.public_send(call, {subjects: [object] * expected.size})
      assert document == (call == :serialize ? JSON.parse(JSON.generate(actual)) : actual), call
    end
  end

  # Collects garbage from when it is raised until it is copied: its place is found in between.
  class Collecting < StandardError
    def clone(...)
      GC.stress = false
      super
    end
  end

  # What is written of the one below has memory of its own from 4096 plans on, and is left when it raises.
  def test_the_place_of_an_error_below_thousands_of_plans
    names = Array.new(13) { |i| :"a#{i}" }
    inner = Class.new(Katsu::Serializer) { attributes(*names, :broken) }
    middle = Class.new(Katsu::Serializer) { attributes(*names) && has_many(:inner, serializer: {Hash => inner}) }
    outer = Class.new(Katsu::Serializer) { has_many :subjects, serializer: {Hash => middle} }
    count = 0
    chosen = -> { names.select.with_index { |_, bit| count[bit] == 1 } }
    inner.define_singleton_method(:filters_for) { |*| (count += 1) && {only: chosen.call << :broken} }
    middle.define_singleton_method(:filters_for) { |*| (count += 1) && {only: chosen.call << :inner} }
    at = native? ? 2047 : 100 # the memory of the object that it is in is the last of those that are kept
    inner.define_method(:broken) { object[:at] == at ? (GC.stress = 1) && raise(Collecting) : 1 }
    object = names.to_h { |name| [name, name] }
    subjects = Array.new(at + 1) { |i| {**object, inner: [{**object, at: i}]} }
    error = assert_raises(Collecting) { outer.new.serialize_to_json({subjects: subjects}) }
    assert_equal "subjects[#{at}].inner[0].broken", error.field_path
  ensure
    GC.stress = false
  end

  # One that such an object has met is not looked for in memory that is free again.
  def test_methods_of_the_serializers_of_thousands_of_plans
    names = Array.new(13) { |i| :"a#{i}" }
    parts = Class.new(Katsu::Serializer) { attributes(*names, :sum) && define_method(:sum) { object[:a0] + 1 } }
    count = 0
    parts.define_singleton_method(:filters_for) do |*|
      {only: names.select.with_index { |_, bit| count[bit] == 1 } << :sum}.tap { count += 1 }
    end
    outer = Class.new(Katsu::Serializer) { has_many :subjects, serializer: {Hash => parts} }
    objects = Array.new(native? && !GC.stress ? 4_200 : 100) { |i| names.to_h { |name| [name, i] } }
    written = JSON.parse(json(outer, {subjects: objects}))["subjects"]
    assert_equal objects.map { |object| object[:a0] + 1 }, written.map { |part| part["sum"] }
  end

  # What an object's plan is chosen by may redefine the readers that were trusted until then.
  def test_filters_that_change_the_readers
    klass = Class.new do
      attr_reader :title
      def initialize(title) = @title = title
    end
    parts = Class.new(Katsu::Serializer) { attributes :title }
    outer = Class.new(Katsu::Serializer) { has_many :subjects, serializer: {Object => parts} }
    count = 0
    parts.define_singleton_method(:filters_for) do |*|
      klass.class_eval { remove_method(:title) && define_method(:title) { "changed" } } if (count += 1) == 50
      {}
    end
    expected = Array.new(80) { |i| {"title" => i < 49 ? "t#{i}" : "changed"} }
    objects = Array.new(80) { |i| klass.new("t#{i}") }
    assert_equal expected, JSON.parse(json(outer, Event.new(nil, objects)))["subjects"]
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

  def test_filters_of_a_polymorphic_association
    post, author = Post.new(id: 1, title: "P"), Author.new(id: 2, name: "A")
    event = Event.new(nil, [post, author])
    [[:title], {instance: [:title]}, {"instance" => ["title"]}].each do |only|
      assert_equal %({"subjects":[{"title":"P"},{}]}),
                   json(EventSerializer, event, only: {instance: [:subjects], subjects: only})
    end
    assert_equal %({"subjects":[{"title":"P"},{"name":"A"}]}),
                 json(EventSerializer, event, only: {instance: [:subjects], subjects: {instance: %i[title name]}})
    assert_equal %({"subjects":[{"id":1,"author":null},{"id":2}]}),
                 json(EventSerializer, event, only: {instance: [:subjects]}, except: {subjects: %i[title name]})
    assert_match(/names :nonsense/, assert_raises(Katsu::InvalidFilterError) do
      EventSerializer.new(only: {subjects: [:nonsense]})
    end.message)
    [{instance: 5}, ["\xFF"], {1 => []}, {author: [:nonsense]}].each do |filter|
      assert_raises(Katsu::InvalidFilterError) { EventSerializer.new(only: {subject: filter}) }
    end
  end

  # The association's only: leaves out all fields of one serializer, whose filters_for has the last word.
  def test_filters_that_name_no_field_of_a_serializer_with_filters_for
    answer = nil
    filtered = Class.new(Katsu::Serializer) do
      attributes :id, :name
      define_singleton_method(:filters_for) { |*| answer }
    end
    both = Class.new(Katsu::Serializer) do
      has_one :subject, only: [:title], serializer: {"Post" => PostSerializer, "Hash" => filtered}
    end
    {nil => {}, {only: nil} => {id: 1, name: "A"}, {only: [:id]} => {id: 1}, {only: [:name]} => {name: "A"},
     {except: [:id]} => {}, {only: %i[id name], except: [:id]} => {name: "A"}}.each do |given, expected|
      answer = given
      assert_equal JSON.generate(subject: expected), json(both, {subject: {id: 1, name: "A"}}), given.inspect
    end
  end

  # Such an attribute would be written whole.
  def test_filters_within_what_is_an_attribute_of_one_serializer
    named = Class.new(Katsu::Serializer) { attributes :id, :author }
    both = Class.new(Katsu::Serializer) { has_one :subject, serializer: {"Post" => PostSerializer, "Hash" => named} }
    object = {subject: {id: 1, author: {name: "A", secret: "S"}}}
    [{only: {subject: {author: [:name]}}}, {except: {subject: {"author" => [:name]}}},
     {only: {subject: {instance: [:author], author: [:name]}}}].each do |filters|
      error = assert_raises(Katsu::InvalidFilterError) { json(both, object, **filters) }
      assert_match(/#{Regexp.escape(named.inspect)}: #{filters.keys[0]}: has filters under :author/, error.message)
    end
    assert_equal %({"subject":{"id":1}}), json(both, object, except: {subject: [:author]})
    error = assert_raises(ArgumentError) { both.fields("", allow: [{subject: [:id, {author: [:name]}]}]) }
    assert_equal "#{both}.fields: allow: has names within :author, which is no association of #{named}", error.message
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
      %i[to_json to_a].map do |call|
        list = Katsu::ArraySerializer.new([object], each_serializer: outer)
        assert_raises(error) { watched { list.public_send(call) } }
      end
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
end
