# frozen_string_literal: true

require "support/test_case"
require "support/database"

# What Ruby code can reach without its constructor, or with arguments that the library never gives. An error is right,
# and so is a document; the process goes on.
class ReachableTest < TestCase
  class ItemSerializer < Katsu::Serializer
    attributes :id
  end

  def step(**given)
    Katsu::Plan::Step.new(**{key: "a", kind: :attribute, name: :a}.merge(given))
  end

  def plan(*steps)
    Katsu::Plan.new(ItemSerializer, steps)
  end

  # Calls the block; what comes of it does not matter, but that the next document is right does.
  def survives
    watched do
      yield
    rescue StandardError
      nil
    end
    assert_equal %([{"id":1}]), Katsu::ArraySerializer.new([{id: 1}], each_serializer: ItemSerializer).to_json
  end

  def test_a_hash_that_grows_while_it_is_asked_how_it_compares
    hash = {"b" => 1}
    hash.define_singleton_method(:compare_by_identity?) do
      200.times { |i| self["k#{i}"] = i }
      false
    end
    assert_equal 201, JSON.parse(generate([hash], sort_keys: true))[0].size
  end

  def test_plans_without_initialize
    [nil, 1, {}, {id: 1}, Object.new, [], [nil], Post.new].each do |object|
      %i[generate generate_all build build_all].each do |call|
        survives { Katsu::Plan.allocate.public_send(call, object, nil, nil) }
      end
    end
    %i[inspect steps serializer serializers hash].each { |call| survives { Katsu::Plan.allocate.public_send(call) } }
    survives { plan(step(kind: :has_one, plan: Katsu::Plan.allocate)).generate({a: {}}, nil, nil) }
  end

  def test_plans_are_made_once
    made = plan(step)
    survives { made.send(:initialize, ItemSerializer, [step(name: :b)]) }
    assert_equal %({"a":1}), made.generate({a: 1}, nil, nil)
    %i[dup clone].each { |call| survives { made.public_send(call).generate({a: 1}, nil, nil) } }
    survives { Marshal.dump(made) }
  end

  def test_plans_of_odd_steps
    call = Katsu::Serializer::Call
    odd = [{key: nil}, {key: 5}, {name: "a"}, {name: nil}, {kind: :nothing}, {kind: :method}, {call: 5},
           {call: call.new(5, 0)}, {call: call.new(:id, 3)},
           {call: call.new(:id, -1)}, {call: call.new(:id, nil)}, {kind: :has_one}, {kind: :has_many},
           {kind: :has_one, plan: 5},
           {conditions: 5}, {conditions: [5]},
           {conditions: [Katsu::Serializer::Condition.new(call.new(:nobody, 0), true)] * 3}]
    odd.each { |given| survives { plan(step(**given)).generate({a: {b: 1}}, nil, nil) } }
    [nil, [nil], [1], 5].each { |steps| survives { Katsu::Plan.new(ItemSerializer, steps).generate({a: 1}, nil, nil) } }
    [nil, 5, Integer, Object].each do |owner|
      survives { Katsu::Plan.new(owner, [step(kind: :method)]).generate({}, nil, nil) }
    end
  end

  # The native backend has room for two of each.
  def test_calls_and_conditions_that_are_too_many
    return assert_equal(%({"a":1}), plan(step).generate({a: 1}, nil, nil)) unless native?

    call = Katsu::Serializer::Call
    [3, -1].each do |arguments|
      error = assert_raises(ArgumentError) { plan(step(call: call.new(:id, arguments))) }
      assert_match(/too many arguments/, error.message)
    end
    conditions = [Katsu::Serializer::Condition.new(call.new(:nobody, 0), true)] * 3
    error = assert_raises(ArgumentError) { plan(step(conditions: conditions)) }
    assert_match(/too many conditions/, error.message)
  end

  def test_steps_that_change_the_plan_they_are_part_of
    steps = []
    hostile = Class.new(Katsu::Plan::Step) do
      define_method(:json_key) do
        steps.clear
        "\"a\":"
      end
    end
    steps << hostile.new(key: "a", kind: :attribute, name: :a) << step(key: "b")
    write = -> { Katsu::Plan.new(ItemSerializer, steps).generate({a: 1}, nil, nil) }
    native? ? assert_raises(FrozenError, &write) : survives(&write)
  end

  def test_ways_to_read_that_are_none
    access = Katsu::Source::Access
    answers = [5, nil, [], [9, 5, [1]], [2, nil, []], [1, nil, [access.new(1, 5, cast: 99)]],
               [2, nil, [access.new(2, "id")]], [2, nil, [access.new(2, nil)]],
               [1, {}, [access.new(1, nil, cast: 8)]], [0, nil, [access.new(77, "id")]]]
    answers.each do |answer|
      serializer = Class.new(Katsu::Serializer) { attributes :id }
      [Object.new, {id: 1}, Post.new].each do |object|
        survives { with_answer(answer) { serializer.new.serialize_to_json(object) } }
      end
    end
  end

  def with_answer(answer)
    source = Katsu::Source.singleton_class
    source.send(:alias_method, :bind_as_it_is, :bind)
    source.send(:remove_method, :bind)
    source.send(:define_method, :bind) { |*| answer }
    yield
  ensure
    source.send(:remove_method, :bind)
    source.send(:alias_method, :bind, :bind_as_it_is)
    source.send(:remove_method, :bind_as_it_is)
  end

  def test_writers_and_options_without_initialize
    assert_equal "[]", Katsu::Writer.allocate.push_array.pop.to_s if native?
    [Katsu::Writer, Katsu::ObjectWriter].each do |writer|
      survives { writer.allocate.push_object.push_value(1, "a").pop }
      %i[dup clone].each { |call| survives { writer.new.push_array.public_send(call).pop } }
      survives { Marshal.dump(writer.new) }
      survives { writer.new.push_array.send(:initialize) }
      survives { writer.instance_method(:pop).bind_call(Object.new) }
    end
    written = Katsu::Writer.new.push_value(1)
    assert_raises(Katsu::Error) { written.send(:initialize) } if native?
    [Katsu::State, Katsu::Generator::Options].each { |options| survives { options.allocate.generate([1]) } }
    [Katsu::Fragment, Katsu::Stream].each { |value| survives { generate([value.allocate]) } }
    survives { Katsu::Generator::Options.new({}).send(:initialize, {indent: "  "}) }
    survives { Katsu::Generator::Options.new({}).dup.generate([1]) }
    survives { Katsu::ArraySerializer.allocate.to_json }
    survives { Katsu::Response.allocate.to_json }
  end

  def test_the_native_backends_own_methods
    return assert_equal(:ruby, Katsu.backend) unless native?

    [nil, 5, 1.5, :a, "a", [], {}, Object.new, BasicObject.new, Class, Post.new].each do |object|
      survives { Katsu::Native.row(object) }
      survives { Katsu::Native.attribute(object, object) }
    end
    survives { Katsu::Native.row_classes = nil }
    loop = [].tap { |list| list << list }
    survives { Katsu::Plan::Cache.same?(loop, [].tap { |list| list << list }) }
    hash, other = Array.new(2) { {}.tap { |itself| itself[:a] = itself } }
    survives { Katsu::Plan::Cache.same?(hash, other) }
    survives { Katsu::Plan::Cache.same?(BasicObject.new, nil) }
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :data, :created_at
    has_one :author, serializer: ItemSerializer
  end

  ODD = -> { [nil, 5, "text", [], {}, {"id" => nil}, {id: 1, "title" => 5, 7 => nil}, [{}], Object.new] }
  # What ActiveRecord keeps of a record: the record, its values, the row, the association.
  PARTS = [
    ->(post) { post }, ->(post) { post.instance_variable_get(:@attributes) },
    ->(post) { post.instance_variable_get(:@attributes).instance_variable_get(:@values) },
    ->(post) { post.association(:author) }, ->(post) { post.author.instance_variable_get(:@attributes) }
  ].freeze

  def test_rows_whose_names_are_no_strings
    [{id: 1, title: "a"}, {"id" => 1, title: "a", 5 => 1, nil => 2}].each do |row|
      records = Array.new(3) { Post.instantiate(row) }
      survives { PostSerializer.many(records).to_json }
      ids = Array.new(2) { Post.instantiate({"id" => 7}.merge(row.except("id"))) }
      assert_equal '[{"id":7},{"id":7}]', Katsu::ArraySerializer.new(ids, each_serializer: ItemSerializer).to_json
    end
  end

  # Libraries write ActiveRecord's own variables, too.
  def test_records_whose_variables_are_not_activerecords
    author = Author.create!(name: "a")
    created = Array.new(3) { |index| Post.create!(title: "t#{index}", data: [index], author: author).id }
    find = -> { Post.includes(:author).order(:id).find(created) }
    expected = PostSerializer.many(find.call).to_json
    PARTS.each do |part|
      pairs = part.call(find.call[1]).instance_variables.product([*0...ODD.call.size])
      pairs = pairs.each_slice(50).map(&:first) unless normal_run?
      pairs.each do |name, index|
        posts = find.call
        object = part.call(posts[1])
        next if object.frozen?

        object.instance_variable_set(name, ODD.call[index])
        survives { PostSerializer.many(posts).to_json }
        survives { PostSerializer.new.serialize(posts[1]) }
      end
    end
    assert_equal expected, PostSerializer.many(find.call).to_json
  ensure
    [Post, Author].each(&:delete_all)
  end
end
