# frozen_string_literal: true

require "support/test_case"

# What a serializer's class may say, and what raises when it is loaded.
class DeclarationsTest < TestCase
  Person = Struct.new(:id, :name, :email, :friends, :boss, keyword_init: true)

  class PersonSerializer < Katsu::Serializer
    attributes :id, :name
  end

  def setup
    friends = [Person.new(id: 2, name: "Bo", email: "bo@x"), Person.new(id: 3, name: "Cy", email: "cy@x")]
    @ann = Person.new(id: 1, name: "Ann", email: "a@x", friends: friends,
                      boss: Person.new(id: 9, name: "Zoe", boss: Person.new(id: 10, name: "Xi")))
  end

  def serializer(parent = Katsu::Serializer, &block)
    Class.new(parent) do
      def self.to_s = "OuterSerializer"
      class_eval(&block) if block
    end
  end

  # The Hash, which the JSON has to say too, alone and in a collection.
  def document(serializer, **options)
    built = watched { serializer.new(**options).serialize(@ann) }
    assert_equal JSON.generate(built), watched { serializer.new(**options).serialize_to_json(@ann) }
    list = Katsu::ArraySerializer.new([@ann, @ann], each_serializer: serializer, **options)
    assert_equal JSON.generate([built, built]), watched { list.to_json }
    built
  end

  # The message of what the class's body raises.
  def refused(error = ArgumentError, parent = Katsu::Serializer, &block)
    assert_raises(error) { serializer(parent, &block) }.message
  end

  # Class methods with names that Katsu uses itself. They would be called in the place of Katsu's.
  def test_class_methods_that_katsu_calls_are_refused
    %i[description plan plans form own_views cache_rule].each do |name|
      message = "OuterSerializer.#{name} is a method that Katsu itself calls; give yours another name"
      assert_equal message, refused { define_singleton_method(name) { "own" } }
      assert_equal message, refused { extend Module.new { define_method(name) { "own" } } }
    end
    message = "OuterSerializer.description is a method that Katsu itself calls; give yours another name"
    assert_equal message, refused { singleton_class.attr_accessor :description }
    assert_equal message, refused { extend Module.new { private def description = "own" } }
    refused(TypeError) { extend 1 }
  end

  # Those that an author calls can be defined anew, and so can all others.
  def test_class_methods_that_are_not_refused
    mine = serializer do
      def self.attributes(*names) = super(:id, *names)
      def self.recent = "own"
      def self.name(person) = person.name
      def self.represent(*) = "own" # of Grape's
      extend Module.new { def many(people, **options) = super(people.take(1), **options) }
      attributes :name
    end
    assert_equal({"id" => 1, "name" => "Ann"}, document(mine))
    assert_equal '[{"id":1,"name":"Ann"}]', mine.many([@ann, @ann]).to_json
    assert_equal ["own", "own", "Ann"], [mine.recent, mine.represent, mine.name(@ann)]
  end

  def test_the_words_of_an_author_are_not_refused
    words = %i[DSL Views Documents Enveloping Envelopes Rendering].flat_map do |name|
      Katsu::Serializer.const_get(name).public_instance_methods(false)
    end
    assert_includes words, :attributes
    assert_empty words & Katsu::Serializer::ReservedNames.all.keys
  end

  # Inline serializers

  def test_inline_serializers
    klass = serializer do
      attributes :id
      has_one(:boss) { attributes :id, :name }
      has_many(:friends, name: :pals) do
        attribute(:short) { |person| person.name[0] }
        def name = object.name.upcase
        attributes :name, if: -> { context }
      end
    end
    boss = {"id" => 9, "name" => "Zoe"}
    assert_equal({"id" => 1, "boss" => boss, "pals" => [{"short" => "B"}, {"short" => "C"}]}, document(klass))
    assert_equal [{"short" => "B", "name" => "BO"}, {"short" => "C", "name" => "CY"}],
                 document(klass, context: 1)["pals"].map { |pal| pal.sort.reverse.to_h }
  end

  def test_inline_serializers_are_filtered
    klass = serializer do
      attributes :id
      has_one(:boss, except: [:email]) { attributes :id, :name, :email }
      has_many(:friends) { attributes :id, :name, :email }
    end
    assert_equal({"id" => 9, "name" => "Zoe"}, document(klass)["boss"])
    assert_equal({"id" => 1, "boss" => {"name" => "Zoe"}, "friends" => [{"id" => 2}, {"id" => 3}]},
                 document(klass, only: {boss: [:name], friends: [:id]}))
    assert_equal({"friends" => [{"id" => 2}, {"id" => 3}]},
                 document(klass, only: {instance: [:friends]}, except: {friends: %i[name email]}))
    error = assert_raises(Katsu::InvalidFilterError) { klass.new(only: {boss: [:nmae]}) }
    assert_equal "OuterSerializer.boss: only: names :nmae, which it does not declare. Did you mean name? " \
                 "It declares id, name, email", error.message
  end

  def test_inline_serializers_within_each_other
    klass = serializer do
      has_one(:boss) do
        attributes :id
        has_one(:boss, if: -> { context }) { attributes :name }
      end
    end
    assert_equal({"boss" => {"id" => 9}}, document(klass))
    assert_equal({"boss" => {"id" => 9, "boss" => {"name" => "Xi"}}}, document(klass, context: 1))
    assert_equal({"boss" => {"boss" => {"name" => "Xi"}}}, document(klass, context: 1, only: {boss: [:boss]}))
    assert_match(/\AOuterSerializer\.boss\.boss declares nmae, but DeclarationsTest::Person has no such/,
                 assert_raises(Katsu::UnknownAttributeError) do
                   serializer do
                     has_one(:boss) do
                       has_one(:boss) do
                         attributes :nmae
                       end
                     end
                   end.new.serialize(@ann)
                 end.message)
  end

  def test_inline_serializers_of_nil_and_of_subclasses
    parent = serializer { has_one(:boss) { attributes :id } }
    assert_equal({"boss" => nil}, parent.new.serialize(@ann.friends[0]))
    assert_equal({"boss" => {"id" => 9}}, document(serializer(parent)))
    assert_equal({"boss" => {"name" => "Zoe"}}, document(serializer(parent) { has_one(:boss) { attributes :name } }))
  end

  # bin/fuzz serializers found it: the class has no name yet when its body runs.
  def test_inline_serializers_look_for_names_where_their_class_is_assigned
    space = DeclarationsTest.const_set(:Space, Module.new)
    space.const_set(:FriendSerializer, Class.new(Katsu::Serializer) { attributes :name })
    outer = Class.new(Katsu::Serializer) do
      has_one(:boss) do
        attributes :id
        has_one :boss, serializer: "FriendSerializer"
      end
    end
    space.const_set(:OuterSerializer, outer)
    assert_equal({"boss" => {"id" => 9, "boss" => {"name" => "Xi"}}}, document(outer))
  ensure
    DeclarationsTest.send(:remove_const, :Space)
  end

  # The namespaces in it are where serializers are looked for.
  def test_the_name_of_what_a_block_declares
    owner = serializer do
      def self.name = "Blog::OwnerSerializer"
      has_one(:boss) { has_one(:assistant) { attributes :id } }
    end
    boss = owner.description.associations.each_value.first.serializer
    assistant = boss.description.associations.each_value.first.serializer
    assert_equal %w[Blog::OwnerSerializer.boss Blog::OwnerSerializer.boss.assistant], [boss.name, assistant.name]
  end

  def test_inline_serializers_that_have_no_meaning
    rule = "a block without a parameter declares the serializer; " \
           "a block that returns what is written takes the object: has_one(:boss) { |object| ... }"
    assert_equal "OuterSerializer: has_one :boss: the block declares nothing; #{rule}", refused { has_one(:boss) {} }
    undefined = /undefined local variable or method [`']object'/
    assert_match(/\AOuterSerializer: has_one :boss: #{undefined}.*; #{Regexp.escape(rule)}\z/,
                 refused { has_one(:boss) { object.boss } })
    %i[serializer each_serializer].each do |word|
      assert_equal "OuterSerializer: has_many :friends: has #{word}: and a block that declares one; give one of them",
                   refused { has_many(:friends, word => PersonSerializer) { attributes :id } }
    end
    assert_match(/\AOuterSerializer\.boss: attribute takes one name/,
                 refused { has_one(:boss) { attribute :id, :name } })
  end

  def test_words_that_an_inline_serializer_would_ignore
    {root: -> { root :boss, :bosses }, meta: -> { meta(a: 1) }, cache: -> { cache expires_in: 1 }}.each do |word, body|
      assert_equal "OuterSerializer.boss: #{word} is for documents, and this serializer writes only a part of one",
                   refused { has_one(:boss) { instance_exec(&body) } }
    end
    assert_equal "OuterSerializer: has_one :boss: the block declares the view :short, which nothing asks for; " \
                 "name it: has_one :boss, view: :short",
                 refused { has_one(:boss) { %i[short long].each { |name| view(name) { attributes :id } } } }
  end

  def test_views_of_an_inline_serializer
    outer = serializer { has_one(:boss, view: :short) { view(:short) { attributes :id } } }
    assert_equal({"boss" => {"id" => 2}}, outer.new.serialize({boss: {id: 2}}))
  end

  # Blocks that give what is written

  def test_blocks_give_what_associations_write
    klass = serializer do
      has_one(:chief, serializer: PersonSerializer) { |person| person.boss.boss }
      has_many(:friends, serializer: PersonSerializer) { |person, limit| person.friends.first(limit || 1) }
      has_many(:named, serializer: PersonSerializer, only: [:name]) { |*| object.friends.reverse }
      has_one(:none, serializer: PersonSerializer) { |_person| nil }
      has_many(:nobody, serializer: PersonSerializer) { |_person| nil }
    end
    bo = {"id" => 2, "name" => "Bo"}
    named = [{"name" => "Cy"}, {"name" => "Bo"}]
    expected = {"chief" => {"id" => 10, "name" => "Xi"}, "none" => nil, "friends" => [bo], "named" => named,
                "nobody" => nil}
    assert_equal expected, document(klass)
    assert_equal [], document(klass, context: 0)["friends"]
    assert_equal [bo, {"id" => 3, "name" => "Cy"}], document(klass, context: 2)["friends"]
    assert_equal({"chief" => {"id" => 10}, "friends" => [{"name" => "Bo"}]},
                 document(klass, only: {instance: %i[chief friends], chief: [:id], friends: [:name]}))
  end

  def test_lambdas_symbols_and_skip_as_sources
    klass = serializer do
      has_one(:boss, serializer: PersonSerializer,
              &->(person) { context == :skip ? Katsu::Serializer::SKIP : person.boss })
      has_many(:pals, serializer: PersonSerializer, only: [:id], &:friends)
    end
    pals = [{"id" => 2}, {"id" => 3}]
    assert_equal({"boss" => {"id" => 9, "name" => "Zoe"}, "pals" => pals}, document(klass))
    assert_equal({"pals" => pals}, document(klass, context: :skip))
  end

  def test_blocks_of_associations_that_take_too_much
    [->(person, context, more) { [person, context, more] }, ->(person, context, more, *) { [person, context, more] },
     proc { |person, context, more| [person, context, more] }].each do |block|
      assert_equal "OuterSerializer: has_one :boss takes (person, context, more); it is given the object, " \
                   "and the context if it takes two arguments",
                   refused { has_one(:boss, serializer: PersonSerializer, &block) }
    end
    assert_match(/has_one :boss takes \(person, limit:\);/,
                 refused { has_one(:boss, serializer: PersonSerializer) { |person, limit:| [person, limit] } })
  end

  # What has no meaning

  def test_blocks_that_would_be_dropped
    assert_equal "OuterSerializer: attributes :id, :name: takes no block; " \
                 "a value is given by attribute(:name) { |object| ... }",
                 refused { attributes(:id, :name) { |person| person.id } }
    assert_equal "OuterSerializer: aliases name: :label: takes no block; " \
                 "a value is given by attribute(:key) { |object| ... }",
                 refused { aliases(name: :label) { |person| person.id } }
  end

  def test_a_method_of_the_name_of_an_attribute_that_became_an_association
    parent = Class.new(Katsu::Serializer) { attributes :id, :person }
    serializer = Class.new(parent) do
      def id = 1
      has_one :person, serializer: Class.new(Katsu::Serializer) { attributes :name }
      def person = {name: "a"}
    end
    assert_equal '{"id":1,"person":{"name":"a"}}', serializer.new.serialize_to_json({id: 2})
    assert_empty serializer.description.attributes.keys - ["id"]
  end

  def test_long_names_are_shortened
    {98 => /x" is no name/, 99 => /x\.\.\. is no name/}.each do |length, message|
      assert_match(message, refused { attributes :id, ["x" * length].to_enum.tap { |one|
        one.define_singleton_method(:inspect) { "\"#{"x" * length}\"" }
      } })
    end
  end

  def test_names
    [nil, 1, "", :"", "\xFF", ["id"]].each do |name|
      assert_match(/\AOuterSerializer: attributes: .* is no name; names are Symbols or Strings/,
                   refused { attributes :id, name })
      assert_match(/\AOuterSerializer: attribute: .* is no name;/, refused { attribute(name) { 1 } })
      assert_match(/\AOuterSerializer: has_one: .* is no name;/, refused { has_one name, serializer: PersonSerializer })
      assert_match(/\AOuterSerializer: has_many: .* is no name;/,
                   refused { has_many name, serializer: PersonSerializer })
      assert_match(/\AOuterSerializer: has_one :boss, name: .* is no name;/,
                   refused { has_one :boss, serializer: PersonSerializer, name: name })
      assert_match(/\AOuterSerializer: aliases name: .* is no name;/, refused { aliases name: name })
    end
    assert_match(/the names of an Array are given by attributes\(\*names\)\z/, refused { attributes %i[id name] })
    [proc { has_many %i[boss friends] }, proc { attributes 1 }].each do |one|
      assert_match(/names are Symbols or Strings\z/, refused(&one))
    end
    assert_operator refused { attributes "x".b * 1000 + "\xFF".b }.size, :<, 300
    assert_equal({"id" => 1, "label" => "Ann"}, document(serializer do
      attributes "id"
      aliases "name" => "label"
    end))
    assert_equal [{name: {}}, {name: {}, boss: {id: {}}}], ["name", [:name, {"boss" => "id"}]].map { |needs|
      serializer { attribute(:size, needs: needs) { 1 } }.description.attributes["size"].needs
    }
    assert_match(/\AOuterSerializer: attribute takes one name; for more: attributes :a, :b;/,
                 refused { attribute :id, :name })
    [[:id, :name], [:id]].each do |names|
      assert_match(/\AOuterSerializer: aliases takes names and keys, such as aliases body: :text/,
                   refused { aliases(*names) })
    end
  end

  def test_options
    assert_equal "OuterSerializer: attributes :id has unknown option: :name; known are if, unless, needs, " \
                 "default, omit_nil, on_error, type, format.",
                 refused { attributes :id, name: :string }
    assert_match(/\AOuterSerializer: attribute :id has unknown option: :unles; .* Did you mean unless\?\z/,
                 refused { attribute :id, unles: :x })
    assert_match(/\AOuterSerializer: has_one :boss has unknown option: :seralizer; .* Did you mean serializer\?\z/,
                 refused { has_one :boss, seralizer: 1 })
    assert_equal "OuterSerializer: has_one :boss: options are keywords, such as has_one :boss, " \
                 "serializer: PostSerializer (got DeclarationsTest::PersonSerializer)",
                 refused { has_one :boss, PersonSerializer }
    assert_match(/\AOuterSerializer: has_many :friends: options are keywords/, refused { has_many :friends, {}, {} })
    assert_equal "OuterSerializer: attributes has if: and no names", refused { attributes(if: :x) }
    assert_equal "OuterSerializer: aliases has unless: and no names", refused { aliases(unless: :x) }
    assert_equal({"boss" => {"id" => 9}},
                 document(serializer { has_one :boss, {serializer: PersonSerializer, only: [:id]} }))
  end

  def test_depths
    [-1, 1.5, "2", true].each do |depth|
      assert_equal "OuterSerializer: has_one :boss has depth: #{depth.inspect}; accepted are 0, 1, 2, ...",
                   refused { has_one :boss, depth: depth }
    end
  end

  def test_filters
    [:id, "id", 1, true].each do |filter|
      message = refused(Katsu::InvalidFilterError) { has_one :boss, serializer: PersonSerializer, only: filter }
      assert_match(
/\AOuterSerializer: has_one :boss, only: #{Regexp.escape(filter.inspect)} is a .*; accepted are an Array of Symbols/,
message)
      assert_raises(Katsu::InvalidFilterError) do
        serializer do
          has_many :friends, serializer: PersonSerializer,
                             except: filter
        end
      end
    end
    assert_equal({"id" => 9, "name" => "Zoe"},
                 document(serializer { has_one :boss, serializer: PersonSerializer, only: nil, except: [] })["boss"])
  end

  def test_serializers
    [nil, 1, String, Katsu::Serializer, "", [], {}, {"Post" => String}, {1 => PersonSerializer},
     {Class.new => PersonSerializer}, {Post: "A", "Post" => "B"}].each do |given|
      message = refused { has_one :boss, serializer: given }
      assert_equal "OuterSerializer: has_one :boss has serializer: #{given.inspect}; accepted are a subclass of " \
                   "Katsu::Serializer, its name, and a Hash of these by the objects' classes, " \
                   "such as {\"Post\" => PostSerializer}", message
      assert_match(/\AOuterSerializer: has_many :friends has each_serializer: /,
                   refused { has_many :friends, each_serializer: given })
    end
    assert_equal "OuterSerializer: has_many :friends has serializer: and each_serializer:; give one of them",
                 refused { has_many :friends, serializer: PersonSerializer, each_serializer: PersonSerializer }
  end

  def test_serializers_and_classes_by_symbols
    klass = serializer { has_one :boss, serializer: {Object: :PersonSerializer, Struct: PersonSerializer} }
    assert_equal %i[Object Struct], klass.description.associations["boss"].serializer.keys.map(&:to_sym)
  end

  def test_conditions
    [nil, true, false, "admin?", 1, [:x]].each do |given|
      assert_equal "OuterSerializer: attribute :id, if: #{given.inspect} is no condition; accepted are a Symbol, " \
                   "a method of the serializer, and a callable that takes the object or nothing",
                   refused { attribute :id, if: given }
    end
    assert_equal "OuterSerializer: attribute :id, if: takes (a, b); " \
                 "it is given the object, or nothing if it takes no argument",
                 refused { attribute :id, if: ->(a, b) { a && b } }
    assert_match(/\AOuterSerializer: attributes :id, :name, unless: takes \(a, b\);/,
                 refused { attributes :id, :name, unless: ->(a, b) { a && b } })
    assert_match(/\AOuterSerializer: has_one :boss, if: takes \(a:\);/,
                 refused { has_one :boss, serializer: PersonSerializer, if: ->(a:) { a } })
    assert_match(/\AOuterSerializer: aliases name: :label, if: takes \(a, b\);/,
                 refused { aliases({name: :label}, if: ->(a, b) { a && b }) })
  end

  # Two declarations of one key

  def test_a_key_that_is_declared_twice
    assert_equal 'OuterSerializer: name is declared twice: attribute :name and attribute :email, as "name" differ',
                 refused {
                   attributes :name
                   aliases email: :name
                 }
    assert_equal "OuterSerializer: name is declared twice: attribute :name and attribute :name differ",
                 refused {
                   attributes :name
                   attribute(:name) { 1 }
                 }
    assert_equal "OuterSerializer: name is declared twice: attribute :name and attribute :name differ",
                 refused {
                   attributes :name
                   attributes :name, if: :x
                 }
    assert_equal "OuterSerializer: name is declared twice: attribute :name and attribute :name differ",
                 refused {
                   attributes :name, if: :x
                   attributes :name, unless: :x
                 }
    assert_equal "OuterSerializer: boss is declared twice: attribute :boss and has_one :boss differ",
                 refused {
                   attributes :boss
                   has_one :boss, serializer: PersonSerializer
                 }
    assert_match(/\AOuterSerializer: boss is declared twice:/, refused do
      has_one(:boss, serializer: PersonSerializer)
      has_one(:boss, serializer: PersonSerializer, only: [:id])
    end)
    assert_match(/\AOuterSerializer: boss is declared twice:/,
                 refused { has_one(:boss) { attributes :id } and has_one(:boss, serializer: PersonSerializer) })
  end

  # The same lines, called with other values.
  def test_blocks_of_one_line_that_captured_other_values
    words = {
      block: ->(klass, value) { klass.attribute(:id) { value } },
      condition: ->(klass, value) { klass.attribute(:id, if: -> { scope == value }) },
      format: ->(klass, value) { klass.attribute(:id, format: ->(id) { "#{value}#{id}" }) },
      default: ->(klass, value) { klass.attribute(:id, default: -> { value }) },
      association: ->(klass, value) { klass.has_one(:boss, serializer: PersonSerializer) { |one| [one, value][0] } },
      by: ->(klass, value) { klass.has_many(:all, serializer: PersonSerializer, by: ->(one) { "#{value}#{one}" }) },
      inline: ->(klass, value) { klass.has_one(:boss) { attributes value } },
      names: ->(klass, *values) { klass.has_one(:boss) { attributes(*values) } },
      nested: ->(klass, value) { klass.nested(:boss) { attributes value } }
    }
    words.each do |word, declare|
      assert_match(/is declared twice: /, refused { 2.times { |index| declare.call(self, %i[id name][index]) } }, word)
      serializer { 2.times { declare.call(self, :id) } }
    end
    blank = BasicObject.new # which answers nothing
    assert_equal({"id" => true}, document(serializer { attribute(:id) { BasicObject === blank } }))
  end

  # A file may be loaded again.
  def test_declarations_that_are_alike_may_stand_twice
    klass = serializer
    2.times do
      klass.class_eval do
        attributes :id, if: -> { true }
        attribute(:name) { |person| person.name }
        aliases email: :mail
        has_one(:boss) { attributes :id }
        has_many :friends, serializer: PersonSerializer, only: [:id]
        has_many :friends, serializer: PersonSerializer, only: [:name], name: :by_id, by: ->(friend) { friend.id }
      end
    end
    assert_equal({"id" => 1, "name" => "Ann", "mail" => "a@x", "boss" => {"id" => 9},
                  "friends" => [{"id" => 2}, {"id" => 3}]},
                 document(klass).except("by_id").sort_by { |key, _| %w[id name mail boss friends].index(key) }.to_h)
  end

  # Two types of one class may be made in different ways.
  def test_types_that_differ_in_their_settings
    times = Class.new do
      def initialize(number) = @number = number
      def cast(value) = value * @number
    end
    assert_match(/id is declared twice/, refused do
      attribute :id, type: times.new(2)
      attribute :id, type: times.new(3)
    end)
    alike = serializer { 2.times { attribute :id, type: times.new(2) } }
    assert_equal({"id" => 2}, document(alike))
  end

  def test_a_subclass_replaces_what_its_parent_declares
    parent = serializer do
      attributes :id, :name, :email
      has_one :boss, serializer: PersonSerializer
    end
    child = serializer(parent) do
      aliases email: :name
      attribute(:email) { "hidden" }
      attribute(:boss) do |person|
        person.boss.name
      end
    end
    assert_equal({"id" => 1, "name" => "a@x", "email" => "hidden", "boss" => "Zoe"},
                 document(child).sort_by { |key, _| %w[id name email boss].index(key) }.to_h)
    assert_equal({"id" => 1, "name" => "Ann", "email" => "a@x", "boss" => {"id" => 9, "name" => "Zoe"}},
                 document(parent))
    again = serializer(child) { has_one :boss, serializer: PersonSerializer, only: [:name] }
    assert_equal({"name" => "Zoe"}, document(again)["boss"])
  end

  # A method moves what is read of the object to the end; a block stands where it was declared.
  def test_a_method_of_a_subclass_in_the_place_of_a_block
    parent = serializer do
      attribute(:first) { 1 }
      attribute(:second) { 2 }
    end
    child = Class.new(parent) { def first = 3 }
    assert_equal '{"first":3,"second":2}', child.new.serialize_to_json({})
  end

  # What was declared anew is read by another name, and stays where it was.
  def test_a_method_of_the_name_that_an_attribute_had
    parent = serializer do
      attribute :one, name: :first
      attributes :second, :third
    end
    child = Class.new(parent) do
      def third = 3
      attribute :other, name: :first
      def one = 1
    end
    assert_equal '{"first":1,"second":2,"third":3}', child.new.serialize_to_json({other: 1, second: 2})
  end

  def test_a_copy_of_a_serializer_has_declarations_of_its_own
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    3.times { serializer.new.serialize({id: 1}) }
    copy = serializer.dup
    copy.attribute(:more) { 2 }
    assert_equal %({"id":1,"more":2}), copy.new.serialize_to_json({id: 1})
    assert_equal %({"id":1}), serializer.new.serialize_to_json({id: 1})
  end

  # Though the first has been used, and whether it has methods of its own or not.
  def test_what_a_copy_of_a_serializer_runs_in
    parent = serializer do
      attributes :written_by
      view(:other) {}
      def written_by = self.class.object_id
    end
    [parent, Class.new(parent)].each do |first|
      [{}, {view: :other}].each do |options|
        3.times { first.new(**options).serialize({}) }
        [first, first.dup, first.clone].each do |one|
          assert_equal({"written_by" => one.object_id}, one.new(**options).serialize({}))
        end
      end
    end
  end

  def test_a_copy_of_a_serializer_with_methods
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :name
      attribute(:more) { self.class.more }
      def self.more = 1
      def name = "n#{object[:id]}"
    end
    %i[dup clone].each do |copied|
      assert_equal %({"id":1,"more":1,"name":"n1"}), serializer.new.serialize_to_json({id: 1})
      copy = serializer.public_send(copied)
      assert_equal %({"id":1,"more":1,"name":"n1"}), copy.new.serialize_to_json({id: 1})
      copy.singleton_class.prepend(Module.new { def more = 2 })
      assert_equal %({"id":1,"more":2,"name":"n1"}), copy.new.serialize_to_json({id: 1})
      copy.define_method(:id) { 3 }
      assert_equal %({"more":2,"name":"n1","id":3}), copy.new.serialize_to_json({id: 1})
    end
  end
end
