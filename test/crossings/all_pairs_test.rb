# frozen_string_literal: true

require "support/test_case"
require_relative "all_pairs"

class AllPairsTest < TestCase
  FACTORS = {a: [1, 2, 3], b: %i[x y z w], c: [true, false], d: [1, 2, 3]}.freeze

  def covered(rows) = rows.flat_map { |row| row.to_a.combination(2).to_a }.uniq

  def test_each_pair_of_values_of_two_factors_occurs
    rows = AllPairs.rows(FACTORS)
    assert_empty AllPairs.pairs(FACTORS) - covered(rows)
    assert_equal FACTORS.keys, rows.flat_map(&:keys).uniq
    assert_operator rows.size, :<=, 18
    assert_operator rows.size, :>=, 12 # of the two largest factors
  end

  def test_the_same_rows_each_time
    assert_equal AllPairs.rows(FACTORS), AllPairs.rows(FACTORS)
  end

  def test_what_cannot_be_is_in_no_row
    possible = ->(row) { !(row[:a] == 1 && row[:b] == :x) && !(row[:c] && row[:d] == 3) }
    rows = AllPairs.rows(FACTORS, &possible)
    assert(rows.all?(&possible))
    assert_empty AllPairs.pairs(FACTORS).select { |pair| possible.call(pair.to_h) } - covered(rows)
  end

  def test_a_pair_that_no_row_can_have
    assert_raises(RuntimeError) { AllPairs.rows({a: [1, 2], b: [1], c: [1]}) { |row| row[:a] != 1 || row[:c].nil? } }
  end
end
