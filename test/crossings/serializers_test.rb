# frozen_string_literal: true

require "support/test_case"
require "support/time_settings"
require_relative "all_pairs"
require_relative "serializers"

# Every two things of the table in serializers.rb meet in one of these tests, which are named by what meets.
class SerializerCrossingsTest < TestCase
  include TimeSettings

  ROWS = AllPairs.rows(Crossings::FACTORS) { |row| Crossings.possible?(row) }

  def setup
    @settings = current_settings
    @zone = ENV.fetch("TZ", nil)
    ENV["TZ"] = "Asia/Kathmandu"
  end

  def teardown
    apply(*@settings)
    ENV["TZ"] = @zone
    Crossings::Row.delete_all
  end

  ROWS.each do |row|
    define_method(:"test_#{row.values.join("_")}") { check(row) }
  end

  def test_every_two_meet
    missing = AllPairs.pairs(Crossings::FACTORS) - ROWS.flat_map { |row| row.to_a.combination(2).to_a }
    assert_empty(missing.select { |pair| Crossings.possible?(pair.to_h) })
    assert_equal Crossings::RECORD_STATES.size * Crossings::OTHERS.size, missing.size
  end

  private

  def check(row)
    apply(*Crossings::SETTINGS.fetch(row[:setting]))
    name = row[:column]
    serializer, options = serializer(row[:form], row[:place], name)
    _, (build, wrap), = Crossings::PLACES[row[:place]]
    expected = batch(row, object(row)) do |object|
      object && Crossings::FORMS[row[:form]][1].call(object, name).then { |inner| wrap ? wrap.call(inner) : inner }
    end
    expected = JSON.parse(ActiveSupport::JSON.encode(expected))
    given = batch(row, object(row)) { |object| object && build ? build.call(object) : object }
    actual = watched { Crossings::SINKS[row[:sink]].call(serializer, options, given) }
    assert_equal expected, actual, row.inspect
  end

  # Another object each time, as it is another one once it was read.
  def object(row)
    _, value, other = Crossings::COLUMNS[row[:column]]
    made = Crossings::SOURCES[row[:source]].call({row[:column] => value})
    Crossings::STATES[row[:state]].call(made, row[:column], other)
  end

  def batch(row, object)
    made = Crossings::BATCHES[row[:batch]].call(object)
    made.is_a?(Array) ? made.map { |one| yield one } : yield(made)
  end

  def serializer(form, place, name)
    body = Crossings::FORMS[form][0]
    inner = Class.new(Katsu::Serializer) { class_exec(name, &body) }
    outer_body, _, options = Crossings::PLACES[place]
    return [inner, {}] unless outer_body

    [Class.new(Katsu::Serializer) { class_exec(inner, &outer_body) }, options]
  end
end
