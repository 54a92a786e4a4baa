# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "open3"
require "rbconfig"
require "katsu/testing/rspec"

# The matchers for RSpec, which is no gem of the tests: matchers are objects of a protocol.
class TestingRSpecTest < TestCase
  include Katsu::Testing::Matchers

  class NameSerializer < Katsu::Serializer
    attributes :id, :name
    view(:short) { exclude :name }
  end

  def setup
    @author = Author.create!(name: "Ada")
  end

  def test_an_object
    matcher = be_serialized_as({id: Integer, name: "Ada"}, with: NameSerializer)
    assert matcher.matches?(@author)
    assert_equal "expected it not to be serialized by TestingRSpecTest::NameSerializer",
                 matcher.failure_message_when_negated
    assert be_serialized_as([{id: @author.id}]).matches?(NameSerializer.many([@author], view: :short))
    matcher = be_serialized_as({id: @author.id, name: "Bo"}, with: NameSerializer)
    refute matcher.matches?(@author)
    assert_equal "expected it to be serialized by TestingRSpecTest::NameSerializer:\n  " \
                 "name: expected \"Bo\", was \"Ada\"", matcher.failure_message
    assert be_serialized_as(nil, with: NameSerializer).matches?(nil)
    refute_predicate matcher, :supports_block_expectations?
  end

  # Another matcher is a value that matches.
  def test_matchers_within
    inner = Class.new do
      def matches?(value) = value == "Ada"
      alias_method :===, :matches?
      def description = "eq Ada"
    end.new
    assert be_serialized_as({id: Integer, name: inner}, with: NameSerializer).matches?(@author)
    matcher = be_serialized_as({id: inner, name: inner}, with: NameSerializer)
    refute matcher.matches?(@author)
    assert_match(/id: expected eq Ada, was #{@author.id}\z/, matcher.failure_message)
  end

  def test_keys
    assert have_serialized_keys(:id, :name).matches?(NameSerializer)
    assert have_serialized_keys(:id).in(view: :short).matches?(NameSerializer)
    matcher = have_serialized_keys(:id)
    refute matcher.matches?(NameSerializer)
    assert_equal "expected it to have these keys:\n  name: is written and was not expected", matcher.failure_message
    assert_equal "have these keys", matcher.description
  end

  def test_queries
    authors = Author.where(id: @author.id)
    assert use_queries(1).matches?(NameSerializer.many(authors))
    assert use_queries(2).matches?(-> { 2.times { NameSerializer.many(authors).to_json } })
    matcher = use_queries(0)
    refute matcher.matches?(NameSerializer.many(authors))
    assert_match(/\Aexpected it to use 0 queries:\n  expected 0 queries, were 1:\n    SELECT /, matcher.failure_message)
    assert_predicate matcher, :supports_block_expectations?
  end

  def test_queries_of_nothing_and_counts_that_are_none
    [1..2, "1", -1, nil].each do |count|
      assert_equal "Katsu::Testing: #{count.inspect} is no count of queries; accepted is an Integer from 0 on",
                   assert_raises(ArgumentError) { use_queries(count) }.message
    end
    assert_equal "Katsu::Testing: queries are those of a document or a block; give one",
                 assert_raises(ArgumentError) { use_queries(0).matches?(nil) }.message
    assert_match(/queries of an Author; accepted are a document/,
                 assert_raises(ArgumentError) { use_queries(0).matches?(@author) }.message)
  end

  def test_documents_where_they_have_no_meaning
    document = NameSerializer.many(Author.where(id: @author.id))
    matcher = use_queries(1)
    refute matcher.matches?(-> { document })
    assert_match(/were 0:\n    the block returns a Katsu::Document, which is read when it is written/,
                 matcher.failure_message)
    assert_match(/needs no with:/, assert_raises(ArgumentError) do
      be_serialized_as([], with: NameSerializer).matches?(document)
    end.message)
  end

  # With what RSpec offers to those who extend it, and without ActiveSupport.
  def test_alone
    script = <<~RUBY
      module RSpec
        def self.configure = yield(self)
        def self.include(helpers) = Object.include(helpers)
      end
      require "katsu/testing/rspec"
      class S < Katsu::Serializer
        attributes :id
      end
      p be_serialized_as({id: 1}, with: S).matches?({id: 1}), defined?(ActiveSupport)
      begin
        use_queries(0).matches?(-> {})
      rescue ArgumentError => error
        puts error.message
      end
    RUBY
    output = run_ruby(script)
    message = "Katsu::Testing: queries are counted by ActiveSupport::Notifications, which is not loaded"
    assert_equal "true\nnil\n#{message}\n", output.lines.last(3).join
  end

  # RSpec's own module gives matchers and, and or.
  def test_matchers_that_are_joined
    output = run_ruby(<<~RUBY)
      module RSpec
        module Matchers
          module Composable
            def and(other) = ->(value) { matches?(value) && other.matches?(value) }
          end
        end
      end
      require "katsu/testing/rspec"
      extend Katsu::Testing::Matchers
      class S < Katsu::Serializer
        attributes :id
      end
      p have_serialized_keys(:id).and(have_serialized_keys(:id, :name)).call(S)
    RUBY
    assert_equal "false\n", output.lines.last
  end

  private

  def run_ruby(script)
    output, status = Open3.capture2e(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", script)
    assert_predicate status, :success?, output
    output
  end
end
