# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Filters that a serializer gives by filters_for, and how many plans are kept for filters; see serializer_test.rb for
# only: and except:.
class FiltersTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  def json(serializer, object, **options)
    watched { serializer.new(**options).serialize_to_json(object) }
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
      serializer = Class.new(Katsu::Serializer) do
        attributes :id, :name
        view(:all) {}
      end
      object = {id: 1, name: "n"}
      forms = [{}, {view: :all}, {transform_keys: :dash}]
      (forms * 3).each { |form| assert_equal %({"id":1,"name":"n"}), json(serializer, object, **form) }
      bring.call(serializer)
      forms.each { |form| assert_equal %({"id":1}), json(serializer, object, **form), form }
    end
  end

  # Of a nested serializer, each answer is kept with the plans of those around it.
  def test_filters_for_that_comes_or_goes_in_other_ways
    extension = Module.new
    inner = Class.new(Katsu::Serializer) { attributes :id, :name }
    inner.extend(extension)
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: inner }
    object = {author: {id: 1, name: "n"}}
    all = JSON.generate(object)
    filtered = %({"author":{"id":1}})
    only = ->(*) { {only: [:id]} }
    define = -> { inner.define_singleton_method(:filters_for, &only) }
    changes = [
      [all, -> {}], [filtered, -> { extension.define_method(:filters_for, &only) }],
      [all, -> { extension.remove_method(:filters_for) }],
      [filtered, define], [all, -> { inner.singleton_class.remove_method(:filters_for) }],
      [filtered, define], [all, -> { inner.singleton_class.undef_method(:filters_for) }],
      [filtered, -> { inner.singleton_class.prepend(Module.new { define_method(:filters_for, &only) }) }]
    ]
    changes.each do |expected, change|
      change.call
      2.times { assert_equal expected, json(outer, object) }
    end
  end

  def test_filters_for_from_a_module_that_extends_a_nested_serializer_later
    inner = Class.new(Katsu::Serializer) do
      attributes :id, :name
      view(:all) {}
    end
    outer = Class.new(Katsu::Serializer) do
      has_one :author, serializer: inner
      has_one :editor, serializer: inner, view: :all
    end
    person = {id: 1, name: "n"}
    object = {author: person, editor: person}
    2.times { assert_equal JSON.generate(object), json(outer, object) }
    inner.extend(Module.new { def filters_for(_context, _scope) = {only: [:id]} })
    assert_equal %({"author":{"id":1},"editor":{"id":1}}), json(outer, object)
  end

  # No names are no filter.
  def test_empty_filters
    outer = Class.new(Katsu::Serializer) do
      attributes :id
      has_one :author, serializer: AuthorSerializer
    end
    object = {id: 1, author: {id: 2, name: "n"}}
    all = JSON.generate(object)
    [nil, {}, {instance: nil}].product(%i[only except]) do |filter, option|
      assert_equal all, json(outer, object, option => filter), [option, filter].inspect
    end
    [[], {instance: []}, {author: []}, {instance: nil, author: {instance: []}}].each do |filter|
      assert_equal all, json(outer, object, except: filter), filter.inspect
    end
    {[] => "{}", {instance: []} => "{}", {instance: [], author: [:name]} => "{}",
     {author: []} => %({"id":1,"author":{}}), {instance: [:author], author: {instance: []}} => %({"author":{}})}
      .each { |filter, expected| assert_equal expected, json(outer, object, only: filter), filter.inspect }
    assert_equal %({"id":1,"author":{"id":2}}), json(outer, object, except: {instance: [], author: [:name]})
    assert_equal %({"id":1}), json(outer, object, only: [:id], except: [])
  end

  def test_filters_for_that_fails
    serializer = Class.new(AuthorSerializer) do
      def self.filters_for(context, _scope) = context.nil? ? {} : context.filters
    end
    assert_equal %({"id":1,"name":"n"}), json(serializer, {id: 1, name: "n"})
    error = assert_raises(NoMethodError) { serializer.new(context: 1) }
    assert_equal :filters, error.name
  end

  # The filters used last are remembered: none may stand for others that it is like in a part.
  def test_filters_in_turn_each_several_times
    serializer = Class.new(Katsu::Serializer) { attributes :a, :b, :c }
    object = {a: 1, b: 2, c: 3}
    filters = [{except: [:a]}, {except: [:b]}, {only: %i[a b]}, {only: %i[a c]}, {only: %i[a b], except: [:a]},
               {only: %i[a b], except: [:b]}, {only: [:a]}, {only: %i[a b]}, {}, {except: %i[a b]}, {except: [:a]}]
    filters.cycle(2) do |filter|
      names = (filter[:only] || %i[a b c]) - (filter[:except] || [])
      4.times do
        copy = filter.transform_values(&:dup)
        assert_equal object.slice(*names).transform_keys(&:name), serializer.new(**copy).serialize(object), filter
      end
    end
  end

  def test_filters_that_differ_each_time_take_bounded_memory
    names = (1..12).map { |i| :"n#{i}" }
    serializer = Class.new(Katsu::Serializer) { attributes(*names) }
    object = names.to_h { |name| [name, 1] }
    600.times do |i|
      assert_equal names.first(i % 12 + 1).size,
                   serializer.new(only: names.rotate(i).first(i % 12 + 1) | [names[i % 12]]).serialize(object).size
    end
    assert_includes 12..Katsu::Plan::Cache::LIMIT, serializer.plans.sum { |_, entries| entries.size }
  end

  def test_plans_of_one_only_with_several_excepts_are_compiled_once
    serializer = Class.new(Katsu::Serializer) { attributes :a, :b, :c }
    plans = -> { [nil, [:a], [:b]].map { |except| serializer.plan(%i[a b], except) } }
    assert_equal plans.call.map(&:object_id), plans.call.map(&:object_id)
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

  # What is misspelt would leave a field in that the author meant to leave out.
  def test_answers_of_filters_for_that_mean_nothing
    {
      {"onli" => [:id]} => ":only and :except",
      {exept: [:name]} => ":only and :except. Did you mean except?",
      [:id] => ":only and :except"
    }.each do |answer, accepted|
      inner = Class.new(AuthorSerializer) do
        define_singleton_method(:to_s) { "Inner" }
        define_singleton_method(:filters_for) { |_context, _scope| answer }
      end
      outer = Class.new(Katsu::Serializer) { has_one :author, serializer: inner }
      [-> { inner.new }, -> { outer.new }, -> { inner.many([]) }].each do |call|
        error = assert_raises(Katsu::InvalidFilterError, &call)
        assert_equal "Inner: filters_for gave #{answer.inspect}; accepted are nil and a Hash with " \
                     "#{accepted}", error.message
      end
    end
  end

  def test_filters_for_with_strings
    inner = Class.new(AuthorSerializer) { def self.filters_for(_context, _scope) = {"only" => ["id"]} }
    assert_equal '{"id":1}', inner.new.serialize_to_json({id: 1, name: "a"})
  end

  def test_filters_for_that_is_private
    inner = Class.new(AuthorSerializer) do
      def self.filters_for(_context, _scope) = {only: [:id]}
      private_class_method :filters_for
    end
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: inner }
    assert_equal '{"id":1}', inner.new.serialize_to_json({id: 1, name: "a"})
    assert_equal '{"author":{"id":1}}', outer.new.serialize_to_json({author: {id: 1, name: "a"}})
  end

  # It would not be called, and what it was to leave out would be written.
  def test_filters_for_as_a_method_of_instances
    filtering = Module.new { def filters_for(_context, _scope) = {only: [:id]} }
    below = Class.new(AuthorSerializer) { def self.filters_for(_context, _scope) = {} }
    {AuthorSerializer => ->(serializer) { serializer.define_method(:filters_for) { |_context, _scope| {} } },
     Class.new(AuthorSerializer) => ->(serializer) { serializer.include(filtering) },
     below => ->(serializer) { serializer.class_eval { private def filters_for(context, scope) = nil } }}
      .each do |parent, define|
      inner = Class.new(parent)
      outer = Class.new(Katsu::Serializer) { has_one :author, serializer: inner }
      inner.new && outer.new
      define.call(inner)
      [-> { inner.new }, -> { outer.new }, -> { Class.new(inner).many([]) }].each do |call|
        error = assert_raises(ArgumentError, &call)
        assert_includes error.message, "write def self.filters_for(context, scope)"
      end
    end
  end

  def test_filters_for_of_a_module_that_is_included_and_extends
    filtering = Module.new do
      def self.included(serializer) = serializer.extend(self)
      def filters_for(_context, _scope) = {only: [:id]}
    end
    assert_equal '{"id":1}', json(Class.new(AuthorSerializer) { include filtering }, {id: 1, name: "a"})
    named = Class.new(Katsu::Serializer) do
      attributes :filters_for
      def filters_for = 1
    end
    assert_equal '{"filters_for":1}', json(named, {id: 1})
  end

  # The class has one of its own: that is the one that is meant.
  def test_filters_for_of_a_class_beside_one_of_its_instances
    both = Class.new(AuthorSerializer) do
      def self.filters_for(_context, _scope) = {only: [:id]}
      private def filters_for = self.class.filters_for(context, scope)
    end
    filtering = Module.new { def filters_for(*) = {only: [:id]} }
    parent = Class.new(AuthorSerializer) { include filtering and extend filtering }
    child = Class.new(parent) { def self.filters_for(_context, _scope) = super }
    [both, Class.new(both), parent, child].each do |serializer|
      assert_equal '{"id":1}', json(serializer, {id: 1, name: "a"})
    end
  end

  # Such a filter would be for no association.
  def test_filters_of_an_association_by_the_key_of_another_field
    serializer = Class.new(Katsu::Serializer) do
      attribute(:author) { "x" }
      has_one :author, name: :writer, serializer: AuthorSerializer
    end
    [:only, :except].each do |option|
      error = assert_raises(Katsu::InvalidFilterError) { serializer.new(option => {author: [:name]}) }
      assert_match(/author/, error.message)
    end
  end

  # Not called again, as if the serializer had an attribute called class.
  def test_a_missing_method_in_filters_for
    calls = 0
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      define_singleton_method(:filters_for) { |_context, _scope| (calls += 1) == 1 ? nil.plan : {} }
    end
    assert_raises(NoMethodError) { serializer.new }
    assert_equal 1, calls
  end

  # In all that writes, and where the filters come from the class or the association.
  def test_an_only_that_names_nothing
    serializer = Class.new(AuthorSerializer) { def self.filters_for(_context, scope) = {only: scope ? [:id] : []} }
    author = {id: 1, name: "n"}
    assert_equal ['{"id":1}', "{}"], [1, nil].map { |scope| serializer.new(scope: scope).serialize_to_json(author) }
    assert_equal "[{},{}]", serializer.many([author, author]).to_json
    assert_equal [{}], AuthorSerializer.many([author], only: []).to_a
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: AuthorSerializer, only: [] }
    assert_equal '{"author":{}}', json(outer, {author: author})
    mixed = Katsu::ArraySerializer.new([author], each_serializer: {Hash => AuthorSerializer}, only: [])
    assert_equal "[{}]", mixed.to_json
  end

  # One association under two keys: each is filtered by its own.
  def test_associations_read_by_one_name
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      has_one :author, serializer: AuthorSerializer
      has_one :author, name: :hidden, serializer: AuthorSerializer
    end
    object = {id: 1, author: {id: 2, name: "n"}}
    {{only: [:author]} => '{"author":{"id":2,"name":"n"}}', {only: [:hidden]} => '{"hidden":{"id":2,"name":"n"}}',
     {except: [:author]} => '{"id":1,"hidden":{"id":2,"name":"n"}}',
     {only: {author: [:id]}} => '{"id":1,"author":{"id":2},"hidden":{"id":2,"name":"n"}}',
     {only: serializer.fields("author", allow: %i[id author])} => '{"author":{"id":2,"name":"n"}}'}
      .each { |filter, expected| assert_equal expected, json(serializer, object, **filter), filter.inspect }
    alone = Class.new(Katsu::Serializer) { has_one :author, name: :writer, serializer: AuthorSerializer }
    %i[author writer].each { |name| assert_equal '{"writer":{"id":2}}', json(alone, object, only: {name => [:id]}) }
  end

  class BookSerializer < Katsu::Serializer
    attributes :id
    has_one :author, serializer: AuthorSerializer, name: :writer
    has_one :editor, serializer: {"Hash" => AuthorSerializer, "Array" => BookSerializer}
    has_one :book, serializer: BookSerializer, depth: 1
  end

  BOOK = {id: 1, author: {id: 2, name: "n"}, editor: {id: 3, name: "m"}, book: nil}.freeze

  # They would change nothing, and so would a misspelt name.
  def test_filters_of_associations_that_are_left_out
    %i[author writer editor].each do |name|
      assert_equal '{"id":1}', json(BookSerializer, BOOK, only: {instance: [:id], name => [:name]})
      [:id, nil].each do |kept|
        error = assert_raises(Katsu::InvalidFilterError) do
          BookSerializer.new(only: {instance: [*kept], name => [:nam]})
        end
        assert_match(/AuthorSerializer: only: names :nam, which it does not declare. Did you mean name/, error.message)
      end
    end
    assert_equal '{"id":1}', json(BookSerializer, BOOK, except: {instance: %i[author editor book], book: {book: [:id]}})
    assert_raises(Katsu::InvalidFilterError) { BookSerializer.new(except: {instance: [:book], book: [:boo]}) }
  end

  class CompanySerializer < Katsu::Serializer
    attributes :id, :secret
  end

  class OwnerSerializer < Katsu::Serializer
    attributes :id, :email
    has_one :company, serializer: CompanySerializer
  end

  class HouseSerializer < Katsu::Serializer
    attributes :id
    has_one :owner, serializer: OwnerSerializer, except: [:email]
    has_one :any, serializer: {"Hash" => OwnerSerializer}, except: {instance: [:email], company: [:secret]}
    has_one :guest, serializer: OwnerSerializer, only: {instance: [:id, :company], company: [:id]}
  end

  # A filter of a call that names no field of the association itself leaves those of the declaration.
  def test_what_a_call_says_nothing_of_is_as_declared
    owner = {id: 1, email: "e", company: {id: 2, secret: "s"}}
    house = {id: 3, owner: owner, any: owner, guest: owner}
    {
      owner: {{} => [%w[id company], %w[id secret]], {company: [:id]} => [%w[id company], %w[id]],
              {company: nil} => [%w[id company], %w[id secret]], {"company" => []} => [%w[id company], []],
              [:email] => [%w[email], nil], {instance: [:email, :company]} => [%w[email company], %w[id secret]]},
      any: {{} => [%w[id company], %w[id]], {company: [:secret]} => [%w[id company], []],
            {instance: [:email, :company]} => [%w[email company], %w[id secret]]},
      guest: {{} => [%w[id company], %w[id]], {company: [:secret]} => [%w[id company], %w[secret]],
              {"company" => [:secret]} => [%w[id company], %w[secret]], [:email] => [%w[email], nil]}
    }.each do |name, cases|
      cases.each do |filter, keys|
        written = JSON.parse(json(HouseSerializer, house, only: {name => filter})).fetch(name.to_s)
        assert_equal keys, [written.keys, written["company"]&.keys], [name, filter].inspect
      end
    end
    assert_equal %w[id company], JSON.parse(json(HouseSerializer, house, except: {owner: []}))["owner"].keys
    assert_equal %w[email company], JSON.parse(json(HouseSerializer, house, except: {owner: [:id]}))["owner"].keys
    [{5 => [:id]}, {company: [:id], "company" => []}].each do |filter|
      assert_raises(Katsu::InvalidFilterError) { HouseSerializer.new(except: {owner: filter}) }
    end
    given = {owner: {company: [:secret]}}.with_indifferent_access
    written = JSON.parse(json(HouseSerializer, house, except: given))
    assert_equal({"id" => 1, "company" => {"id" => 2}}, written["owner"])
  end

  class StreetSerializer < Katsu::Serializer
    has_one :house, serializer: HouseSerializer, except: {owner: [:id]}
    has_one :other, serializer: HouseSerializer, only: {owner: {instance: [:company], company: [:id]}}
  end

  # The same, if it names what is further below.
  def test_what_a_call_says_of_what_is_further_below
    house = {id: 3, owner: {id: 1, email: "e", company: {id: 2, secret: "s"}}}
    house = house.merge(any: house[:owner], guest: house[:owner])
    street = {house: house, other: house}
    filter = {house: {owner: {company: [:secret]}}, other: {owner: {company: [:secret]}}}
    written = JSON.parse(json(StreetSerializer, street, except: filter))
    assert_equal({"email" => "e", "company" => {"id" => 2}}, written["house"]["owner"])
    assert_equal({"company" => {"id" => 2}}, written["other"]["owner"])
    written = JSON.parse(json(StreetSerializer, street, only: filter))
    assert_equal({"email" => "e", "company" => {"secret" => "s"}}, written["house"]["owner"])
    assert_equal({"company" => {"secret" => "s"}}, written["other"]["owner"])
  end

  def test_two_filters_of_one_association
    {{writer: [:id], author: [:name]} => ":writer and :author",
     {author: [:id], "author" => []} => ":author and \"author\"",
     {instance: [:id], "instance" => []} => ":instance and \"instance\""}.each do |filter, names|
      %i[only except].each do |option|
        error = assert_raises(Katsu::InvalidFilterError) { BookSerializer.new(option => filter) }
        assert_equal "FiltersTest::BookSerializer: #{option}: has filters under #{names}, " \
                     "which mean the same; give one", error.message
      end
    end
    assert_raises(Katsu::InvalidFilterError) do
      BookSerializer.new(only: {writer: [:id], author: [:name]}.with_indifferent_access)
    end
    one = {instance: [:author], author: [:name], writer: nil}
    assert_equal '{"writer":{"name":"n"}}', json(BookSerializer, BOOK, only: one)
    answering = Class.new(AuthorSerializer) { def self.filters_for(_context, _scope) = {except: [:id], "except" => []} }
    error = assert_raises(Katsu::InvalidFilterError) { answering.new }
    assert_match(/filters_for gave \{.*accepted are nil and a Hash with :only and :except/, error.message)
  end
end
