# frozen_string_literal: true

require "support/test_case"
require "objspace"

# Documents of megabytes: the memory of one that is garbage is used again by the next, which is written in another way
# than fresh memory, and no more of it is kept than the bytes need.
class LargeDocumentsTest < TestCase
  # Each is made so often that later ones lie in the memory of earlier ones.
  TIMES = GC_MODE == "normal" ? 4 : 1

  def assert_generated(document)
    expected = JSON.generate(document)
    assert_operator expected.bytesize, :>, 2 << 20
    TIMES.times do
      assert_equal expected, generate(document), "of #{expected.bytesize} bytes"
      GC.start
    end
  end

  # Bytes around what is copied at once (64), at every distance from the start of a line in memory.
  def test_strings_of_many_lengths_and_escapes
    lengths = (4090..4230).to_a + [9999, 10_000, 70_001]
    assert_generated(lengths.map { |length| "x" * length } * 4)
    assert_generated(Array.new(400) { |i| "#{"a" * (3800 + i * 3)}\"#{"b" * (4096 + i)}\\" })
    assert_generated(Array.new(300) { |i| "#{"ü" * (i % 70)}\n#{"漢字" * 1500}\u0001#{"é" * 1000}" })
  end

  def test_strings_between_other_values
    assert_generated(Array.new(400) { |i| {"id" => i, "text" => "text #{i} " * 900, "list" => [i, nil, 1.5]} })
    assert_generated({"one" => "x" * 3_000_000, "two" => ["y\"" * 600_000]})
  end

  def test_encodings_that_are_transcoded
    text = "é" * 8000
    assert_generated(Array.new(200) { |i| i.even? ? text.encode("UTF-16LE") : text.encode("ISO-8859-1") })
  end

  # The first elements say nothing of those that follow.
  UNEVEN = {
    "strings" => Array.new(500) { "x" * 10_000 },
    "large then small" => [["x" * 300_000] * 3, *Array.new(100_000) { [1] }],
    "small then large" => [*Array.new(100_000) { [1] }, ["x" * 3_000_000]],
    "records" => Array.new(40_000) { |i| {"id" => i, "name" => "name #{i}", "tags" => %w[one two]} },
    "one string" => "x" * 5_000_000,
    "nested" => {"a" => {"b" => Array.new(300) { ["y" * 9000] }}}
  }.freeze

  def test_the_result_keeps_no_more_than_it_needs
    skip "the ruby backend appends to a String of Ruby's, which doubles" unless native?

    UNEVEN.each do |name, document|
      result = generate(document)
      assert_operator ObjectSpace.memsize_of(result), :<=, result.bytesize * 5 / 4 + 8192, name
    end
  end
end
