# frozen_string_literal: true

require "support/test_case"
require "tempfile"
require_relative "../../benchmark/support/instructions"

# bin/bench --instructions: which changes of the counts fail.
class InstructionsTest < TestCase
  BEFORE = {"native" => {"small" => 1000, "large" => 100_000}, "ruby" => {"small" => 60_000}}.freeze

  def compare(now) = Benchmarks::Instructions::Comparison.new(BEFORE, now)

  def test_equal_counts_pass
    assert_predicate compare(BEFORE), :passed?
  end

  def test_two_percent_pass
    assert_predicate compare("native" => {"small" => 1020, "large" => 98_000}), :passed?
  end

  def test_growth_fails_and_names_the_row
    comparison = compare("native" => {"small" => 1021, "large" => 100_000})
    refute_predicate comparison, :passed?
    assert_match(/native +small +1000 +1021 +\+2\.10 % +GROWN/, comparison.to_s)
    assert_match(/1 rows take more instructions than the file says/, comparison.to_s)
    refute_match(/out of date/, comparison.to_s)
  end

  def test_a_gain_has_to_be_committed
    comparison = compare("native" => {"small" => 900, "large" => 100_000})
    refute_predicate comparison, :passed?
    assert_match(/SHRUNK/, comparison.to_s)
    assert_match(/out of date: commit what bin\/bench --instructions --update writes/, comparison.to_s)
  end

  def test_rows_that_one_side_lacks_fail
    comparison = compare("native" => {"large" => 100_000, "medium" => 5})
    refute_predicate comparison, :passed?
    assert_equal %i[gone same new], comparison.changes.map(&:verdict)
  end

  def test_a_backend_that_was_not_counted_is_not_compared
    assert_equal ["ruby"], compare("ruby" => {"small" => 60_000}).changes.map(&:backend).uniq
  end

  # Counts by layout, in the place of valgrind; remembers which rows were asked for.
  class Layouts
    def initialize(*counts)
      @counts = counts
      @asked = []
    end

    attr_reader :asked

    def count(rows = nil, layout: 0)
      @asked << rows
      counts = @counts.fetch(layout) { @counts.last }
      [rows ? rows.to_h { |backend, names| [backend, counts.fetch(backend).slice(*names)] } : counts, {}]
    end
  end

  def test_a_row_that_grew_in_one_layout_only_passes
    layouts = Layouts.new({"native" => {"small" => 1070, "large" => 107_000}},
                          {"native" => {"small" => 1001, "large" => 107_000}},
                          {"native" => {"small" => 1001, "large" => 100_000}})
    output, = capture_io { assert_equal 0, gate_with({}, BEFORE.slice("native"), layouts).run }
    assert_equal [nil, {"native" => %w[small large]}, {"native" => %w[large]}], layouts.asked
    assert_match(/2 rows, none changed by more than 2 %/, output)
  end

  def test_a_row_that_grew_in_every_layout_fails
    layouts = Layouts.new({"native" => {"small" => 1030, "large" => 100_000}})
    output, = capture_io { assert_equal 1, gate_with({}, BEFORE.slice("native"), layouts).run }
    assert_equal [nil, *[{"native" => %w[small]}] * (Benchmarks::Instructions::Gate::LAYOUTS - 1)], layouts.asked
    assert_match(/native +small +1000 +1030 +\+3\.00 % +GROWN/, output)
  end

  def test_a_row_that_changed_is_written_with_the_lowest_count_of_several_layouts
    layouts = Layouts.new({"native" => {"small" => 970, "large" => 100_010, "new" => 75}},
                          {"native" => {"small" => 900, "large" => 1, "new" => 70}},
                          {"native" => {"small" => 971, "large" => 1, "new" => 76}})
    file = file_with({}, BEFORE.slice("native"))
    capture_io { assert_equal 0, Benchmarks::Instructions::Gate.new(update: true, file: file, counter: layouts).run }
    assert_equal({"small" => 900, "large" => 100_010, "new" => 70}, JSON.parse(File.read(file)).fetch("native"))
    assert_equal [nil, *[{"native" => %w[small new]}] * 3], layouts.asked
  end

  def test_counts_of_another_build_are_not_compared
    status = nil
    _, message = capture_io { status = gate_with({"ruby" => "another Ruby"}, BEFORE, Layouts.new(BEFORE)).run }
    assert_equal Benchmarks::Instructions::ANOTHER_BUILD, status
    assert_match(/NOT COMPARED/, message)
    assert_match(/ruby: the counts were taken with another Ruby, this is #{Regexp.escape(RUBY_DESCRIPTION)}/, message)
  end

  def gate_with(build, counts, counter)
    Benchmarks::Instructions::Gate.new(update: false, file: file_with(build, counts), counter: counter)
  end

  def file_with(build, counts)
    @file = Tempfile.new(["counts", ".json"])
    @file.write(JSON.generate("taken with" => Benchmarks::Instructions::Builds.current.merge(build), **counts))
    @file.close
    @file.path
  end

  def test_the_committed_counts_say_what_they_were_taken_with
    files = Dir[File.join(Benchmarks::Instructions::FOLDER, "*.json")]
    refute_empty files
    files.each do |file|
      counts = JSON.parse(File.read(file))
      assert_equal Benchmarks::Instructions::Builds.current.keys, counts.fetch("taken with").keys, file
      assert_equal counts.fetch("native").keys, counts.fetch("ruby").keys, file
    end
  end

  DUMP = <<~TEXT
    fl=(1) /somewhere/ext/katsu/plans/sink.c
    fn=(1) write
    0 10
    fi=(2) /ruby/include/rarray.h
    +1 5
    fe=(1)
    calls=1 0
    0 1000
    fl=(3) ./malloc/malloc.c
    fn=(2) malloc
    0 7
    fl=(4) ???
    fn=(3) rb_funcall
    0 3
  TEXT

  def test_instructions_are_added_up_by_area
    assert_equal({"walking the plan" => 15, "allocating" => 7, "Ruby's calls" => 3},
                 Benchmarks::Instructions::Areas.of(DUMP.lines))
  end

  # Counts one row for real. first: the layout it begins with. options: what else Ruby is given.
  class OneRow
    WORKER = File.expand_path("counted_writer.rb", __dir__)

    def initialize(first: 0, options: [])
      @first = first
      @options = options
    end

    def count(_rows = nil, layout: 0)
      count = Benchmarks::Instructions::Count.new("native", layout: @first + layout, options: @options, worker: WORKER)
      [{"native" => count.rows}, count.areas]
    end
  end

  # The lowest of two layouts is compared with the same row, from another layout on, and with a Katsu that does its work
  # twice.
  def test_a_slower_katsu_does_not_pass
    skip "counted once, in the plain run of the native backend" unless native? && normal_run?
    skip "valgrind is not installed" unless File.exist?("/usr/include/valgrind/callgrind.h")

    before = [0, 1].map { |layout| OneRow.new.count(layout: layout).first }.min_by { |rows| rows["native"].values }
    output, = capture_io { assert_equal 0, gate_with({}, before, OneRow.new(first: 1)).run }
    assert_match(/1 rows, none changed by more than 2 %/, output)
    slower = OneRow.new(options: ["-r", File.expand_path("slower_katsu.rb", __dir__)]).count.first
    assert_equal [:grown], Benchmarks::Instructions::Comparison.new(before, slower).changes.map(&:verdict)
  end
end
