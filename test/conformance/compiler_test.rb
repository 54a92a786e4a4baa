# frozen_string_literal: true

require "support/test_case"

# What plans are compiled to: which steps in which order, and which plans are one object.
class CompilerTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class PostSerializer < Katsu::Serializer
    has_many :comments, serializer: "CompilerTest::CommentSerializer", depth: 1
    has_one :author, serializer: AuthorSerializer, only: [:name]
    attributes :id, :words
    aliases body: :text
    def words = object.body.split.size
  end

  class CommentSerializer < Katsu::Serializer
    attributes :id
    has_one :post, serializer: PostSerializer, depth: 1
  end

  def plan(serializer = PostSerializer, only: nil, except: nil)
    Katsu::Plan.for(serializer, only, except)
  end

  def step(plan, key)
    plan.steps.find { |step| step.key == key }
  end

  def test_steps_come_by_kind_and_then_as_declared
    expected = [["id", :attribute], ["text", :attribute], ["words", :method],
                ["author", :has_one], ["comments", :has_many]]
    assert_equal(expected, plan.steps.map { |step| [step.key, step.kind] })
  end

  def test_a_step_reads_the_name_and_writes_the_key
    assert_equal [:body, "text", "\"text\":"], step(plan, "text").then { |step| [step.name, step.key, step.json_key] }
  end

  def test_filters_leave_steps_out
    assert_equal %w[id author], plan(only: %i[id author]).steps.map(&:key)
    assert_equal %w[text words author], plan(except: %i[id comments]).steps.map(&:key)
    assert_equal %w[id text], plan(only: %i[id text]).steps.map(&:key), "by the key that is written"
  end

  def test_filters_of_a_declaration_give_way_to_those_of_the_call
    assert_equal %w[name], step(plan, "author").plan.steps.map(&:key)
    called = plan(only: {instance: [:author], author: [:id]})
    assert_equal %w[id], step(called, "author").plan.steps.map(&:key)
  end

  def test_plans_with_equal_filters_are_one_object
    assert_same plan, plan
    assert_same plan(only: [:id]), plan(only: [:id])
    refute_same plan(only: [:id]), plan(only: [:words])
    assert_same plan(AuthorSerializer, only: [:name]), step(plan, "author").plan
  end

  def test_a_plan_within_another_that_leads_back_is_not_kept_for_itself
    inner = step(plan, "comments").plan
    assert_equal 1, step(inner, "post").depth
    assert_nil step(plan(CommentSerializer), "post").depth, "on its own it leads into another serializer"
    refute_same inner, plan(CommentSerializer)
  end

  def test_a_declaration_makes_plans_stale
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    before = plan(serializer)
    serializer.attributes :name
    assert_equal [%w[id], %w[id name]], [before, plan(serializer)].map { |plan| plan.steps.map(&:key) }
  end

  def test_a_plan_says_what_it_is_of
    assert_equal "#<Katsu::Plan CompilerTest::AuthorSerializer: id, name>", plan(AuthorSerializer).inspect
  end

  def test_plans_are_frozen
    assert_predicate plan, :frozen?
    assert_predicate plan.steps, :frozen?
    assert plan.steps.all?(&:frozen?)
  end
end
