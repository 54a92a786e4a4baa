# frozen_string_literal: true

require "support/test_case"
require_relative "all_pairs"
require_relative "writers"

# Every two things of the table in writers.rb meet in one of these tests, which are named by what meets.
class WriterCrossingsTest < TestCase
  ROWS = AllPairs.rows(Writers::FACTORS) { |row| Writers.possible?(row) }

  ROWS.each do |row|
    define_method(:"test_#{row.values.join("_")}") { assert_equal expected(row), written(row), row.inspect }
  end

  def test_every_two_meet
    assert_empty AllPairs.pairs(Writers::FACTORS) - ROWS.flat_map { |row| row.to_a.combination(2).to_a }
  end

  private

  # A member that is refused is not in the document.
  def expected(row)
    first = JSON.generate("a" => "ü" * Writers::LENGTHS[row[:length]])[1...-1]
    member = begin
      value = JSON.generate(Documents::VALUES[row[:value]])
      ",#{JSON.generate(Writers::KEYS[row[:key]].to_s)}:#{format(Writers::TEXTS[row[:push]], value)}"
    rescue JSON::JSONError
      ""
    end
    levels = Writers::LEVELS[row[:level]]
    "#{"[" * levels}{#{first}#{member}}#{"]" * levels}"
  end

  def written(row)
    return text(row, Katsu::Writer.new).to_s unless Writers::TARGETS[row[:target]]

    Documents.written { |io| text(row, Katsu::Writer.new(io)) }
  end

  def text(row, writer)
    levels = Writers::LEVELS[row[:level]]
    watched do
      levels.times { writer.push_array }
      writer.push_object.push_value("ü" * Writers::LENGTHS[row[:length]], "a")
      attempt { Writers::BEFORE[row[:before]].call(writer) }
      push(row, writer)
      writer.pop
      levels.times { writer.pop }
    end
    writer
  end

  # What is pushed in several calls is refused as a whole here.
  def push(row, writer)
    value = Documents::VALUES[row[:value]]
    key = Writers::KEYS[row[:key]]
    return unless attempt { JSON.generate([value, key.to_s]) }

    Writers::PUSHES[row[:push]].call(writer, value, key)
  end

  def attempt
    yield
  rescue KeyError, Katsu::Error, JSON::JSONError, TypeError
    nil
  end
end
