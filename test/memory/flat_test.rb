# frozen_string_literal: true

require "support/test_case"

# Memory stays flat over many documents, those that raise in the middle included.
# KATSU_GENERATIONS=10000000 for the long run.
class FlatTest < TestCase
  GENERATIONS = Integer(ENV.fetch("KATSU_GENERATIONS", "60000"))
  ALLOWED_KB = 8 * 1024

  def resident_kb
    File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i
  end

  def assert_flat(times = GENERATIONS)
    skip "memory is read from /proc, in the plain run" unless File.exist?("/proc/self/status") && normal_run?

    (times / 4).times { yield }
    GC.start
    before = resident_kb
    times.times { yield }
    GC.start
    assert_operator resident_kb - before, :<, ALLOWED_KB
  end

  def test_documents
    document = {"list" => (1..50).to_a, "text" => "x" * 3000, "nested" => [{"a" => 1.5}] * 5}
    assert_flat { Katsu.generate(document) }
  end

  def test_documents_that_raise
    bad = Object.new
    def bad.to_json(*) = raise(KeyError, "in the middle")
    document = ["x" * 5000, {"a" => [bad]}]
    assert_flat do
      Katsu.generate(document)
    rescue KeyError
      nil
    end
  end

  def test_documents_that_are_thrown_out_of
    thrower = Object.new
    def thrower.to_json(*) = throw(:out)
    assert_flat { catch(:out) { Katsu.generate(["x" * 5000, thrower]) } }
  end

  def test_serializers_with_ever_new_filters
    serializer = Class.new(Katsu::Serializer) { attributes(*("a".."j").map(&:to_sym)) }
    object = ("a".."j").to_h { |name| [name.to_sym, name] }
    names = ("a".."j").map(&:to_sym)
    count = 0
    assert_flat(GENERATIONS / 10) do
      count += 1
      serializer.new(only: names.values_at(*(count % 3000).digits)).serialize_to_json(object)
    end
    assert_operator serializer.plans.sum { |_, entries| entries.size }, :<=, Katsu::Plan::Cache::LIMIT
  end
end
