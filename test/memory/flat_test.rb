# frozen_string_literal: true

require "support/test_case"
require "open3"

# Memory stays flat over many documents, those that raise in the middle included. Each case runs in a process of
# its own, collects after every tenth of the documents, and must not end with more than it had in the middle.
# KATSU_GENERATIONS=10000000 for the long run.
class FlatTest < TestCase
  GENERATIONS = Integer(ENV.fetch("KATSU_GENERATIONS", "40000"))
  # A leak of one document each would be hundreds of megabytes.
  ALLOWED_KB = 16 * 1024

  PRELUDE = <<~'RUBY'
    require "katsu"
    raiser = Object.new
    def raiser.to_json(*) = raise(KeyError, "in the middle")
    thrower = Object.new
    def thrower.to_json(*) = throw(:out)
    serializer = Class.new(Katsu::Serializer) { attributes(*("a".."j").map(&:to_sym)) }
    names = ("a".."j").map(&:to_sym)
    object = names.to_h { |name| [name, name.name] }
    count = 0
    srand(1)
    document = {"list" => (1..50).to_a, "text" => "x" * 3000, "nested" => [{"a" => 1.5}] * 5}
  RUBY

  CASES = {
    "documents" => "Katsu.generate(document)",
    "documents_that_raise" => "begin; Katsu.generate([document, {'a' => [raiser]}]); rescue KeyError; nil; end",
    "documents_that_are_thrown_out_of" => "catch(:out) { Katsu.generate([document, thrower]) }",
    "writers_that_are_left_open" => "Katsu::Writer.new.push_array.push_value(document)",
    "rows_of_drivers" => "100.times { Katsu::Native::SqliteRows.allocate } if defined?(Katsu::Native)",
    "filters_that_are_ever_new" => "serializer.new(only: names.values_at(*((count += 1) % 3000).digits))" \
                                   ".serialize_to_json(object) if rand(10).zero?"
  }.freeze

  CASES.each do |name, code|
    define_method(:"test_#{name}") { assert_flat(code, GENERATIONS / 10) }
  end

  # 5 MB each, of what is written in memory that was used before.
  def test_large_documents
    assert_flat("Katsu.generate(['x' * 10_000] * 500)", [GENERATIONS / 2000, 20].max)
  end

  # Ruby switches them off for its process; they are on while the memory of a large document is mapped.
  def test_huge_pages_are_off_again
    setting = -> { File.read("/proc/self/status")[/THP_enabled:\s+\d/] if File.exist?("/proc/self/status") }
    before = setting.call
    text = Katsu.generate(["x" * 10_000] * 2000)
    assert_equal 2000 * 10_003 + 1, text.bytesize
    before ? assert_equal(before, setting.call) : assert_nil(setting.call)
  end

  def assert_flat(code, times)
    skip "memory is read from /proc, in the plain run" unless File.exist?("/proc/self/status") && normal_run?

    memory = "GC.start; puts File.read('/proc/self/status')[/VmRSS:\\s+(\\d+)/, 1]"
    script = "#{PRELUDE}\n10.times { #{times}.times { #{code} }; #{memory} }"
    output, warnings, status = Open3.capture3(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e",
                                              script)
    assert_predicate status, :success?, warnings
    sizes = output.lines.map { |line| Integer(line) }
    # The bounded caches are full, and have been emptied and filled again, by the sixth.
    assert_operator sizes.last(3).min - sizes.first(6).max, :<, ALLOWED_KB, sizes.inspect
  end

  def test_the_cache_of_filtered_plans_is_bounded
    serializer = Class.new(Katsu::Serializer) { attributes(*("a".."j").map(&:to_sym)) }
    names = ("a".."j").map(&:to_sym)
    1000.times { |number| serializer.new(only: names.values_at(*number.digits)) }
    assert_operator serializer.plans.sum { |_, entries| entries.size }, :<=, Katsu::Plan::Cache::LIMIT
  end
end
