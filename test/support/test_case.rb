# frozen_string_literal: true

require "minitest"
require "katsu"

wanted = ENV.fetch("KATSU_BACKEND")
abort "the #{wanted} backend was asked for and #{Katsu.backend} is loaded" unless Katsu.backend.to_s == wanted

# A warning about the library's or the tests' own code is a failure.
module RaisingWarnings
  ROOT = File.expand_path("../..", __dir__)

  def warn(message, **)
    own = message.start_with?("#{ROOT}/lib", "#{ROOT}/test") || message.start_with?("katsu:")
    raise "warning: #{message}" if own && !message.match?(/Ractor (API )?is experimental/)

    super
  end
end
Warning.extend(RaisingWarnings)

Minitest.autorun

# The base of all tests. A test that asserts nothing fails.
class TestCase < Minitest::Test
  GC_MODE = ENV.fetch("KATSU_GC", "normal")

  def after_teardown
    super
    flunk "this test asserts nothing" if assertions.zero? && passed? && !skipped?
  end

  # Everything that is to be watched under garbage collection runs in here.
  def watched
    return yield if GC_MODE == "normal"

    before = GC.stress
    begin
      GC.compact if GC_MODE == "compact" && GC.respond_to?(:compact)
      GC.auto_compact = true if GC_MODE == "compact"
      GC.stress = 1 # every allocation collects the young objects; collecting all of a heap with Rails takes hours
      yield
    ensure
      GC.stress = before
      GC.auto_compact = false if GC_MODE == "compact"
    end
  end

  # A third of a long list if each allocation collects garbage, which takes many milliseconds; all of it otherwise.
  def fewer_under_stress(list)
    GC_MODE == "normal" ? list : list.each_slice(3).map(&:first)
  end

  def generate(value, options = nil)
    watched { options ? Katsu.generate(value, options) : Katsu.generate(value) }
  end

  # Objects allocated by the block, once it is warm: the fewest of three rounds, since other threads allocate too. Code
  # that YJIT has compiled, after 120 calls at most, allocates a few Arrays that interpreted code does not.
  def allocations
    130.times { yield }
    Array.new(3) do
      before = GC.stat(:total_allocated_objects)
      20.times { yield }
      (GC.stat(:total_allocated_objects) - before) / 20
    end.min
  end

  # Bytes of the living objects of a class. ObjectSpace.each_object does not find them once there was a second Ractor.
  def memory_of(klass)
    require "objspace"
    ObjectSpace.memsize_of_all(klass)
  end

  # Runs a test file once more, in a process of its own without YJIT. Returns what it printed, and its status.
  def run_again(file, environment = {})
    require "open3"
    paths = $LOAD_PATH.flat_map { |path| ["-I", path] }
    Open3.capture2e(environment, RbConfig.ruby, "-W0", *paths, file)
  end

  def native?
    Katsu.backend == :native
  end

  def normal_run?
    GC_MODE == "normal" && ENV.fetch("KATSU_TEST_MODE", "plain") == "plain"
  end
end
