# frozen_string_literal: true

require "minitest/autorun"
require "tmpdir"
require_relative "documentation"
require_relative "signatures"

# The checks of this folder find what is wrong.
class ChecksTest < Minitest::Test
  SOURCE = <<~RUBY
    module Katsu
      # Counts things.
      class Sample
        def silent(first) = first

        # Takes first.
        def taking(first) = first

        # Returns it.
        def returning(second) = second

        # Returns first.
        def raising(first)
          raise ArgumentError if first
        end

        # Returns first. Raises ArgumentError.
        def good(first)
          raise ArgumentError if first

          first
        end

        # A name.
        attr_reader :name
      end
    end
  RUBY

  SIGNATURES = <<~RBS
    module Katsu
      class Sample
        def taking: (untyped first, untyped second) -> untyped
        def good: (untyped first) -> untyped
        def gone: () -> void
      end
    end
  RBS

  def setup
    @folder = Dir.mktmpdir
    file = File.join(@folder, "lib/katsu/sample.rb")
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, SOURCE)
    load file
    @entries = PublicAPI.entries([Katsu::Sample])
  end

  def teardown
    Katsu.send(:remove_const, :Sample)
    FileUtils.rm_rf(@folder)
  end

  def test_documentation
    expected = {
      "silent" => ["a comment"], "taking" => ["a word on what it returns"],
      "returning" => ["a word on its parameter second"],
      "raising" => ["a word on raising ArgumentError"]
    }
    found = Documentation.new(@folder).faults(@entries).group_by { |fault| fault[/#(\w+)/, 1] }
    assert_equal expected, found.transform_values { |faults| faults.map { |fault| fault[/ lacks (.+)/, 1] } }
  end

  def test_signatures
    File.write(File.join(@folder, "sample.rbs"), SIGNATURES)
    faults = Signatures.new([@folder]).faults(@entries)
    %w[silent returning raising name].each { |name| assert_includes faults,
                                            "Katsu::Sample##{name} has no signature in sig/" }
    assert(faults.any? { |fault| fault.start_with?("Katsu::Sample#taking: the signature") })
    assert_includes faults, "Katsu::Sample#gone has a signature and does not exist"
    assert_equal 6, faults.size
  end

  def test_a_module_that_nobody_decided_on
    assert_includes PublicAPI.undecided, "Katsu::Sample"
  end
end
