# frozen_string_literal: true

require "support/test_case"

# Serializers that contain each other, compared with a plain reference that follows each path: an association that leads
# back into a serializer around it does so as often as its depth says on that path.
class DepthTest < TestCase
  # Its associations' objects are of the same kind.
  class Node
    def initialize(level) = @level = level
    def x = @level
    def y = -@level
    def one = Node.new(@level + 1)
    def two = Node.new(@level + 10)
    def many = [Node.new(@level + 100)]
  end

  NAMES = {one: :has_one, two: :has_one, many: :has_many}.freeze
  FILTERS = [{}, {}, {}, {only: [:x, :one]}, {except: [:two]}, {except: [:many, :y]},
             {only: {instance: [:x, :many], many: [:y, :one]}}].freeze

  Declared = Struct.new(:serializer, :name, :target, :depth, :filters)

  # Raised by the reference in the place of Katsu::Error.
  class Endless < StandardError; end

  def reference(serializer, declared, only, except, counts, outer)
    outer += [serializer]
    own_only, nested_only = split(only)
    own_except, nested_except = split(except)
    kept = ->(name) { (own_only.nil? || own_only.include?(name)) && !own_except&.include?(name) }
    keys = %i[x y].select(&kept).to_h { |name| [name, true] }
    declared.fetch(serializer).sort_by { |one| NAMES.keys.index(one.name) }.each do |one|
      next unless kept.(one.name)

      inner = counts
      if outer.include?(one.target)
        raise Endless unless (left = counts.fetch(one, one.depth))
        next if left.zero?

        inner = counts.merge(one => left - 1)
      end
      filters = [nested_only[one.name], nested_except[one.name]]
      filters = [one.filters[:only], one.filters[:except]] if filters.none?
      keys[one.name] = reference(one.target, declared, *filters, inner, outer)
    end
    keys
  end

  def split(filter)
    return [filter, {}] unless filter.is_a?(Hash)

    [filter[:instance], filter.reject { |name, _| name == :instance }]
  end

  def document(keys, node)
    keys.to_h do |name, inner|
      value = node.public_send(name)
      value = value.is_a?(Array) ? value.map do |one|
        document(inner, one)
      end : document(inner, value) unless inner == true
      [name.name, value]
    end
  end

  # {serializer => its associations}
  def declare(random)
    serializers = Array.new(random.rand(1..3)) { Class.new(Katsu::Serializer) { attributes :x, :y } }
    serializers.to_h do |serializer|
      ones = NAMES.keys.sample(random.rand(1..3), random: random).map do |name|
        Declared.new(serializer, name, serializers.sample(random: random), random.rand(9).zero? ? nil : random.rand(3),
                     {})
      end
      [serializer, ones]
    end
  end

  # Filters name what the target has.
  def filter(declared, random)
    declared.each_value do |ones|
      ones.each do |one|
        fitting = FILTERS.select do |filters|
          fits?(declared, one.target, filters[:only]) && fits?(declared, one.target, filters[:except])
        end
        one.filters = fitting.sample(random: random)
      end
    end
  end

  def fits?(declared, serializer, given)
    own, nested = split(given)
    names = declared[serializer].map(&:name)
    ((own || []) - %i[x
                      y] - names).empty? && nested.all? do |name, inner|
                                              names.include?(name) && fits?(declared, declared[serializer].find do |one|
                                                one.name == name
                                              end.target, inner)
                                            end
  end

  # nil if the reference finds no end.
  def expected(serializer, declared)
    document(reference(serializer, declared, nil, nil, {}, []), Node.new(0))
  rescue Endless
    nil
  end

  def define(declared)
    declared.each do |serializer, ones|
      ones.each do |one|
        serializer.public_send(NAMES[one.name], one.name, serializer: one.target, depth: one.depth, **one.filters)
      end
    end
  end

  # One after the other: what is compiled within another serializer is not always what a serializer is on its own.
  def test_serializers_that_contain_each_other
    endless = 0
    400.times do |seed|
      random = Random.new(seed)
      declared = declare(random)
      filter(declared, random)
      define(declared)
      declared.each_key do |serializer|
        expected = expected(serializer, declared)
        endless += 1 unless expected
        check(expected, serializer, "seed #{seed}")
      end
    end
    assert_includes 40..600, endless
  end

  def check(expected, serializer, message)
    unless expected
      error = assert_raises(Katsu::Error, message) { serializer.new.serialize(Node.new(0)) }
      return assert_match(/leads back into .* depth: 3/, error.message, message)
    end

    assert_equal expected, serializer.new.serialize(Node.new(0)), message
    assert_equal expected, JSON.parse(serializer.new.serialize_to_json(Node.new(0))), message
  end

  # Keeps nothing.
  class Store
    def read_multi(*) = {}
    def write_multi(*, **) = nil
  end

  class FolderSerializer < Katsu::Serializer
    attributes :name
    has_many :folders, serializer: FolderSerializer, depth: 2
    view(:sized) { attributes :size }
  end

  class CachedFolderSerializer < FolderSerializer
    cache store: Store.new
  end

  class OwnedSerializer < Katsu::Serializer
    attributes :name
    has_one :folder, serializer: "DepthTest::OwningSerializer", depth: 1
    view(:sized) { attributes :size }
  end

  class OwningSerializer < Katsu::Serializer
    attributes :name
    has_one :folder, serializer: OwnedSerializer, depth: 1
  end

  class DerivedFolderSerializer < Katsu::Serializer
    attributes :name
    has_many :folders, serializer: "DepthTest::InnerFolderSerializer", depth: 2
  end

  class InnerFolderSerializer < DerivedFolderSerializer
    attributes :size
  end

  class ChosenFolderSerializer < Katsu::Serializer
    attributes :name
    has_many :folders, serializer: {Hash => ChosenFolderSerializer}, depth: 2
    view(:sized) { attributes :size }
  end

  # The names of folders that stand within each other.
  def levels(serializer, **options)
    object = %w[f e d c b a].inject(nil) do |inner, name|
      {name: name, size: 1, folders: [inner].compact, folder: inner}
    end
    text = serializer.render(object, options)
    assert_equal JSON.parse(text), serializer.render_as_hash(object, options)
    text.scan(/"name":"(.)"/).join
  end

  # A view and a subclass lead back into the class without a view, and a class into its subclass.
  def test_depth_of_views_and_subclasses
    bare = Class.new(FolderSerializer) { view(:bare) { exclude :folders } }
    around = Class.new(Katsu::Serializer) { has_many :folders, serializer: FolderSerializer, view: :sized }
    [FolderSerializer, Class.new(FolderSerializer), CachedFolderSerializer, bare, DerivedFolderSerializer,
     InnerFolderSerializer, Class.new(InnerFolderSerializer), ChosenFolderSerializer,
     Class.new(ChosenFolderSerializer)].each { |serializer| 2.times { assert_equal "abc", levels(serializer) } }
    [FolderSerializer, CachedFolderSerializer, ChosenFolderSerializer].each do |serializer|
      assert_equal "abc", levels(serializer, view: :sized)
      assert_equal "abc", levels(serializer, view: :sized, only: [:name, :folders])
    end
    assert_equal "a", levels(bare, view: :bare)
    assert_equal "bcd", levels(around)
  end

  def test_depth_of_views_and_subclasses_of_serializers_that_contain_each_other
    assert_equal "abcd", levels(OwnedSerializer)
    2.times { assert_equal "abcd", levels(Class.new(OwnedSerializer)) }
    assert_equal "abcd", levels(OwnedSerializer, view: :sized)
    assert_equal "abcd", levels(Class.new(OwnedSerializer), view: :sized)
  end

  # Without a depth: what a class leads to without a view need not lead back.
  def test_a_view_that_leads_to_its_own_class
    serializer = Class.new(Katsu::Serializer) { attributes :name }
    serializer.view(:tree) { has_many :folders, serializer: serializer }
    assert_equal "ab", levels(serializer, view: :tree)
    assert_equal "ab", levels(Class.new(serializer), view: :tree)
    serializer.view(:endless) { has_many :folders, serializer: serializer, view: :endless }
    assert_raises(Katsu::Error) { levels(serializer, view: :endless) }
  end

  # bin/fuzz serializers found it.
  # Sixteen serializers with six associations each would have millions of plans.
  def test_serializers_that_contain_each_other_in_too_many_ways
    serializers = Array.new(16) { Class.new(Katsu::Serializer) }
    serializers.each_with_index do |serializer, i|
      serializer.class_eval do
        define_singleton_method(:to_s) { "Web#{i}" }
        attributes :id
        6.times { |j| has_many :"a#{j}", serializer: serializers[(i * 3 + j * 5 + 1) % 16], depth: 1 }
      end
    end
    error = assert_raises(Katsu::Error) { serializers[0].new.serialize_to_json(Object.new) }
    assert_match(/\AWeb0: its associations lead back into each other in over 10000 ways; leave some out/, error.message)
    only = {instance: [:a0], a0: {instance: [:a1], a1: [:id]}}
    assert_equal '{"a0":[{"a1":[{"id":1}]}]}',
                 serializers[0].new(only: only).serialize_to_json({a0: [{a1: [{id: 1}]}]})
  end

  # Refused when the plan is compiled, below a depth too.
  def test_an_endless_association_below_one_with_a_depth
    folder, other = Array.new(2) { Class.new(Katsu::Serializer) { attributes :id } }
    folder.has_one :inner, serializer: folder, depth: 1
    folder.has_one :other, serializer: other
    other.has_one :folder, serializer: folder
    error = assert_raises(Katsu::Error) { folder.new(only: {instance: [:inner], inner: [:other]}) }
    assert_match(/:folder leads back into/, error.message)
  end

  def test_an_association_that_is_left_out_within_another_serializer_is_there_on_its_own
    inner = Class.new(Katsu::Serializer) { attributes :x }
    outer = Class.new(Katsu::Serializer) { has_one :one, serializer: inner, depth: 0 }
    inner.has_one :two, serializer: outer, depth: 0
    assert_equal({"one" => {"x" => 1}}, outer.new.serialize(Node.new(0)))
    assert_equal({"x" => 0, "two" => {}}, inner.new.serialize(Node.new(0)))
  end

  # What follows is then the first key.
  def test_an_association_that_is_left_out_before_another
    inner = Class.new(Katsu::Serializer) { attributes :x }
    [0, 1, 2].each do |depth|
      serializer = Class.new(Katsu::Serializer)
      serializer.has_one :one, serializer: serializer, depth: depth
      serializer.has_one :two, serializer: inner
      expected = (0..depth).reverse_each.inject(nil) do |one, level|
        one ? {"one" => one, "two" => {"x" => level + 10}} : {"two" => {"x" => level + 10}}
      end
      assert_equal expected, serializer.new.serialize(Node.new(0))
      assert_equal JSON.generate(expected), serializer.new.serialize_to_json(Node.new(0))
    end
  end

  def test_unknown_names_in_the_filters_of_an_association_that_is_never_entered
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    serializer.has_one :one, serializer: serializer, depth: 0
    assert_equal({"id" => 1}, serializer.new(only: {one: [:id]}).serialize({id: 1}))
    [["x"], {one: ["x"]}, {instance: [:id], one: {one: ["x"]}}].each do |filter|
      error = assert_raises(Katsu::InvalidFilterError, filter.inspect) do
        serializer.new(except: {one: filter}).serialize({id: 1})
      end
      assert_includes error.message, "x"
    end
    [["x"], {one: ["x"]}].each do |filter|
      declaring = Class.new(Katsu::Serializer) { attributes :id }
      declaring.has_one :one, serializer: declaring, depth: 0, except: filter
      error = assert_raises(Katsu::InvalidFilterError, filter.inspect) { declaring.new }
      assert_includes error.message, "x"
    end
  end
end
