# frozen_string_literal: true

require "support/test_case"
require "support/reader_changes"

# What readers that Ruby made read: variables of objects of all layouts, members of Structs; and methods that only look
# like them.
class AttrReaderObjectsTest < TestCase
  include ReaderChanges

  # Ruby would warn of methods that are defined again.
  def setup
    @verbose = $VERBOSE
    $VERBOSE = false
  end

  def teardown = $VERBOSE = @verbose

  def assert_written(list)
    own = serializer
    SINKS.each_key { |sink| 2.times { assert_equal called(list), written(sink, own, list) } }
  end

  # Variables in another order, none at all, in a table, with an object id, frozen, and in objects of other types.
  def test_layouts_of_variables
    klass = Class.new do
      attr_reader :a, :b

      def fill(index)
        names = [%i[@a @b], %i[@b @a], %i[@b], %i[@c @d @a], [], (0..9).map { |at| :"@v#{at}" } + %i[@b @a]][index % 6]
        names.each { |name| instance_variable_set(name, "#{name} #{index}") }
        instance_variable_set(:"@own#{index}", 1) if index > 100
        object_id if (index % 4).zero?
        index % 5 == 1 ? freeze : self
      end
    end
    objects = Array.new(300) { |index| klass.new.fill(index) }
    assert_written(objects)
  end

  def test_objects_of_another_class_after_many
    reading = Class.new do
      attr_reader :a, :b

      def initialize(index) = @a = @b = index
    end
    own = Class.new(reading) { def b = "own" }
    assert_written(Array.new(40) { |index| (index < 30 || index.odd? ? reading : own).new(index) })
  end

  def test_objects_of_a_frozen_class
    klass = build(:own)
    assert_written(make(klass.freeze))
  end

  def test_objects_of_other_types
    [StandardError, Class.new(Struct.new(:x)), Set, Regexp].each do |base|
      klass = Class.new(base) do
        attr_reader :a, :b

        def fill(index)
          @a = index
          @b = "b#{index}"
          self
        end
      end
      objects = Array.new(40) { |index| (base == Regexp ? klass.new("x") : klass.new).fill(index) }
      assert_written(objects)
    end
  end

  # Some of these are no address.
  def test_objects_that_are_values
    lists = [[2**70, 1], [1e300, 1.5, 0.0], %i[a b], [true], [false]]
    [Integer, Float, Symbol, TrueClass, FalseClass].zip(lists) do |klass, values|
      klass.attr_reader :a, :b
      assert_written(values * 40)
    ensure
      %i[a b].each { |name| klass.remove_method(name) }
    end
  end

  # They look like readers and are none.
  def test_other_methods_without_instructions
    other = Class.new { attr_reader :a }.new
    klass = Class.new do
      attr_reader :c

      define_method(:a, &other.method(:a))
      define_method(:b, &"text".method(:size))
    end
    members = Class.new(Struct.new(:x, :y)) do
      alias_method :a, :size
      define_method(:b, instance_method(:y))
    end
    delegator = Class.new(SimpleDelegator)
    lists = [Array.new(40) { klass.new }, Array.new(40) { |index| members.new(1, index) },
             make(build(:own)).map { |object| delegator.new(object) }]
    lists.each { |list| assert_written(list) }
  end

  def test_a_writer_under_a_readers_name
    klass = Class.new do
      attr_writer :a
      alias_method :b, :a=
    end
    member = Struct.new(:a) { alias_method :b, :a= }
    by_name = Class.new(Katsu::Serializer) { attributes :b }
    [Array.new(40) { klass.new }, Array.new(40) { member.new(1) }].product(SINKS.keys) do |list, sink|
      assert_raises(ArgumentError) { written(sink, by_name, list) }
    end
  end

  def test_structs_and_data
    many = Struct.new(*Array.new(40) { |index| :"m#{index}" }, :a, :b)
    keywords = Struct.new(:a, :b, keyword_init: true)
    lists = [Array.new(40) { |index| keywords.new(a: index, b: "b") },
             Array.new(40) { |index| Class.new(Struct.new(:b, :a)).new(index, "a") },
             Array.new(40) { |index| many.new(*(index..(index + 41))) }]
    subclass = Class.new(Struct.new(:b, :a))
    lists << Array.new(40) { |index| subclass.new(index, "a") }
    if defined?(Data.define)
      data = Data.define(:b, :a)
      lists << Array.new(40) { |index| data.new(index, "a") }
    end
    lists.each { |list| assert_written(list) }
  end

  # What the other tests are about happens.
  def test_readers_are_not_called
    skip "the ruby backend calls them" unless native?
    skip "this build calls them" unless Katsu.report.to_s.match?(/places +on/)
    [build(:own), build(:inherited), build(:from_a_module), build(:by_alias), build(:struct)].each do |klass|
      objects = make(klass)
      own = serializer
      SINKS.each_key { |sink| assert_equal 0, calls_of(%i[a b c]) { written(sink, own, objects) } }
      klass.class_eval { def a = "changed" }
      assert_equal OBJECTS, calls_of(%i[a]) { written(:json, own, objects) }
    end
  end

  def calls_of(names, &)
    count = 0
    TracePoint.new(:c_call, :call) { |point| count += 1 if names.include?(point.method_id) }.enable(&)
    count
  end
end
