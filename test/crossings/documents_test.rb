# frozen_string_literal: true

require "support/test_case"
require_relative "all_pairs"
require_relative "documents"

# Every two things of the table in documents.rb meet in one of these tests, which are named by what meets.
class DocumentCrossingsTest < TestCase
  ROWS = AllPairs.rows(Documents::FACTORS)
  KINDS = {Katsu::GeneratorError => JSON::GeneratorError, Katsu::NestingError => JSON::NestingError}.freeze

  ROWS.each do |row|
    define_method(:"test_#{row.values.join("_")}") do
      expected = result(row, 1, ->(elements) { elements })
      assert_equal expected, result(row, 0, ->(elements) { Katsu::Stream.new(elements) }), row.inspect
    end
  end

  def test_every_two_meet
    assert_empty AllPairs.pairs(Documents::FACTORS) - ROWS.flat_map { |row| row.to_a.combination(2).to_a }
  end

  private

  # The text with what is known of it, or the class of what is raised.
  def result(row, side, streams)
    Documents.streams = streams
    value = Documents::PLACES[row[:place]].call(Documents::VALUES[row[:value]])
    text = watched { Documents::SINKS[row[:sink]][side].call(value, Documents::OPTIONS[row[:options]]) }
    [text, text.encoding, text.ascii_only?, text.valid_encoding?]
  rescue StandardError => e
    KINDS.fetch(e.class, e.class)
  end
end
