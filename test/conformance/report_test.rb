# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Which short cuts are on. A Ruby on which the tests run has all of them, and a build for an unknown Ruby none.
class ReportTest < TestCase
  MEMORY = %i[places pairs small_hashes].freeze
  UNKNOWN = ENV["KATSU_VARIANT"] == "unknown"

  def test_a_line_for_each
    lines = Katsu.report.lines(chomp: true)
    assert_match(/\AKatsu #{Katsu::VERSION}, #{Katsu.backend} backend, json \S+, ruby /, lines.first)
    assert_equal Katsu::Report.short_cuts.size, lines.size - 1
    lines.drop(1).each { |line| assert_match(/\A  (places|rows|pairs|small Hashes|SIMD) +(on|off): \S/, line) }
  end

  def test_the_ruby_backend_has_one
    skip "the native backend has others" if native?

    assert_equal ["the ruby backend has none"], Katsu::Report.short_cuts.except(:rows).values.uniq
    skip "rows of ActiveRecord 7 are Hashes" unless defined?(ActiveRecord::Result::IndexedRow)

    Katsu::Portable::RecordRow.instance_variable_set(:@available, nil) # found out once: by this test
    assert_equal true, Katsu::Report.short_cuts[:rows]
  end

  def test_a_tested_ruby_has_all_of_them
    skip "short cuts are the native backend's" unless native?
    skip "this build is to have none" if UNKNOWN

    version = RUBY_VERSION[/\A\d+\.\d+/]
    skip "Ruby #{version} is not in the list" unless Katsu::Report::TESTED.include?(version)

    assert_equal({places: true, rows: true, pairs: true, small_hashes: true}, Katsu::Report.short_cuts.except(:simd))
    known = RbConfig::CONFIG["host_cpu"].match?(/\A(x86_64|aarch64|arm64)\z/)
    assert_includes %w[SSE2 AVX2 NEON], Katsu::Native.simd if known
  end

  def test_an_unknown_ruby_has_none_of_memory
    skip "this Ruby is known" unless native? && UNKNOWN

    MEMORY.each { |name| assert_match(/unknown Ruby/, Katsu::Report.short_cuts[name], name) }
    assert_equal true, Katsu::Report.short_cuts[:rows]
    assert_nil Katsu::Native.place(Object.new.tap { |object| object.instance_variable_set(:@a, 1) }, :@a)
  end
end
