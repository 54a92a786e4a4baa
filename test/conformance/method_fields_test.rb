# frozen_string_literal: true

require "support/test_case"
require "stringio"

# Which methods of a serializer are values, what blocks and conditions are called with.
class MethodFieldsTest < TestCase
  Account = Struct.new(:id, :email, :name, :owner, :notes, keyword_init: true)
  Owner = Struct.new(:name, :email, keyword_init: true)

  class OwnerSerializer < Katsu::Serializer
    attributes :name
  end

  module Masking
    def email = "masked by the module"
  end

  def setup
    owner = Owner.new(name: "Bo", email: "bo@x")
    @account = Account.new(id: 1, email: "a@x", name: "Ann", owner: owner,
                           notes: [Owner.new(name: "n1"), Owner.new(name: "n2")])
  end

  def serializer(parent = Katsu::Serializer, &block)
    Class.new(parent) do
      def self.to_s = "AccountSerializer"
      class_eval(&block) if block
    end
  end

  # The Hash, which the JSON has to say too.
  def document(serializer, **options)
    built = watched { serializer.new(**options).serialize(@account) }
    assert_equal JSON.generate(built), watched { serializer.new(**options).serialize_to_json(@account) }
    built
  end

  def test_a_method_is_the_value_wherever_it_stands
    above = serializer do
      def email = "masked"
      attributes :id, :email
    end
    below = serializer do
      attributes :id, :email
      def email = "masked"
    end
    inherited = serializer(serializer { def email = "masked" }) { attributes :id, :email }
    late_parent = serializer { attributes :email }
    child = serializer(late_parent) { attributes :id }
    late_parent.define_method(:email) { "masked" }
    hidden = serializer do
      private def email = "masked"
      attributes :id, :email
    end
    aliased = serializer do
      def secret = "masked"
      alias_method :email, :secret
      attributes :id, :email
    end
    [above, below, inherited, child, hidden, aliased].each_with_index do |klass, index|
      assert_equal({"email" => "masked", "id" => 1}, document(klass).sort.to_h, index)
    end
  end

  def test_a_method_of_a_module
    concern = Module.new do
      def self.included(base) = base.attributes(:email)
      def email = "masked by the concern"
    end
    prepended = serializer do
      attributes :email
      def email = "the class's"
    end.tap { |klass| klass.prepend(Masking) }
    assert_equal({"email" => "masked by the module"}, document(serializer do
      include Masking
      attributes :email
    end))
    assert_equal({"email" => "masked by the module"}, document(serializer do
      attributes :email
      include Masking
    end))
    assert_equal({"email" => "masked by the concern"}, document(serializer { include concern }))
    assert_equal({"email" => "masked by the module"}, document(prepended))
    assert_equal({"contact" => "masked by the module"},
                 document(serializer do
                   include Masking
                   aliases email: :contact
                 end))
  end

  # Nothing can be put before a frozen module to hear of its methods; none come any more.
  def test_a_method_of_a_frozen_module
    frozen = Module.new { def email = "masked by the frozen module" }.freeze
    klass = serializer do
      include frozen
      attributes :email
    end
    assert_equal({"email" => "masked by the frozen module"}, document(klass))
  end

  def test_what_comes_after_the_first_document
    module_of_later = Module.new
    parent = serializer { attributes :email, :name }
    child = serializer(parent)
    outer = serializer { has_one :owner, serializer: child }
    plain = {"email" => "bo@x", "name" => "Bo"}
    assert_equal({"owner" => plain}, document(outer))
    child.include(module_of_later)
    assert_equal({"owner" => plain}, document(outer))
    module_of_later.define_method(:name) { "later" }
    assert_equal({"owner" => {**plain, "name" => "later"}}, document(outer))
    module_of_later.include(Masking)
    assert_equal({"owner" => {"email" => "masked by the module", "name" => "later"}}, document(outer))
    parent.prepend(Module.new { def name = "prepended" })
    assert_equal "later", document(outer)["owner"]["name"]
    module_of_later.remove_method(:name)
    assert_equal "prepended", document(outer)["owner"]["name"]
    child.undef_method(:name)
    assert_equal "Bo", document(outer)["owner"]["name"]
  end

  # Modules that have methods of many other names are not looked at again.
  def test_plans_stay_when_other_methods_come
    helper = Module.new
    klass = serializer do
      include helper
      attributes :email
    end
    plan = klass.plan
    helper.define_method(:unheard_of_by_any_serializer) { 1 }
    assert_same plan, klass.plan
    helper.define_method(:email) { 1 }
    refute_same plan, klass.plan
  end

  def test_methods_of_every_serializer_are_no_values
    names = %i[object context scope inspect serialize hash display class method_missing]
    object = names.to_h { |name| [name, name.name] }
    klass = serializer { attributes(*names) }
    assert_equal object.transform_keys(&:name), klass.new(context: 1, scope: 2).serialize(object)
    own = serializer do
      attributes :scope
      def scope = "own"
    end
    assert_equal({"scope" => "own"}, own.new(scope: 2).serialize(object))
  end

  def test_a_method_that_takes_arguments_is_an_error
    klass = serializer do
      def email(viewer) = viewer
      attributes :email
    end
    error = assert_raises(Katsu::Error) { klass.new }
    assert_equal "AccountSerializer: the method email(viewer) gives the value of attribute :email and is called " \
                 "without arguments; if it is meant for something else, write attribute(:email) { |object| ... }",
                 error.message
    assert_raises(Katsu::Error) do
      serializer do
        def email(viewer:) = viewer
        attributes :email
      end.new
    end
    assert_equal({"email" => [1, nil]}, document(serializer do
      def email(one = 1, two: nil)
        [one, two]
      end
      attributes :email
    end))
    assert_equal({"email" => "a@x"}, document(serializer do
      def email(viewer)
        viewer
      end
      attribute(:email) { |object| object.email }
    end))
  end

  # It would be ignored, and the column written.
  def test_a_method_with_the_name_of_an_alias_only_is_an_error
    error = assert_raises(Katsu::Error) do
      serializer do
        aliases email: :contact
        def contact = "masked"
      end.new
    end
    assert_match(/AccountSerializer: attribute :email, as "contact" reads email of the object, /, error.message)
    assert_match(/ and the method contact is not called; name the method email/, error.message)
    assert_raises(Katsu::Error) do
      serializer do
        has_one :owner, name: :boss,
                        serializer: OwnerSerializer
        def boss = nil
      end.new
    end
    assert_equal({"name" => "a@x", "email" => "Zoe"},
                 document(serializer do
                   aliases name: :email, email: :name
                   def name = "Zoe"
                 end).sort.reverse.to_h)
  end

  def test_methods_of_associations
    klass = serializer do
      def notes = object.notes.first(1)
      has_one :owner, serializer: OwnerSerializer
      has_many :notes, serializer: OwnerSerializer
      def owner = context == :skip ? Katsu::Serializer::SKIP : context
    end
    assert_equal({"owner" => {"name" => "Cy"}, "notes" => [{"name" => "n1"}]},
                 document(klass, context: Owner.new(name: "Cy")))
    assert_equal({"owner" => nil, "notes" => [{"name" => "n1"}]}, document(klass))
    assert_equal({"notes" => [{"name" => "n1"}]}, document(klass, context: :skip))
  end

  def test_blocks_run_in_the_serializer
    klass = serializer do
      attribute(:all) { |account| [account.id, object.id, context, scope, shouted("x"), instance_of?(Class)] }
      attribute(:none) { object.name }
      attribute(:both) { |account, given| [account.id, given] }
      attribute(:rest) { |*given| given.size }
      attribute(:optional) { |account, given = :own| [account.id, given] }
      attribute(:early) { |account| next "next" if account.id == 1 }
      attribute(:returned) { |account| return account.id }
      def shouted(text) = "#{text}!"
    end
    assert_equal({"all" => [1, 1, "c", "s", "x!", false], "none" => "Ann", "both" => [1, "c"], "rest" => 2,
                  "optional" => [1, "c"],
                  "early" => "next", "returned" => 1}, document(klass, context: "c", scope: "s"))
  end

  # Names that are no names in Ruby code.
  def test_methods_of_any_name
    klass = serializer do
      attributes :"two words", :Capital, :"1st", :"a;b"
      {"two words": 2, Capital: "C", "1st": 1, "a;b": nil}.each { |name, value| define_method(name) { value } }
    end
    assert_equal({"two words" => 2, "Capital" => "C", "1st" => 1, "a;b" => nil}, document(klass))
  end

  def test_lambdas_methods_and_symbols_as_blocks
    twice = Module.new { def self.twice(account) = account.id * 2 }
    klass = serializer do
      attribute(:name, &:name)
      attribute(:lambda, &->(account) { [account.id, context] })
      attribute(:none, &-> { object.id })
      attribute(:method, &twice.method(:twice))
      attribute(:composed, &(:name.to_proc >> :upcase.to_proc))
    end
    assert_equal({"name" => "Ann", "lambda" => [1, "c"], "none" => 1, "method" => 2, "composed" => "ANN"},
                 document(klass, context: "c"))
  end

  # It would not be run for the instance that fields run in.
  def test_initialize_is_refused
    message = "AccountSerializer: initialize is not run for the instance that method fields run in; give what they " \
              "need as context: or scope:, or make it in a method that they call, such as def tag = @tag ||= \"tag\""
    error = assert_raises(ArgumentError) do
      serializer do
        def initialize(...)
          super
          @tag = "tag"
        end
      end
    end
    assert_equal message, error.message
    # As that of Rails' helpers for URLs.
    tagging = Module.new { def initialize(...) = (@tags = [] and super) }
    klass = serializer do
      include tagging
      attributes :id
    end
    assert_equal({"id" => 1}, document(klass))
    assert_equal '{"id":1}', klass.new.serialize_to_json(@account)
    made = serializer do
      attribute(:tags) { [tag.equal?(tag), tag] }
      def tag = @tag ||= +"tag"
    end
    assert_equal({"tags" => [true, "tag"]}, document(made))
  end

  # None of them has a name that an application could mean.
  def test_blocks_are_no_public_methods
    klass = serializer do
      attribute(:name, &:name)
      attribute :id, if: -> { true }
    end
    assert_empty klass.public_instance_methods(false)
  end

  def test_an_association_in_the_place_of_an_inherited_attribute
    child = serializer(serializer { attributes :owner, :name }) do
      def name = "own"
      has_one(:owner) { attributes :id }
      def owner = {id: 5}
    end
    assert_equal({"name" => "own", "owner" => {"id" => 5}}, document(child))
  end

  # Each in the instance of its own class.
  def test_blocks_of_parents_and_of_several_objects
    parent = serializer do
      attribute(:who) { |account| "#{account.name} #{word}" }
      def word = "parent"
    end
    child = serializer(parent) { def word = "child" }
    other = serializer(child) { attribute(:who) { |account| "other #{account.name}" } }
    assert_equal ["Ann parent", "Ann child", "other Ann"], [parent, child, other].map { |klass| document(klass)["who"] }
    list = [@account, Account.new(name: "Bea"), {name: "Cid"}.then { |hash| Owner.new(**hash) }]
    assert_equal '[{"who":"Ann child"},{"who":"Bea child"},{"who":"Cid child"}]',
                 Katsu::ArraySerializer.new(list, each_serializer: child).to_json
  end

  # The rules of the field stay; only what gives the value is another.
  def test_a_method_of_a_child_replaces_a_block
    parent = serializer do
      attribute(:email) { "block" }
      attribute(:id, name: :number, if: -> { context != :hide }, type: :string, default: "0") { |account| account.id }
      attribute(:name, on_error: :skip, format: ->(text) { "<#{text}>" }) { "block" }
      has_one(:owner, serializer: OwnerSerializer) { |account| account.owner }
      has_many(:notes, serializer: OwnerSerializer) { |account| account.notes }
    end
    child = serializer(parent) do
      def email = "mine"
      def id = context && 7
      private def name = scope || raise("no name")
      def owner = Owner.new(name: "Cy")
      def notes = []
    end
    of_child = {"email" => "mine", "number" => "7", "name" => "<s>", "owner" => {"name" => "Cy"}, "notes" => []}
    assert_equal of_child, document(child, context: 1, scope: "s")
    assert_equal({**of_child, "number" => "0"}.except("name"), document(child))
    assert_equal of_child.except("number"), document(child, context: :hide, scope: "s")
    assert_equal of_child, document(serializer(child), context: 1, scope: "s")
    of_parent = {"email" => "block", "number" => "1", "name" => "<block>", "owner" => {"name" => "Bo"},
                 "notes" => [{"name" => "n1"}, {"name" => "n2"}]}
    assert_equal of_parent, document(parent)
    later = serializer(parent)
    assert_equal of_parent, document(later)
    later.include(Masking)
    assert_equal({**of_parent, "email" => "masked by the module"}, document(later))
    assert_equal of_parent, document(parent)
    parent.prepend(Module.new { def name = "prepended" })
    assert_equal "<prepended>", document(parent)["name"]
  end

  # A block may call a method of its own name.
  def test_a_method_of_the_class_of_a_block_or_above_is_for_the_block
    parent = serializer do
      include Masking
      attribute(:email, omit_nil: true) { "block #{email}" }
      attribute(:id) { id }
      attribute(:name, name: :label) { label }
      def id = "helper"
      def label = "label"
    end
    child = serializer(parent) do
      def label = "child's"
    end
    own = {"email" => "block masked by the module", "id" => "helper", "label" => "label"}
    assert_equal own, document(parent)
    assert_equal({**own, "label" => "child's"}, document(child))
    again = serializer(serializer(parent) { def id = "child's" }) { attribute(:id) { "block of #{id}" } }
    assert_equal({**own, "id" => "block of child's"}, document(again).sort.to_h)
  end

  def test_a_method_in_the_place_of_a_block_that_would_not_be_called
    parent = serializer { attribute(:name, name: :label) { "block" } }
    error = assert_raises(Katsu::Error) { serializer(parent) { def label = "ignored" }.new }
    assert_equal "AccountSerializer: attribute :name, as \"label\" is what its block gives, and the method label is " \
                 "not called; name the method name, or write attributes :label", error.message
  end

  # They would be called without arguments. Helpers of Rails have names such as tag, label and url.
  def test_a_helper_of_a_child_with_the_name_of_a_block
    parent = serializer do
      attribute(:email) { |account| email_of(account) + email }
      attribute(:tag) { "block" }
      attribute(:label) { "block" }
      attribute(:mine) { "block" }
      def email_of(account) = account.name
      def email = "@parent"
    end
    helpers = Module.new do
      def tag(name = nil, *) = "a tag #{name}"
      def label(object) = "a label of #{object}"
    end
    child = serializer(parent) do
      include helpers
      attribute(:both) { [tag("b"), label(1), mine(2)] }
      def email = "@child"
      def email_of(account) = account.name.upcase
      def mine(count) = count
    end
    own = {"email" => "Ann@parent", "tag" => "block", "label" => "block", "mine" => "block"}
    assert_equal own, document(parent)
    assert_equal({**own, "email" => "ANN@child", "both" => ["a tag b", "a label of 1", 2]}, document(child))
  end

  Policy = Struct.new(:answer) do
    def call(account) = account.id == answer
  end

  def test_conditions
    klass = serializer do
      attribute :id, if: :yes?
      attribute :name, unless: :yes?
      attribute(:lambda, if: -> { context }) { 1 }
      attribute(:argument, if: ->(account) { account.id == 1 && yes? }) { 1 }
      attribute(:block, if: proc { |account| account.id == 2 }) { 1 }
      attribute(:symbol, unless: :owner.to_proc) { 1 }
      attribute(:callable, if: Policy.new(1)) { 1 }
      attribute(:both, if: :yes?, unless: ->(*) { context == :no }) { 1 }
      has_one :owner, serializer: OwnerSerializer, unless: ->(account) { account.id == context }
      aliases({email: :mail}, if: :no?)
      private def yes? = true
      def no? = false
    end
    assert_equal %w[id lambda argument callable both owner], document(klass, context: true).keys
    assert_equal %w[id argument callable both owner], document(klass).keys
    assert_equal %w[id lambda argument callable owner], document(klass, context: :no).keys
    assert_equal %w[id lambda argument callable both], document(klass, context: 1).keys
  end

  def test_a_method_field_may_be_named_class
    klass = serializer do
      attributes :id, :class
      attribute :email, omit_nil: true
      attribute(:bad, on_error: :null) { raise "bad" }
      def class = "gold"
    end
    assert_equal({"id" => 1, "email" => "a@x", "bad" => nil, "class" => "gold"}, document(klass))
    assert_equal "#<AccountSerializer id, email, bad, class>", klass.new.inspect
    assert_match(/\AAccountSerializer has no object/, assert_raises(ArgumentError) { klass.new.to_json }.message)
  end

  # When a serializer is made there is no object yet.
  def test_a_method_field_named_class_that_reads_its_object
    [-> { object.email }, -> { {1 => "a@x"}.fetch(object&.id) }].each do |body|
      klass = serializer do
        attributes :class
        define_method(:class, &body)
      end
      assert_equal({"class" => "a@x"}, document(klass))
      assert_equal '[{"class":"a@x"}]', klass.many([@account]).to_json
      assert_raises(Katsu::InvalidFilterError) { klass.new(only: [:clas]) }
    end
  end

  def test_conditions_of_several_attributes
    klass = serializer do
      attributes :id, :name, if: -> { context }
      attributes :email, unless: :context
    end
    assert_equal({"id" => 1, "name" => "Ann"}, document(klass, context: 1))
    assert_equal({"email" => "a@x"}, document(klass))
  end

  # Ruby would warn of a method that is defined twice.
  def test_a_condition_that_is_declared_twice
    verbose, $VERBOSE = $VERBOSE, true
    shown = ->(account) { account.id == 1 }
    klass = serializer { 2.times { attribute :id, if: shown } }
    assert_equal({"id" => 1}, document(klass))
  ensure
    $VERBOSE = verbose
  end

  def test_conditions_that_are_no_methods
    error = assert_raises(Katsu::Error) do
      serializer do
        attribute :id, if: :admn?
        def admin? = true
      end.new
    end
    assert_match(/AccountSerializer: attribute :id has the condition :admn\?, which is no method/, error.message)
    assert_match(/it\. Did you mean admin\?\?? .*if: ->\(object\) \{ object\.admn\? \}/, error.message)
    assert_raises(Katsu::Error) { serializer { attribute :id, if: :system }.new }
    assert_raises(Katsu::Error) { serializer { attribute :id, if: :frozen? }.new }
    error = assert_raises(Katsu::Error) do
      serializer do
        attribute :id, if: :seen?
        def seen?(account) = account
      end.new
    end
    assert_match(/the method seen\?\(account\) is a condition of attribute :id and is called without arguments/,
                 error.message)
  end

  # What is written in their place names the declaration that they would be the value of.
  def test_methods_that_require_arguments
    {%i[id attribute] => ->(id:) { id }, %i[owner has_one] => ->(account, *) { account },
     %i[notes has_many] => ->(_account, last:) { last }}.each do |(name, word), body|
      error = assert_raises(Katsu::Error) do
        serializer do
          attributes :id
          has_one :owner, serializer: OwnerSerializer
          has_many :notes, serializer: OwnerSerializer
          define_method(name, &body)
        end.new
      end
      required = {id: "id:", owner: "account", notes: "_account, last:"}.fetch(name)
      assert_includes error.message, "the method #{name}(#{required}) "
      assert_operator error.message, :end_with?, "write #{word}(#{name.inspect}) { |object| ... }"
    end
  end

  def test_errors_in_blocks_and_conditions_carry_their_place
    [serializer { attribute(:bad) { raise KeyError, "mine" } },
     serializer { attribute(:bad, if: -> { raise KeyError, "mine" }) { 1 } },
     serializer { has_one(:bad, serializer: OwnerSerializer) { |_| raise KeyError, "mine" } }].each do |klass|
      error = assert_raises(KeyError) { klass.new.serialize_to_json(@account) }
      assert_equal ["bad", Account, 1], [error.field_path, error.field_class, error.field_id]
      assert_equal "[0].bad", assert_raises(KeyError) {
        Katsu::ArraySerializer.new([@account], each_serializer: klass).to_a
      }.field_path
    end
  end

  # What it remembers is found out once, in whatever way and in how many parts the objects are written.
  def test_one_serializer_serves_all_objects
    asked = 0
    klass = serializer { attribute(:asked) { @asked ||= (asked += 1) } }
    objects = Array.new(2_100) { |id| {id: id} }
    many = klass.many(objects)
    [-> { many.to_json }, -> { many.to_a }, -> { many.write_to(StringIO.new) },
     -> { many.write_to(StringIO.new, format: :ndjson) },
     -> { klass.many(objects.each).write_to(StringIO.new) },
     -> { klass.many(objects.each).write_to(StringIO.new, format: :ndjson) },
     -> { klass.many(objects, by: :id).to_json },
     -> { klass.many(objects, by: :id).write_to(StringIO.new) }].each_with_index do |write, index|
      asked = 0
      write.call
      assert_equal 1, asked, index
    end
  end

  # Associations of equal filters have one, too.
  def test_one_serializer_serves_all_associations
    counting = serializer do
      attributes :n
      def n = @n = @n.to_i + 1
    end
    outer = serializer do
      has_one :a, serializer: counting
      has_many :b, serializer: counting
      has_one(:c) { has_one :d, serializer: counting }
      has_one :e, serializer: {Hash => counting}
    end
    object = {a: {}, b: [{}, {}], c: {d: {}}, e: {}}
    {[] => '{"a":{"n":1},"c":{"d":{"n":2}},"e":{"n":3},"b":[{"n":4},{"n":5}]}',
     [:e] => '{"a":{"n":1},"c":{"d":{"n":2}},"b":[{"n":3},{"n":4}]}'}.each do |except, expected|
      assert_equal expected, watched { outer.new(except: except).serialize_to_json(object) }
      assert_equal JSON.parse(expected), watched { outer.new(except: except).serialize(object) }
    end
  end

  def test_plans_are_shareable_if_their_blocks_are
    shared = serializer do
      attribute(:id, if: Ractor.make_shareable(-> { true }), &Ractor.make_shareable(proc { |account| account.id }))
      has_one :owner, serializer: OwnerSerializer, if: :yes?
      def yes? = true
    end
    assert Ractor.shareable?(shared.description)
    assert Ractor.shareable?(shared.plan) if native?
    seen = []
    refute Ractor.shareable?(serializer { attribute(:id) { seen.push(1).pop } }.description)
    assert_equal({"id" => 1, "owner" => {"name" => "Bo"}}, document(shared))
  end
end
