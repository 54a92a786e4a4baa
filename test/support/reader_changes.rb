# frozen_string_literal: true

require "delegate"
require "set"
require "stringio"

# Classes with readers that Ruby made, how these are redefined, and where code of the application's may run that does.
module ReaderChanges
  # So many that readers are trusted long before and after the object that changes them.
  OBJECTS = 80
  CHANGES = 50

  module Readers
    def self.fresh = Module.new { attr_reader :b }
  end

  # What the classes of a case are: they have a, b and hook. Objects are made by make.
  SHAPES = {
    own: ->(base) { Class.new(base) { attr_reader :a, :b, :hook } },
    inherited: ->(base) { Class.new(Class.new(base) { attr_reader :a, :b, :hook }) },
    from_a_module: lambda do |base|
      Class.new(base) do
        include Readers.fresh
        attr_reader :a, :hook
      end
    end,
    by_alias: lambda do |base|
      Class.new(base) do
        attr_reader :a, :c, :hook
        alias_method :b, :c
      end
    end,
    struct: ->(_base) { Struct.new(:a, :b, :hook) }
  }.freeze

  # What a class has beneath its readers.
  class Base
    def initialize(first, second, hook)
      @a = first
      @b = second
      @hook = hook
      @c = "c #{second}"
    end

    def b = "of the base"
    def hook = nil
  end

  # How readers are redefined: given the class and an object that is still to be written.
  WAYS = {
    nothing: ->(_klass, _object) {},
    by_def: ->(klass, _object) { klass.class_eval { def b = "def #{a}" } },
    by_define_method: ->(klass, _object) { klass.define_method(:b) { [a, 1] } },
    by_alias: ->(klass, _object) { klass.alias_method(:b, :a) },
    by_the_same_reader: ->(klass, _object) { klass.attr_reader :b },
    by_the_reader_of_another: ->(klass, _object) { klass.define_method(:b, klass.instance_method(:a)) },
    by_prepend: ->(klass, _object) { klass.prepend(Module.new { def b = [super] }) },
    by_a_prepended_reader: ->(klass, _object) { klass.prepend(Readers.fresh) },
    in_the_owner: ->(klass, _object) { klass.instance_method(:b).owner.class_eval { def b = "in the owner" } },
    by_include: ->(klass, _object) { klass.include(Module.new { def b = "included" }) },
    by_removal: lambda do |klass, _object|
      klass.instance_method(:b).owner.send(:remove_method, :b)
      klass.define_method(:b) { 0 } unless klass.method_defined?(:b)
    end,
    by_method_missing: lambda do |klass, _object|
      klass.class_eval do
        undef_method :b
        def method_missing(name, *) = name == :b ? "missing #{a}" : super
        def respond_to_missing?(name, *) = name == :b || super
      end
    end,
    in_one_object: ->(_klass, object) { object.define_singleton_method(:b) { "its own" } },
    by_extend: ->(_klass, object) { object.extend(Module.new { def b = [super] }) },
    by_a_singleton_reader: ->(_klass, object) { object.singleton_class.attr_reader :b },
    of_all: ->(klass, _object) { %i[a b].each { |name| klass.define_method(name) { name } } },
    respond_to: ->(klass, _object) { klass.define_method(:respond_to?) { |*| false } },
    values: lambda do |_klass, object|
      object.instance_variable_set(:@b, "changed")
      object.b = "changed" if object.respond_to?(:b=)
    end,
    variables: lambda do |_klass, object|
      object.remove_instance_variable(:@b) if object.instance_variable_defined?(:@b)
      object.instance_variable_set(:@more, 1)
      object.object_id
      object.freeze
    end
  }.freeze

  # Values that run code when they are written. They are written as their text.
  class Running
    def initialize(&block) = @block = block
    def to_s = "running"

    def as_json(*)
      @block.call
      "running"
    end
  end

  class RunningText < String
    attr_accessor :block

    def as_json(*) = block.call && to_s
  end

  class RunningList
    def initialize(&block) = @block = block
    def to_a = @block.call && []
  end

  class RunningKey
    def initialize(&block) = @block = block
    def to_s = @block.call && "key"
  end

  # A step that is written between a and b, for each place where code of the application's may run: what hook is in the
  # object that changes the readers, and the serializer's declaration.
  class Nothing < Katsu::Serializer; end

  # hook: attribute by default.
  MOMENTS = {
    as_json: [->(change) { Running.new(&change) }],
    in_an_array: [->(change) { [1, Running.new(&change)] }],
    in_a_hash: [->(change) { {"x" => Running.new(&change)} }],
    a_key: [->(change) { {RunningKey.new(&change) => 1} }],
    text: [->(change) { RunningText.new("text").tap { |text| text.block = change } }],
    method_field: [->(change) { change }, lambda do |serializer|
      serializer.attribute(:hook) { |object| object.hook.respond_to?(:call) ? object.hook.call && 1 : 0 }
    end],
    condition: [->(change) { change }, lambda do |serializer|
      serializer.attribute(:size, if: ->(object) { object.hook.respond_to?(:call) && !object.hook.call }) { 1 }
    end],
    collection: [->(change) { RunningList.new(&change) },
                 ->(serializer) { serializer.has_many(:hook, serializer: Nothing) }],
    association: [lambda do |change|
      Struct.new(:x) { define_method(:x) { change.call && 1 } }.new
    end, lambda do |serializer|
      serializer.has_one(:hook, serializer: Class.new(Katsu::Serializer) { attributes :x })
    end],
    missing: [lambda do |change|
      Class.new do
        define_method(:method_missing) { |_name, *| change.call && 1 }
        def respond_to_missing?(*) = true
      end.new
    end, lambda do |serializer|
      serializer.has_one(:hook, serializer: Class.new(Katsu::Serializer) { attributes :x })
    end],
    hash_default: [->(change) { Hash.new { |_hash, _key| change.call && 1 } }, lambda do |serializer|
      serializer.has_one(:hook, serializer: Class.new(Katsu::Serializer) { attributes :x })
    end]
  }.freeze

  # The documents of each sink.
  SINKS = {
    json: ->(serializer, objects) { Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_json },
    io: lambda do |serializer, objects|
      Katsu::ArraySerializer.new(objects, each_serializer: serializer).write_to(StringIO.new).string
    end,
    hash: lambda do |serializer, objects|
      JSON.generate(Katsu::ArraySerializer.new(objects, each_serializer: serializer).to_a)
    end
  }.freeze

  def written(sink, serializer, objects) = watched { SINKS[sink].call(serializer, objects) }

  def make(klass, hook = nil)
    Array.new(OBJECTS) { |index| klass.new(index, "b#{index}", hook) }
  end

  def build(shape) = SHAPES.fetch(shape).call(Base)

  def serializer(attributes = %i[a b], &declare)
    Class.new(Katsu::Serializer) do
      attributes(*attributes) unless declare
      if declare
        attribute :a
        declare.call(self)
        attribute :b
      end
    end
  end

  def called(objects) = JSON.generate(objects.map { |object| {a: object.a, b: object.b} })
end
