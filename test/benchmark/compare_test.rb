# frozen_string_literal: true

require "support/test_case"
require "open3"
require_relative "../../benchmark/support/compare/report"

# bin/compare: what it says of the figures of two versions.
class CompareTest < TestCase
  BEFORE = {"native" => {"a" => 1000, "b" => 2000, "old" => 5}, "ruby" => {"a" => 9000}}.freeze
  AFTER = {"native" => {"a" => 1030, "b" => 1900, "new" => 7}, "ruby" => {"a" => 9010}}.freeze

  def report(kind) = Benchmarks::VersionComparison.new(kind, BEFORE, AFTER).to_s

  def test_each_row_of_both_versions
    assert_equal [["native", "a", 1000, 1030], ["native", "b", 2000, 1900], ["native", "old", 5, nil],
                  ["native", "new", nil, 7], ["ruby", "a", 9000, 9010]],
                 Benchmarks::VersionComparison.new("time", BEFORE, AFTER).rows
  end

  def test_changes_of_instructions
    lines = report("instructions").lines
    assert_match(/native +a +1000 +1030 +\+3\.00 %  slower$/, lines[1])
    assert_match(/native +b +2000 +1900 +-5\.00 %  faster$/, lines[2])
    assert_match(/native +old +5 +- +only in one$/, lines[3])
    assert_match(/native +new +- +7 +only in one$/, lines[4])
    assert_match(/ruby +a +9000 +9010 +\+0\.11 %$/, lines[5])
    assert_equal "3 rows, instructions: 1 slower, 1 faster by more than 2 %", lines.last
  end

  def test_times_vary_more
    assert_equal "3 rows, nanoseconds: 0 slower, 0 faster by more than 10 %", report("time").lines.last
  end

  def test_the_command_says_how_it_is_called
    output, status = Open3.capture2e(File.expand_path("../../bin/compare", __dir__))
    refute_predicate status, :success?
    assert_match(/usage: bin\/compare REF \[REF\]/, output)
  end

  def test_a_version_that_does_not_exist
    output, status = Open3.capture2e(File.expand_path("../../bin/compare", __dir__), "no-such-version")
    refute_predicate status, :success?
    assert_match(/git knows no no-such-version/, output)
  end
end
