# frozen_string_literal: true

require "support/test_case"
require "support/counting"
require "support/database"

# Cost grows as the work does: what a call finds out once is found out once, however many serializers, filters, classes,
# paths and levels there are, and nothing outlives what it is for.
class GrowthTest < TestCase
  include Counting

  Point = Struct.new(:x, :y)

  def teardown
    [Post, Author].each(&:delete_all)
  end

  # A serializer of these attributes for each of them.
  def serializers(count, *names)
    Array.new(count) { Class.new(Katsu::Serializer) { attributes(*names) } }
  end

  # How many methods the block calls.
  def calls(&block)
    count = 0
    TracePoint.new(:call, :c_call) { count += 1 }.enable(&block)
    count
  end

  # How often the block calls methods of that name.
  def calls_of(name, &block)
    count = 0
    TracePoint.new(:call) { |call| count += 1 if call.method_id == name }.enable(&block)
    count
  end

  # Views that include the two before them: the last one includes the first in thousands of ways.
  def test_views_that_overlap
    twenty, forty = [20, 40].map do |count|
      serializer = Class.new(Katsu::Serializer) do
        count.times do |number|
          view(:"v#{number}") do
            [1, 2].each { |before| include_view(:"v#{number - before}") if number >= before }
            attributes :"a#{number}"
          end
        end
      end
      object = Array.new(count) { |number| [:"a#{number}", number] }.to_h
      assert_equal object.transform_keys(&:name), serializer.one(object, view: :"v#{count - 1}").to_h
      calls { serializer.one(object, view: :"v#{count - 2}").to_json }
    end
    assert_operator forty, :<, 5 * twenty
  end

  # Declarations

  DECLARING = {
    "attributes" => ->(serializer, name) { serializer.attribute(name) },
    "blocks" => ->(serializer, name) { serializer.attribute(name) { 1 } },
    "methods" => ->(serializer, name) { serializer.attribute(name) && serializer.define_method(name) { 1 } },
    "associations" => ->(serializer, name) { serializer.has_one(name) { attributes :id } },
    "attributes in a view" => ->(serializer, name) { serializer.view(:all) { attribute name } },
    "views" => ->(serializer, name) { serializer.view(name) { attribute name } }
  }.freeze

  DECLARING.each do |what, declare|
    define_method(:"test_declaring_and_compiling_#{what.tr(" ", "_")}") do
      few, many = [50, 200].map do |count|
        calls do
          serializer = Class.new(Katsu::Serializer)
          count.times { |index| declare.call(serializer, :"name_#{index}") }
          what == "attributes in a view" ? serializer.new(view: :all) : serializer.plan
        end
      end
      assert_operator many, :<, few * 5
    end
  end

  # Their methods are named by each attribute, not by all of them.
  def test_declaring_attributes_with_rules_at_once
    few, many = [50, 200].map do |count|
      names = Array.new(count) { |index| :"rule_#{count}_#{index}" }
      made = nil
      count = calls do
        made = [Class.new(Katsu::Serializer) { omit_nil || attributes(*names) },
                Class.new(Katsu::Serializer) { omit_nil || aliases(names.to_h { |name| [name, name] }) }]
      end
      object = names.to_h { |name| [name, 1] }
      assert_equal [JSON.generate(object)] * 2, made.map { |serializer| serializer.new.serialize_to_json(object) }
      assert_empty Symbol.all_symbols.map(&:name).grep(/rule_200_1.*rule_200_2/)
      count
    end
    assert_operator many, :<, few * 5
  end

  def test_many_views_in_turn_are_compiled_once
    serializer = Class.new(Katsu::Serializer) do
      100.times { |number| view(:"v#{number}") { attribute(:x) { number } } }
    end
    count = counted(:plan) do
      3.times do
        [nil, :camel, :dash].each do |transform|
          100.times do |number|
            document = serializer.one({}, view: :"v#{number}", transform_keys: transform)
            assert_equal [number], document.to_h.values
          end
        end
      end
    end
    assert_equal 300, count
  end

  # Layouts

  def test_many_serializers_in_turn_each_find_out_once_how_to_read_a_class
    record = Post.find(Post.create!(title: "t").id)
    sources = [record, Point.new(1, 2), {x: 1, y: 2}]
    all = [serializers(400, :id, :title), serializers(400, :x, :y), serializers(400, :x, :y)]
    assert_equal 1200, counted(:bind) {
      3.times {
        sources.zip(all) { |source, ones|
          ones.each { |one|
            one.new.serialize_to_json(source)
          }
        }
      }
    }
    assert_equal %({"id":#{record.id},"title":"t"}), all[0][7].new.serialize_to_json(record)
    assert_equal %({"x":1,"y":2}), all[1][7].new.serialize_to_json(sources[1])
  end

  def test_many_filters_in_turn_are_compiled_and_bound_once
    names = (1..30).map { |i| :"n#{i}" }
    serializer = Class.new(Katsu::Serializer) { attributes(*names) }
    filters = names.combination(2).to_a.first(400)
    object = names.to_h { |name| [name, 1] }
    call = -> {
      2.times do
        filters.each do |filter|
          assert_equal filter.map(&:name), serializer.new(only: filter).serialize(object).keys
        end
      end
    }
    assert_equal(400, counted(:bind) { assert_equal 400, counted(:plan, &call) })
  end

  def test_a_class_of_many_is_bound_once
    # If Ruby has no WeakKeyMap, the ruby backend keeps the code for 128 classes at least.
    many = native? || defined?(ObjectSpace::WeakKeyMap) ? 3000 : 50
    classes = Array.new(many) { |i| Struct.new(*(i.even? ? %i[x y] : %i[y x])) }
    serializer = serializers(1, :x, :y)[0]
    any = Class.new(Katsu::Serializer) { has_many :all, serializer: {"Object" => serializer} }
    objects = Array.new([many * 2, 1000].max) { |i| classes[i % many].new(i, i + 1) }
    expected = "[#{objects.map { |object| %({"x":#{object.x},"y":#{object.y}}) }.join(",")}]"
    assert_equal(many, counted(:bind) do
      assert_equal expected, Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_json
    end)
    assert_equal(1, counted(:bind) { assert_equal %({"all":#{expected}}), any.new.serialize_to_json({all: objects}) })
  end

  def test_columns_that_a_class_has_later
    serializer = serializers(1, :id, :title)[0]
    Post.create!(title: "t")
    call = -> { serializer.new.serialize_to_json(Post.first) }
    before = call.call
    Post.reset_column_information
    assert_equal(1, counted(:bind) { 3.times { assert_equal before, call.call } })
  end

  # What is kept; see kept_objects_test.rb for objects and classes

  def test_filters_beyond_the_bound
    names = (1..50).map { |i| :"n#{i}" }
    serializer = Class.new(Katsu::Serializer) { attributes(*names) }
    limit = Katsu::Plan::Cache::LIMIT
    filters = names.combination(2).first(limit + 100)
    watched = ObjectSpace::WeakMap.new
    object = names.to_h { |name| [name, 1] }
    call = -> {
      filters.each do |filter|
        serializer.new(only: filter).serialize(object)
        serializer.plan(filter).then { |plan| watched[plan] = plan }
      end
    }
    assert_equal(filters.size, counted(:plan, &call))
    assert_includes 100..filters.size / 2, counted(:plan, &call), "most are still there"
    assert_operator serializer.plans.sum { |_, entries| entries.size }, :<=, limit
    assert_operator alive(watched), :<=, limit + 20
  end

  # Whether any of them declares a name is found out once.
  def test_a_filter_for_many_serializers_of_an_association
    asked = [10, 20].map do |count|
      classes = Array.new(count) { |number| Struct.new(:id, :"own#{number}") }
      classes.each_with_index { |klass, number| self.class.const_set(:"Own#{count}#{number}", klass) }
      inner = classes.to_h { |klass| [klass, serializers(1, *klass.members)[0]] }
      outer = Class.new(Katsu::Serializer) { has_many :all, serializer: inner }
      names = classes.map { |klass| klass.members.last }
      calls_of(:name?) do
        expected = names.map { |name| {name.name => 2} }
        objects = {all: classes.map { |klass| klass.new(1, 2) }}
        assert_equal({"all" => expected}, outer.new(only: {all: names}).serialize(objects))
      end
    end
    assert_operator asked[0], :>, 0
    assert_operator asked[1], :<=, asked[0] * 5 # each of twice as many, for twice as many names
  end

  def test_answers_of_nested_filters_for
    inner = Class.new(Katsu::Serializer) do
      attributes(*(1..60).map { |i| :"n#{i}" })
      def self.filters_for(context, _scope) = {only: [:"n#{context}"]}
    end
    outer = Class.new(Katsu::Serializer) { has_one :author, serializer: inner }
    object = {author: (1..60).to_h { |i| [:"n#{i}", i] }}
    call = -> {
      60.times do |i|
        assert_equal %({"author":{"n#{i + 1}":#{i + 1}}}), outer.new(context: i + 1).serialize_to_json(object)
      end
    }
    assert_operator counted(:plan, &call), :<=, 120
    assert_equal 0, counted(:plan, &call)
  end

  # Runs

  # Levels of serializers, each with so many has_one to the next. The last notes what the call holds when it is written.
  def levels(count, names)
    serializer = Class.new(Katsu::Serializer) do
      attributes :x
      def x = (context << GC.stat(:malloc_increase_bytes)
               0)
    end
    count.times do
      inner = serializer
      serializer = Class.new(Katsu::Serializer) { names.each { |name| has_one name, serializer: inner } }
    end
    serializer
  end

  # The bytes that a call has taken, at most, when its innermost objects are written.
  def bytes_held(serializer, object, expected)
    assert_equal expected, serializer.new(context: []).serialize_to_json(object)
    GC.start
    GC.disable
    held = Array.new(10_000)
    held.clear
    before = GC.stat(:malloc_increase_bytes)
    serializer.new(context: held).serialize_to_json(object)
    held.max - before
  ensure
    GC.enable
  end

  # 335,923 paths, one of which is taken.
  def test_paths_that_no_object_takes_cost_nothing
    names = %i[a b c d e f]
    object = 7.times.reduce({}) { |nested, _| names.to_h { |name| [name, (nested if name == :c)] } }
    expected = 7.times.reduce('{"x":0}') { |nested, _| %({"a":null,"b":null,"c":#{nested},"d":null,"e":null,"f":null}) }
    assert_operator bytes_held(levels(7, names), object, expected), :<, 100_000
  end

  # 9,841 paths, all of them taken: a run for each would be megabytes.
  def test_paths_that_are_alike_share_what_they_find_out
    names = %i[a b c]
    object = 8.times.reduce({}) { |nested, _| names.to_h { |name| [name, nested] } }
    expected = 8.times.reduce('{"x":0}') { |nested, _| %({"a":#{nested},"b":#{nested},"c":#{nested}}) }
    assert_operator bytes_held(levels(8, names), object, expected), :<, expected.bytesize * 3 + 200_000
  end

  # The native backend needs more memory for them than it gets at once.
  def test_thousands_of_associations
    inner = Class.new(Katsu::Serializer) { attributes :x }
    names = Array.new(native? ? 20_000 : 500) { |i| "n#{i}" }
    serializer = Class.new(Katsu::Serializer) { names.each { |name| has_one name.to_sym, serializer: inner } }
    object = names.to_h { |name| [name, {"x" => 1}] }
    assert_equal object.to_json, serializer.new.serialize_to_json(object)
  end

  # The ruby backend cuts the code for them into parts; fields of each sort stand in several of these.
  def test_thousands_of_fields
    inner = Class.new(Katsu::Serializer) { attributes :x }
    count = 2_600
    names = Array.new(count) { |i| :"n#{i}" }
    serializer = Class.new(Katsu::Serializer) do
      names.each_with_index do |name, index|
        case index % 5
        when 0 then attribute(name) { index == 5 ? Katsu::Serializer::SKIP : index }
        when 1 then attribute name, if: -> { index != 6 }
        when 2 then has_one name, serializer: inner
        else attributes name
        end
      end
      attribute(:last) { context || raise(KeyError, "last") }
    end
    values = [->(index) { index }, ->(index) { "ü\"#{index}" }, ->(index) { {"x" => index} }, ->(_) {}, ->(_) { 1.5 }]
    object = names.each_with_index.to_h { |name, index| [name, values[index % 5].call(index)] }
    expected = object.transform_keys(&:name).except("n5", "n6").merge("last" => 1)
    struct = Struct.new(*names).new(*object.values)
    [object, object.transform_keys(&:name), struct].each do |one|
      written = serializer.new(context: 1).serialize(one)
      assert_equal [expected.size, []], [written.size, written.to_a - expected.to_a]
      assert_equal JSON.generate(written), serializer.new(context: 1).serialize_to_json(one)
      error = assert_raises(KeyError) { serializer.new.serialize_to_json(one) }
      assert_equal "last", error.field_path
    end
    error = assert_raises(Katsu::UnknownAttributeError) { serializer.new.serialize_to_json(object.except(:n2593)) }
    assert_match(/declares n2593/, error.message)
  end

  def test_an_association_is_entered_once_for_all_records
    authors = Array.new(3) { |i| Author.create!(name: "author #{i}") }
    2300.times { |i| Post.new(title: "t", author: authors[i % 3]) }
    posts = Array.new(2300) { |i| Post.new(title: "t#{i}", author: authors[i % 3]) }
    inner = Class.new(Katsu::Serializer) { attributes :name }
    outer = Class.new(Katsu::Serializer) do
      attributes :title
      has_one :author, serializer: inner
    end
    binds = counted(:bind) do
      assert_equal posts.map { |post|
        {"title" => post.title, "author" => {"name" => post.author.name}}
      }, JSON.parse(Katsu::ArraySerializer.new(posts, each_serializer: outer).to_json)
    end
    assert_equal 2, binds
  end

  # Layouts and runs of all kinds, while objects are collected and move.
  def test_garbage_collection_in_the_middle
    leaf = serializers(1, :x, :y)[0]
    tree = Class.new(Katsu::Serializer) { attributes :x }
    tree.has_one :one, serializer: leaf
    tree.has_many :many, serializer: leaf
    tree.has_many :any, serializer: {"Object" => leaf, "Hash" => tree}
    tree.has_many :again, serializer: tree, depth: 2
    ends = {x: 1, one: nil, many: [], any: [], again: []}
    object = ends.merge(one: Point.new(1, "é"), many: [Class.new(Point).new(1, 2), {x: 1, y: 2}.extend(Comparable)],
                        any: [Point.new(1, 2), ends], again: [ends, ends.merge(again: [ends])])
    expected = Katsu.generate(tree.new.serialize(object))
    assert_equal([expected] * 3, Array.new(3) { watched { tree.new.serialize_to_json(object) } })
    built = watched { tree.new.serialize(object) }
    assert_equal expected, Katsu.generate(built)
  end

  # The memory of a class that is gone is often that of the next one, which is read in another way.
  def test_classes_in_the_place_of_others
    all = serializers(3, :x, :y)
    20.times do |round|
      objects = Array.new(50) do |number|
        round.even? ? Class.new(Point).new(number, "é") : Class.new(Hash).new.update(x: number, y: "é")
      end
      all.each do |serializer|
        expected = Array.new(50) { |number| {"x" => number, "y" => "é"} }
        assert_equal expected, objects.map { |object| serializer.new.serialize(object) }
      end
      GC.start
    end
  end

  # Compilation

  def test_depth_is_counted_when_objects_are_written
    compiled = [2, 3, 30].map do |levels|
      one = Class.new(Katsu::Serializer) { attributes :x }
      two = Class.new(Katsu::Serializer) { attributes :y }
      one.has_one :a, serializer: one, depth: levels
      one.has_one :b, serializer: two, depth: levels
      two.has_one :c, serializer: one, depth: levels
      two.has_one :d, serializer: two, depth: levels
      counted(:plan) { one.plan }
    end
    assert_operator compiled.uniq.size, :==, 1
    assert_operator compiled[0], :<=, 4
  end

  def test_nested_serializers_with_filters_for_are_compiled_once
    serializer = serializers(1, :x)[0]
    6.times do
      inner = serializer
      serializer = Class.new(Katsu::Serializer) do
        6.times { |i| has_one :"a#{i}", serializer: inner }
        def self.filters_for(_context, _scope) = {except: []}
      end
    end
    assert_operator counted(:plan) { serializer.plan }, :<=, 7
  end

  # A serializer that two others lead to is the same in both, however many ways there are to them.
  def test_serializers_with_filters_for_on_many_ways_are_compiled_once
    last = Class.new(Katsu::Serializer) do
      attributes :x, :y
      def self.filters_for(context, _scope) = {only: [context]}
    end
    15.times do
      inner = last
      sides = Array.new(2) { Class.new(Katsu::Serializer) { has_one :in, serializer: inner } }
      last = Class.new(Katsu::Serializer) { sides.each_with_index { |side, at| has_one :"s#{at}", serializer: side } }
    end
    assert_operator counted(:plan) { last.plan(nil, nil, :x) }, :<=, 46
    object = 15.times.reduce({x: 1, y: 2}) { |inner, _| {s0: nil, s1: {in: inner}} }
    %i[x y].each { |name| assert_match(/\{"#{name}":\d\}+\z/, last.new(context: name).serialize_to_json(object)) }
  end

  # What a serializer reads, by names

  # So many associations of a serializer are the same one of the model, each to be nested so often.
  def chain(names, depth)
    Class.new(Katsu::Serializer) do
      attributes :id
      names.times { |i| has_one :mentor, name: "mentor_#{i}", serializer: self, depth: depth }
    end
  end

  # 1,107,697 paths lead through four of them, and 255 pairs of what they have entered.
  def test_preloads_of_paths_that_are_alike
    few, many = [2, 4].map do |names|
      serializer = chain(names, 3)
      expected = (names * 3 - 1).times.reduce([:mentor]) { |below, _| [{mentor: below}] }
      assert_equal expected, serializer.preloads(Author)
      assert_equal expected, serializer.many(Author.all).explain.to_h[:preloads]
      calls { serializer.preloads(Author) }
    end
    assert_operator many, :<, few * 200
  end

  # What is entered counts for the plan that it leads to, and not for another plan in the same place.
  def test_preloads_of_paths_that_differ
    inner = Class.new(Katsu::Serializer) { attributes :id }
    serializer = Class.new(Katsu::Serializer) do
      has_one :mentor, name: "a", serializer: self, depth: 1
      has_one :mentor, name: "b", serializer: inner
    end
    assert_equal [{mentor: [:mentor]}], serializer.preloads(Author)
    assert_equal [:mentor], serializer.preloads(Author, except: ["a"])
  end

  # Posts of one author, who has all of them.
  def test_what_is_needed_of_an_object_of_many_records
    author = Author.create!(name: "Ada")
    sizes = Class.new(Katsu::Serializer) do
      attribute(:size, needs: {author: {posts: :title}}) { |post| post.author.posts.size }
    end
    Post.insert_all!(Array.new(50) { {title: "t", author_id: author.id} })
    looked_at = 0
    loading = TracePoint.new(:call) do |call|
      looked_at += call.binding.local_variable_get(:records).size if call.method_id == :load_needs
    end
    loading.enable { assert_equal [50], sizes.many(Post.all.to_a).to_a.map { |post| post["size"] }.uniq }
    assert_equal 51, looked_at
  end

  # Ruby keeps the names of methods for good.
  def test_blocks_of_many_classes_have_the_same_names
    make = lambda do
      parent = Class.new(Katsu::Serializer) { attribute(:x) { 1 } }
      Class.new(parent) { attribute(:y, if: -> { true }) { 2 } }
    end
    assert_equal '{"x":1,"y":2}', make.call.new.serialize_to_json({})
    before = Symbol.all_symbols.size
    100.times { make.call }
    assert_operator Symbol.all_symbols.size - before, :<, 50
  end

  def test_blocks_of_parents_and_children
    parent = Class.new(Katsu::Serializer) { attribute(:x) { 1 } }
    child = Class.new(parent) { attribute(:y) { 2 } }
    parent.attribute(:y) { 3 }
    assert_equal ['{"x":1,"y":3}', '{"x":1,"y":2}'],
                 [parent, child].map { |serializer| serializer.new.serialize_to_json({}) }
  end
end
