# frozen_string_literal: true

require "support/test_case"
require "tempfile"
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

  def test_the_row_that_is_farthest_under_its_target_comes_first
    variants = Benchmarks::Pages.variants
    variants.first.row("active_record", "Simple", 50)[:peers][:panko][:ratio] = 0.25
    page = Benchmarks::Pages.files(variants).fetch("docs/performance.md")
    assert_match(/\A\| active_record, Simple \| 50 \| 0\.25 \| .* \| 9 \|\n\z/, page.lines.grep(/^\| /)[2])
  end

  def test_equal_rows_stand_in_the_order_of_the_file
    rows = Array.new(40) do |size|
      {table: "t", row: "r", size: size, target: 2, peers: {panko: {ratio: 0.5, low: 0.4, high: 0.6}}}
    end
    table = Benchmarks::Pages::Tables.new([variant(*rows)]).closest
    assert_equal [*0...table.lines.size - 2], table.scan(/^\| t, r \| (\d+) /).flatten.map { |size| Integer(size) }
  end

  def test_jruby_is_the_last_variant
    jruby = variant(of: {engine: "jruby", ruby: "3.1.7", jit: nil, backend: "ruby"})
    assert_equal ["4.0 YJIT", "JRuby"], [jruby, variant].sort_by(&:order).map(&:name)
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

  # A variant with rows that no committed file may have yet.
  def variant(*rows, of: {ruby: "4.0.2", jit: "YJIT", backend: "native"})
    file = Tempfile.new(["figures", ".json"])
    rows = rows.map { |row| {other_document: [], **row} }
    file.write(JSON.generate(variant: of, taken_with: {}, rows: rows))
    file.close
    Benchmarks::Pages::Variant.new(file.path)
  end

  def charts(*rows) = Benchmarks::Pages::Charts.new([variant(*rows)])

  def peer(ips) = {ips: ips, ratio: 2.0, low: 1.9, high: 2.1}

  def test_growth_is_drawn_by_the_record_by_the_byte_and_side_by_side
    made = charts(*[1, 1000].map do |size|
      {table: "growth", row: "records, Simple", size: size, ips: 1e6 / size, peers: {panko: peer(1e5 / size)}}
    end, *[10, 5_000_000].map do |size|
      {table: "growth", row: "bytes", size: size, ips: 1e9 / size, peers: {json: peer(5e8 / size)}}
    end, {table: "growth", row: "threads", size: 4, ips: 300, peers: {json: peer(100)}})
    assert_match(/Nanoseconds a record.*Katsu, records, Simple.*panko, records, Simple/m, made.send(:growth))
    assert_match(/>1k<.*>1,000</m, made.send(:growth))
    assert_match(/Nanoseconds a byte.*>10<.*>5M<.*>1<.*>2</m, made.send(:bytes))
    assert_match(/side by side.*threads.*>4<.*>1,200</m, made.send(:side_by_side))
  end

  def test_each_peer_is_drawn_and_in_the_table
    row = {row: "SQLite: posts", size: 50, ips: 9000, peers: {panko: peer(3000), alba: peer(1000)}}
    made = charts({table: "request_peers", **row})
    assert_match(/with its query.*Katsu.*>9,000<.*panko.*>3,000<.*alba.*>1,000</m, made.send(:request_peers))
    table = Benchmarks::Pages::Tables.new([variant({table: "request_peers", **row})]).peers
    assert_includes table, "| SQLite: posts | 50 | 2.0 | 2.0 |"
  end

  def test_another_document_is_no_peer_of_the_ratio
    row = {other_document: ["b"], peers: {a: {ratio: 3.0}, b: {ratio: 2.0}}}
    assert_in_delta 3.0, Benchmarks::Pages::Variant.ratio(row)
  end
end
