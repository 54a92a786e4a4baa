# frozen_string_literal: true

require "support/test_case"
require "support/counting"
require "support/database"

# Nothing that was written, and no serializer, outlives its last reference for what Katsu remembers of it.
#
# YJIT keeps the objects that it has compiled code for. If it is on, this file is run once more in a process without it.
class KeptObjectsTest < TestCase
  include Counting

  Point = Struct.new(:x, :y)

  # As OpenStruct: each object has methods of its own.
  class Open
    def initialize(**values) = values.each { |name, value| define_singleton_method(name) { value } }
  end

  # Of the 500 to 1,000 objects of a test: what Ruby takes for references on the stack. A cache that keeps them has a
  # hundred and more, or all.
  KEPT_BY_RUBY = 20

  def self.yjit? = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?

  # A serializer of x and y.
  def serializer
    Class.new(Katsu::Serializer) { attributes :x, :y }
  end

  # That have methods of their own.
  def objects(number)
    author = Author.new(name: "a").extend(Module.new { def x = 1 })
    author.define_singleton_method(:y) { 2 }
    point = Point.new(number, 2)
    def point.y = 2
    [Open.new(x: number, y: 2), point, {x: number, y: 2}.extend(Comparable), author]
  end

  def write(objects, serializer, authored, watched)
    objects.each do |object|
      watched[object] = object
      assert_match(/\A{"x":\d+,"y":2}\z/, serializer.new.serialize_to_json(object))
    end
    assert_equal %({"author":{"x":1,"y":2}}), authored.new.serialize_to_json(Post.new(author: objects.last))
  end

  # The ruby backend keeps a plan's code by class in a Hash of bounded size where Ruby has no WeakKeyMap.
  def keeps_classes?
    !native? && !defined?(ObjectSpace::WeakKeyMap)
  end

  if yjit?
    def test_without_yjit
      output, status = run_again(__FILE__)
      assert status.success?, output
      assert_match(/^4 runs, [1-9]\d* assertions, 0 failures, 0 errors, \d skips$/, output)
    end
  else
    def test_objects_with_a_class_of_their_own_are_not_kept
      if !native? && RUBY_VERSION < "3.4"
        skip "Ruby keeps in a cache of its own what public_send has called (before 3.4)"
      end

      one = serializer
      authored = Class.new(Katsu::Serializer) { has_one :author, serializer: one }
      one.new.serialize_to_json(Open.new(x: 1, y: 1))
      watched = ObjectSpace::WeakMap.new
      binds = counted(:bind) { 200.times { |number| write(objects(number), one, authored, watched) } }
      assert_operator binds, :<=, 4
      assert_operator alive(watched), :<=, KEPT_BY_RUBY, watched.keys.map(&:class).tally.inspect
    end

    def test_classes_are_not_kept
      one = serializer
      watched = ObjectSpace::WeakMap.new
      600.times do
        point = Class.new(Point)
        watched[point] = point
        one.new.serialize_to_json(point.new(1, 2))
      end
      assert_operator alive(watched), :<=, keeps_classes? ? 280 : KEPT_BY_RUBY
    end

    def test_serializers_and_their_plans_are_not_kept
      watched = ObjectSpace::WeakMap.new
      500.times do
        one = serializer
        [one, one.plan].each { |object| watched[object] = object }
        one.new.serialize_to_json(Point.new(1, 2))
      end
      assert_operator alive(watched), :<=, KEPT_BY_RUBY
    end

    # The plans are gone, but the class whose objects they read lives on.
    def test_layouts_are_not_kept
      skip "the ruby backend keeps code in a Hash of bounded size (before Ruby 3.3)" if keeps_classes?

      write = -> { 500.times { serializer.new.serialize_to_json(Point.new(1, 2)) } }
      write.call
      assert_operator added_data(&write), :<=, KEPT_BY_RUBY
    end

    # How many more objects with data of C there are after the block, layouts among them.
    def added_data
      count = -> { 3.times { GC.start } && ObjectSpace.count_objects[:T_DATA] }
      before = count.call
      yield
      count.call - before
    end
  end
end
