# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/reader_changes"

# Readers that Ruby made are read without a call, and may be redefined at any time: before a batch, between two, and in
# the middle of one by whatever code of the application's it runs. The documents are those that calls of the methods
# would give.
class AttrReadersTest < TestCase
  include ReaderChanges

  # Ruby would warn of methods that are defined again.
  def setup
    @verbose = $VERBOSE
    $VERBOSE = false
  end

  def teardown = $VERBOSE = @verbose

  # All of them, or a few if each takes long, as the code that the ruby backend generates for each does.
  def each_way
    shapes, ways = normal_run? && native? ? [SHAPES.keys, WAYS.keys] : [%i[own struct], %i[nothing by_def]]
    shapes.product(ways, SINKS.keys) { |shape, way, sink| yield shape, way, sink }
  end

  def test_before_and_between_batches
    each_way do |shape, way, sink|
      [false, true].each do |written_before|
        klass = build(shape)
        objects = make(klass)
        own = serializer
        written(sink, own, objects) if written_before
        WAYS[way].call(klass, objects[CHANGES])
        2.times { assert_equal called(objects), written(sink, own, objects), [shape, way, sink].inspect }
      end
    end
  end

  # The objects before the one that changes the readers are written by the old ones, those behind it by the new ones.
  def test_in_the_middle
    MOMENTS.each do |moment, (hook, declare)|
      each_way do |shape, way, sink|
        next if shape == :struct && moment != :as_json

        message = [moment, shape, way, sink].inspect
        own = serializer { |it| declare ? declare.call(it) : it.attribute(:hook) }
        expected = changing_by_calls(shape, way, behind_b: own.plan.steps.last.name != :b)
        rows = changing(own, shape, way, sink, hook)
        expected[CHANGES] = rows[CHANGES] unless native? # which may read all values of an object before it writes one
        assert_equal values_of(expected), values_of(rows), message
      end
    end
  end

  def before_change = Array.new(CHANGES) { |index| "b#{index}" }
  def values_of(rows) = rows.map { |row| row.values_at("a", "b") }

  # [objects, the change, which happens once]
  def prepare(shape, way)
    klass = build(shape)
    objects = make(klass)
    done = false
    change = lambda do
      WAYS[way].call(klass, objects[CHANGES + 1]) unless done
      done = true
    end
    [objects, klass, change]
  end

  def changing(own, shape, way, sink, hook)
    objects, klass, change = prepare(shape, way)
    objects[CHANGES] = klass.new(CHANGES, "b#{CHANGES}", hook.call(change))
    JSON.parse(written(sink, own, objects))
  end

  # Method fields are written behind attributes.
  def changing_by_calls(shape, way, behind_b:)
    objects, _klass, change = prepare(shape, way)
    JSON.parse(JSON.generate(objects.each_with_index.map do |object, index|
      values = {a: object.a}
      values[:b] = object.b if behind_b
      change.call if index == CHANGES
      values[:b] = object.b unless behind_b
      values
    end))
  end

  # Chunks of 64 kB are given to the io between two objects.
  def test_an_io_changes_the_readers
    klass = build(:own)
    objects = Array.new(3000) { |index| klass.new(index, "b" * 100, nil) }
    changed = nil
    io = Object.new
    io.define_singleton_method(:write) do |text|
      (@all ||= +"") << text
      changed ||= klass.class_eval { def b = "changed" }
      text.bytesize
    end
    Katsu::ArraySerializer.new(objects, each_serializer: serializer).write_to(io)
    rows = JSON.parse(io.instance_variable_get(:@all)).map { |row| row["b"] }
    border = rows.index("changed")
    assert_operator border, :<, 1500
    assert_equal ["b" * 100] * border, rows.first(border)
    assert_equal ["changed"] * (3000 - border), rows.drop(border)
  end

  def test_a_stream_changes_the_readers
    klass = build(:own)
    objects = make(klass)
    elements = Enumerator.new do |to|
      objects.each_with_index do |object, index|
        klass.class_eval { def b = "changed" } if index == CHANGES
        to << object
      end
    end
    rows = JSON.parse(Katsu::ArraySerializer.new(Katsu::Stream.new(elements), each_serializer: serializer).to_json)
    assert_equal before_change + (["changed"] * (OBJECTS - CHANGES)), rows.map { |row| row["b"] }
  end

  # Of another class, whose layout is made in the middle of the batch.
  def test_a_class_that_changes_another_when_it_is_met
    klass = build(:own)
    objects = make(klass)
    other = build(:own)
    other.define_singleton_method(:public_method_defined?) do |*args|
      klass.class_eval { def b = "changed" }
      super(*args)
    end
    objects[CHANGES] = other.new(1, 2, nil)
    rows = JSON.parse(written(:json, serializer, objects)).map { |row| row["b"] }
    assert_equal before_change + [2] + (["changed"] * (OBJECTS - CHANGES - 1)), rows
  end

  def test_a_reader_of_one_object_is_called_once
    SINKS.each_key do |sink|
      objects = make(build(:own))
      calls = 0
      objects[CHANGES].define_singleton_method(:b) { (calls += 1) / 2.0 }
      assert_equal 0.5, JSON.parse(written(sink, serializer, objects))[CHANGES]["b"]
      assert_equal 1, calls, sink
    end
  end

  def test_mixed_classes_and_subclasses
    klass = build(:own)
    overriding = Class.new(klass) { def b = "overridden" }
    more = Class.new(klass) { attr_reader :c }
    objects = make(klass).zip(make(overriding), make(more), make(build(:struct)), make(Class.new(build(:struct))))
    [objects.flatten(1), objects.transpose.flatten(1)].each do |list|
      SINKS.each_key { |sink| 2.times { assert_equal called(list), written(sink, serializer, list) } }
    end
  end

  def test_associations_of_objects
    klass = build(:own)
    struct = build(:struct)
    objects = make(klass).zip(make(struct), make(klass))
    objects.map! { |one, two, three| klass.new(two, [three, one, nil], nil) }
    inner = serializer
    outer = Class.new(Katsu::Serializer) do
      has_one :a, serializer: inner
      has_many :b, serializer: inner
    end
    expected = objects.map { |object| "{\"a\":#{one(object.a)},\"b\":[#{object.b.map { |at| one(at) }.join(",")}]}" }
    SINKS.each_key { |sink| 2.times { assert_equal "[#{expected.join(",")}]", written(sink, outer, objects) } }
    klass.class_eval { def b = @b.is_a?(Array) ? @b.reverse : "changed" }
    expected = objects.map { |object| "{\"a\":#{one(object.a)},\"b\":[#{object.b.map { |at| one(at) }.join(",")}]}" }
    SINKS.each_key { |sink| assert_equal "[#{expected.join(",")}]", written(sink, outer, objects) }
  end

  def one(object) = object ? JSON.generate({a: object.a, b: object.b}) : "null"

  # Objects and the attribute that makes readers useless: a Time in each, then none.
  def test_values_that_take_calls
    klass = build(:own)
    list = make(klass, Running.new { nil })
    own = serializer { |it| it.attribute(:hook) }
    expected = list.map { |object| [object.a, object.b] }
    100.times { assert_equal expected, values_of(JSON.parse(written(:json, own, list))) }
    assert_equal expected, values_of(JSON.parse(written(:json, own, make(klass))))
  end

  # Each object has a record. When the column of one of these records is cast, it changes the readers.
  def test_a_cast_changes_the_readers
    klass = build(:own)
    changed = -> { klass.define_method(:b) { "new" } }
    type = Class.new(ActiveRecord::Type::String) do
      define_method(:deserialize) { |text| text == "change" ? changed.call : text }
    end
    model = Class.new(Post) { attribute :title, type.new }
    own = serializer { |it| it.has_one(:hook, serializer: Class.new(Katsu::Serializer) { attributes :title }) }
    SINKS.each_key do |sink|
      klass.attr_reader(:b)
      objects = Array.new(OBJECTS) do |index|
        klass.new(index, "b#{index}", model.instantiate({"id" => index, "title" => index == CHANGES ? "change" : "x"}))
      end
      written = JSON.parse(written(sink, own, objects))
      assert_equal %w[b49 b50 new new], written.values_at(49, 50, 51, 79).map { |row| row["b"] }, sink
    end
  end

  def test_a_reader_that_is_undefined
    klass = build(:own)
    objects = make(klass)
    own = serializer
    written(:json, own, objects)
    klass.undef_method(:b)
    SINKS.each_key { |sink| assert_raises(NoMethodError, Katsu::Error) { written(sink, own, objects) } }
  end
end
