# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "logger"
require "stringio"

# Katsu.shadow: the old answer is returned whatever happens, and differences are logged by path.
class ShadowTest < TestCase
  class CommentSerializer < Katsu::Serializer
    attributes :body
  end

  def setup
    @log = StringIO.new
    @logger = Logger.new(@log, formatter: ->(_, _, _, text) { "#{text}\n" })
  end

  def shadow(new, old = nil, rate: 1, **options, &block)
    Katsu.shadow(new, rate: rate, logger: @logger, name: "posts#index", **options, &(block || -> { old }))
  end

  def logged(new, old, **options)
    @log.truncate(0)
    @log.rewind
    assert_same old, shadow(new, old, **options)
    @log.string.lines(chomp: true)
  end

  def test_equal_documents_are_not_logged
    assert_empty logged('{"a":1,"b":[1.0]}', '{ "b": [1], "a": 1 }')
    assert_empty logged({a: [nil]}, {"a" => [nil]})
    assert_empty logged(-> { '{"a":1}' }, {a: 1})
    assert_empty logged(CommentSerializer.many([{body: "b"}]), [{body: "b"}])
  end

  def test_differences_by_path
    old = {posts: [{id: 1, title: "a", tags: [], at: nil}, {id: 2, title: "b", tags: [1], at: nil}], total: 2}
    new = {posts: [{id: "1", title: "c", tags: []}, {id: "2", title: "d", tags: []}], total: 2, page: 1}
    assert_equal ["Katsu.shadow posts#index: 8 differences",
                  "  posts[].id is a string, not a number (2 times, first in posts[0].id)",
                  "  posts[].title is another string (2 times, first in posts[0].title)",
                  "  posts[].at is not in the new document (2 times, first in posts[0].at)",
                  "  posts[].tags has 0 elements, not 1",
                  "  page is only in the new document"], logged(new, old)
    assert_equal ["Katsu.shadow posts#index: 1 difference", "  the document is an array, not an object"], logged([], {})
  end

  # They may be private.
  def test_values_are_named_only_if_that_is_wanted
    refute_match(/secret/, logged({a: "secret"}, {a: "secrets"}).join)
    assert_equal "  a is another string: \"secrets\" / \"secret\"",
                 logged({a: "secret"}, {a: "secrets"}, values: true).last
  end

  def test_the_log_is_bounded
    old = Array.new(1500) { |index| ["k#{index}", 1] }.to_h
    lines = logged({}, old, limit: 3)
    assert_equal [5, "Katsu.shadow posts#index: 1500 differences", "  and 997 more paths"],
                 [lines.size, lines.first, lines.last]
    lines = logged({}, {"a\n" * 500 => "x" * 500}, values: true)
    assert_equal 2, lines.size
    assert_operator lines.last.size, :<, 500
  end

  # Neither what the new document raises, nor what a logger does, reaches the request.
  def test_errors_of_the_new_document_are_logged
    broken = Class.new(Katsu::Serializer) { attribute(:a) { raise "broken" } }
    lines = logged(broken.many([{}]), [{a: 1}])
    assert_equal "Katsu.shadow posts#index: the new document raised RuntimeError: broken", lines.first
    deep = -> { deep.call }
    assert_match(/raised SystemStackError/, logged(deep, 1).first)
    assert_match(/raised NotImplementedError/, logged(-> { raise NotImplementedError }, 1).first)
    failing = Object.new
    assert_equal 1, Katsu.shadow(2, rate: 1, logger: failing) { 1 }
  end

  # A timeout of the request is not the comparison's to rescue.
  # The old answer is given to what writes it, which may not write it by to_json.
  def test_errors_of_the_to_json_of_the_old_answer
    old = Class.new { def to_json(*) = raise("broken") }.new
    assert_equal "Katsu.shadow posts#index: the old document raised RuntimeError: broken", logged("[]", old).first
  end

  def test_other_exceptions_are_raised
    timeout = Class.new(Exception) # rubocop:disable Lint/InheritException
    assert_raises(timeout) { shadow(-> { raise timeout }, 1) }
  end

  def test_errors_of_the_old_document_are_raised
    new = -> { flunk "is rendered" }
    assert_raises(KeyError) { shadow(new) { raise KeyError } }
    assert_empty @log.string
  end

  def test_what_can_be_read_only_once_is_not_read
    body = Object.new
    def body.each = raise("is read")
    [body, [1].each, Katsu::Stream.new([1]), $stdin].each do |old|
      assert_equal ["Katsu.shadow posts#index: not compared: a #{old.class} can be read only once"], logged("[1]", old)
    end
  end

  def test_equal_keys_in_a_json_column
    assert_empty logged('{"a":1,"a":2}', '{"a":2}')
    assert_includes logged(%({"a":1,"a":2}), %({"a":1})).first, "1 difference"
  end

  def test_what_is_not_json
    assert_equal ["Katsu.shadow posts#index: not compared: the old document is not JSON"], logged("1", "<html>")
    assert_equal ["Katsu.shadow posts#index: not compared: the new document is not JSON"], logged("{", "1")
    large = "\"#{"a" * 10_000_000}\""
    assert_match(/the old document has 10000002 bytes/, logged("1", large).first)
    assert_empty logged(large.dup, large)
  end

  def test_nothing_is_rendered_if_it_is_not_compared
    count = 0
    new = -> { count += 1 }
    100.times { shadow(new, 1, rate: 0) }
    assert_equal 0, count
    500.times { shadow(new, 1, rate: 0.5) }
    assert_operator count, :>, 100
    assert_operator count, :<, 400
  end

  def test_threads
    threads = Array.new(4) { |number| Thread.new { Array.new(50) { shadow({a: number}, {a: -1 - number}) } } }
    threads.each_with_index { |thread, number| assert_equal [{a: -1 - number}], thread.value.uniq }
    assert_equal 200, @log.string.scan("1 difference").size
  end

  def test_options_without_a_meaning
    assert_raises_message("Katsu.shadow: rate: 2; accepted is a number from 0 to 1") { shadow(1, 1, rate: 2) }
    assert_raises_message('Katsu.shadow: rate: "1"; accepted is a number from 0 to 1') { shadow(1, 1, rate: "1") }
    assert_raises_message("Katsu.shadow: limit: 0; accepted is a number of lines from 1 on") { shadow(1, 1, limit: 0) }
    assert_raises_message("Katsu.shadow needs a block that returns what is rendered now") { Katsu.shadow(1) }
  end

  # The place of the call, if it has no name.
  def test_the_name
    Katsu.shadow(1, rate: 1, logger: @logger) { 2 }
    assert_match(/shadow_test\.rb:#{__LINE__ - 1}: 1 difference/, @log.string)
  end

  private

  def assert_raises_message(message, &block)
    assert_equal message, assert_raises(ArgumentError, &block).message
  end
end
