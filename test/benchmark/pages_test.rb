# frozen_string_literal: true

require "support/test_case"
require_relative "../../benchmark/support/pages"

# Tables and charts are made of the committed result files and say nothing else.
class PagesTest < TestCase
  def setup
    skip "the files are the same in every mode" unless normal_run?
  end

  def test_what_is_committed_is_what_the_result_files_say
    Benchmarks::Pages.files.each do |path, content|
      committed = File.join(Benchmarks::Pages::ROOT, path)
      assert_path_exists committed
      assert_equal content, File.read(committed), "#{path}: run bin/bench --report and commit what it writes"
    end
  end

  def test_the_readme_has_places_for_both_tables
    readme = File.read(File.join(Benchmarks::Pages::ROOT, "README.md"))
    assert_equal %w[records documents], readme.scan(Benchmarks::Pages::PLACE).map { |match| match[1] }
  end

  def test_a_changed_figure_changes_the_readme
    variants = Benchmarks::Pages.variants
    before = Benchmarks::Pages.files(variants).fetch("README.md")
    variants.first.row("active_record", "Simple", 50)[:peers][:panko][:ratio] = 77.77
    assert_includes Benchmarks::Pages.files(variants).fetch("README.md").lines - before.lines,
                    before.lines.grep(/^\| five columns/).first.sub(/five columns \| [\d.]+/, "five columns | 77.8")
  end

  def test_the_main_variant_is_the_newest_ruby_with_yjit
    assert_equal "4.0 YJIT", Benchmarks::Pages.variants.first.name
  end

  def test_a_row_under_its_target_says_so
    variants = Benchmarks::Pages.variants
    row = variants.first.row("active_record", "Simple", 50)
    row[:met] = false
    assert_match(/^\| Simple \| 50 \| [\d.]+ \(of 9\)/, Benchmarks::Pages::Tables.new(variants).variants)
  end

  def test_another_document_is_no_peer_of_the_ratio
    row = {other_document: ["b"], peers: {a: {ratio: 3.0}, b: {ratio: 2.0}}}
    assert_in_delta 3.0, Benchmarks::Pages::Variant.ratio(row)
  end
end
