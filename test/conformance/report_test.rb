# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Which short cuts are on. A Ruby on which the tests run has all of them, and a build for an unknown Ruby none.
class ReportTest < TestCase
  MEMORY = %i[places pairs small_hashes].freeze
  UNKNOWN = ENV["KATSU_VARIANT"] == "unknown"

  def teardown
    [Post, Author].each(&:delete_all)
  end

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

  # Each object that is met on the way from a record to its values and associations.
  def test_places_in_what_active_record_makes
    skip "places are the native backend's" unless native? && !UNKNOWN

    author = Author.create!(name: "a")
    Post.create!(title: "t", author: author)
    post = Post.preload(:author).first
    post.title
    set = post.instance_variable_get(:@attributes)
    belongs_to = post.association(:author)
    has_many = Author.preload(:posts).first.association(:posts)
    attribute = set.instance_variable_get(:@attributes).each_value.first || set["title"]
    assert_places(post => %i[@attributes @association_cache], set => %i[@attributes @casted_values @values @types],
                  belongs_to => %i[@target @loaded @stale_state], has_many => %i[@target @loaded],
                  attribute => %i[@type @value_before_type_cast])
  end

  def test_places_of_objects_that_were_asked_for_their_id_or_frozen
    skip "places are the native backend's" unless native? && !UNKNOWN

    with_id = Object.new
    with_id.instance_variable_set(:@a, "a")
    with_id.object_id
    with_id.instance_variable_set(:@b, "b")
    frozen = Object.new
    10.times { |number| frozen.instance_variable_set(:"@v#{number}", number) }
    assert_places(with_id => %i[@a @b], frozen.freeze => %i[@v0 @v9])
  end

  private

  def assert_places(expected)
    expected.each do |object, names|
      names.each { |name| assert_operator Katsu::Native.place(object, name).to_i, :>, 0, "#{object.class} #{name}" }
    end
  end
end
