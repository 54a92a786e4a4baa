# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Plans are shared by threads and Ractors; what a call finds out is its own.
class ConcurrencyTest < TestCase
  class InnerSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class OuterSerializer < Katsu::Serializer
    attributes :id, :title, :seen
    has_one :author, serializer: InnerSerializer
    def seen = "#{object.is_a?(Hash) ? object[:id] : object.id} #{context}"
  end

  def teardown
    [Post, Author].each(&:delete_all)
  end

  FILTERS = [{}, {only: [:id, :seen]}, {except: [:title]}, {only: {author: [:name]}}, {except: {author: [:id]}}].freeze

  def test_eight_threads_with_other_filters_contexts_and_records
    authors = Array.new(5) { |i| Author.create!(name: "author #{i}") }
    200.times { |i| Post.create!(title: "post #{i}", author: authors[i % 5]) }
    shapes = [Post.includes(:author).order(:id).to_a, Post.select(:id, :author_id, :title).order(:id).to_a,
              Post.order(:id).map do |post|
      {id: post.id, title: post.title, author: {id: post.author_id, name: "h"}}
    end]
    shapes[1].each(&:author)
    jobs = Array.new(40) { |i| [shapes[i % 3], FILTERS[i % 5], "context #{i}"] }
    render = lambda do |objects, filters, context|
      Katsu::ArraySerializer.new(objects, each_serializer: OuterSerializer, context: context, **filters).to_json
    end
    expected = jobs.map { |job| render.(*job) }
    results = Array.new(8) do |t|
      Thread.new do
        jobs.rotate(t * 5).map do |job|
          render.(*job)
        end.rotate(-t * 5)
      end
    end.map(&:value)
    results.each { |result| assert_equal expected, result }
  end

  # Here it is the nested class's filters_for that declares, in the place of another thread.
  def test_what_is_declared_while_a_plan_is_compiled
    outer = Class.new(Katsu::Serializer) { attributes :id }
    inner = Class.new(Katsu::Serializer) do
      attributes :id
      define_singleton_method(:filters_for) do |context, _scope|
        outer.attributes :title if context == :declare
        {}
      end
    end
    outer.has_one :author, serializer: inner
    object = {id: 1, title: "t", author: {id: 2}}
    assert_equal '{"id":1,"author":{"id":2}}', outer.new(context: :declare).serialize_to_json(object)
    assert_equal '{"id":1,"title":"t","author":{"id":2}}', outer.new.serialize_to_json(object)
  end

  def test_classes_that_others_declare_for_while_they_are_used
    outer = Class.new(Katsu::Serializer) { attributes :id }
    child = Class.new(outer)
    names = Array.new(60) { |i| :"name_#{i}" }
    object = names.to_h { |name| [name, 0] }.merge(id: 1)
    users = Array.new(3) { Thread.new { 200.times { child.new.serialize_to_json(object) } } }
    names.each do |name|
      outer.attributes name
      Thread.pass
    end
    users.each(&:join)
    assert_equal [:id, *names].map(&:to_s), child.new.serialize(object).keys
  end

  def test_plans_are_shareable
    assert Ractor.shareable?(InnerSerializer.plan) if native?
    any = Class.new(Katsu::Serializer) { has_many :all, serializer: {"Hash" => InnerSerializer}, only: ["id"],
                                        depth: 2 }
    assert Ractor.shareable?(any.plan) if native?
    assert Ractor.shareable?(any.description)
    assert_predicate OuterSerializer.plan, :frozen?
    assert_same OuterSerializer.plan(nil, []), OuterSerializer.plan
  end

  def test_four_ractors
    skip "json #{JSON::VERSION} keeps settings that Ractors may not read" unless ractors?

    OuterSerializer.plan
    expected = ractor_documents(0)
    20.times do
      ractors = Array.new(4) { |i| Ractor.new(i) { |n| ConcurrencyTest.documents(n) } }
      ractors.each_with_index { |ractor, i| assert_equal ConcurrencyTest.documents(i), ractor_value(ractor) }
    end
    assert_equal expected, ractor_documents(0)
  end

  Reading = Struct.new(:id) { attr_reader :title }

  def test_ractors_that_write_objects
    skip "json #{JSON::VERSION} keeps settings that Ractors may not read" unless ractors?

    serializer = Class.new(Katsu::Serializer) { attributes :id, :title }
    serializer.plan
    ractor = Ractor.new(serializer) { |klass| klass.new.serialize_to_json(Reading.new(3)) }
    assert_equal [%({"id":3,"title":null})] * 2,
                 [serializer.new.serialize_to_json(Reading.new(3)), ractor_value(ractor)]
  end

  # Strings in several encodings: a Regexp that is compiled for each of them is not for Ractors.
  def test_ractors_that_generate
    skip "json #{JSON::VERSION} keeps settings that Ractors may not read" unless ractors?

    5.times do
      ractors = Array.new(4) do
        Ractor.new do
          Array.new(200) do
            Katsu.generate({"a" => [1, 2.5, nil, :s, "é", "\n", "x/"]})
          end.uniq
        end
      end
      assert_equal [[%({"a":[1,2.5,null,"s","é","\\n","x/"]})]], ractors.map { |ractor| ractor_value(ractor) }.uniq
    end
  end

  def self.documents(number)
    objects = Array.new(100) { |i| {id: i, title: "t#{i}", author: {id: number, name: "n"}} }
    Array.new(20) do |i|
      filters = [{}, {only: [:id, :seen]}, {except: [:title]}][i % 3]
      Katsu::ArraySerializer.new(objects, each_serializer: OuterSerializer, context: "#{number} #{i}",
                                          **filters).to_json
    end.join + Katsu.generate({"a" => [1, 2.5, nil, "x"]})
  end

  private

  def ractor_documents(number) = ConcurrencyTest.documents(number)

  # Ruby 4.0 has value in the place of take.
  def ractor_value(ractor)
    ractor.respond_to?(:value) ? ractor.value : ractor.take
  end

  def ractors?
    ractor_value(Ractor.new { JSON.generate([1]) }) == "[1]"
  rescue Ractor::RemoteError
    false
  end
end
