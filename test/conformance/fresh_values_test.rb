# frozen_string_literal: true

require "support/test_case"

# Values that nothing but Katsu refers to while they are written: what as_json, a method field, a key's to_s or a block
# returns. Each allocation collects garbage. A String of another length stands before each value, so that the buffer
# becomes full before the value, or at any place within it.
#
# The time of a collection grows with the objects of the process, so the tests run in a process of their own, under
# --gc stress too.
class FreshValuesTest < TestCase
  # Whose as_json gives a new object each time.
  Fresh = Struct.new(:make) do
    def as_json(*) = make.call
  end

  class Key
    def to_s = "key " * 3
  end

  VALUES = {
    integers: [-> { [1, 2] }, "[1,2]"], many_integers: [-> { Array.new(30) { _1 } }, "[#{[*0...30].join(",")}]"],
    mixed: [-> { [1, "a".b.force_encoding("UTF-8"), nil, 2.5] }, '[1,"a",null,2.5]'],
    nested: [-> { [[[3]], {"a" => [4]}] }, '[[[3]],{"a":[4]}]'], text: [-> { "t".center(40, "ä") }, nil],
    latin1: [-> { "\xE4".b.force_encoding("ISO-8859-1") * 2 }, '"ää"'], large: [-> { 1 << 80 }, (1 << 80).to_s],
    float: [-> { 1.0e-300 * 1.0e-10 }, "1e-310"], hash: [-> { {"a" * 3 => 5, b: [6]} }, '{"aaa":5,"b":[6]}'],
    large_hash: [-> { Array.new(10) { ["k#{_1}", [_1]] }.to_h }, nil], key: [-> { {Key.new => [7]} }, nil],
    symbol: [-> { :"s#{1}" }, '"s1"'], again: [-> { Fresh.new(-> { [8] }) }, "[8]"]
  }.freeze
  # Up to the size of the buffer on the C stack, 2,048, and around 8,192, the size of the String that follows it.
  LENGTHS = [*(0..2_040).step(120), *(2_010..2_050).step(3), *(8_000..8_190).step(38)].freeze

  # What comes of each value behind a String of each length.
  def assert_written(format = "[%s,%s]", values: VALUES)
    values.each do |name, (make, json)|
      json ||= Katsu.generate(make.call)
      LENGTHS.each do |length|
        text = "x" * length
        written = watched { yield(text, make) }
        assert_equal format(format, text.to_json, json), written, "#{name} behind #{length} bytes"
      end
    end
  end

  if ENV.key?("KATSU_FRESH_VALUES")
    def test_as_json
      assert_written { |text, make| Katsu::Writer.new(as_json: true).push_value([text, Fresh.new(make)]).to_s }
    end

    def test_the_block_of_strict_mode
      # Of what the block returns, the block is not called again for another object, and text has to be UTF-8.
      block = ->(value, _is_key) { value == Object ? @make.call : value.to_s }
      assert_written(values: VALUES.except(:again, :latin1)) do |text, make|
        @make = make
        Katsu.generate([text, Object], strict: true, as_json: block)
      end
    end

    def test_method_fields
      serializer = Class.new(Katsu::Serializer) do
        attributes :text
        attribute(:value) { |source| source[:make].call }
      end
      assert_written('{"text":%s,"value":%s}') { |text, make| serializer.new.serialize_to_json({text:, make:}) }
    end

    def test_pushed_values
      assert_written do |text, make|
        writer = Katsu::Writer.new(as_json: true).push_array.push_value(text)
        writer.push_value(make.call)
        writer.pop.to_s
      end
    end
  else
    def test_in_a_process_of_its_own
      # With its own ratio of free objects, Ruby 3.4 marks the old ones too in each fourth collection.
      output, status = run_again(__FILE__, "KATSU_FRESH_VALUES" => "1", "KATSU_GC" => "stress",
                                           "RUBY_GC_HEAP_FREE_SLOTS_MIN_RATIO" => "0.001")
      assert status.success?, output
      assert_match(/^4 runs, [1-9]\d{3} assertions, 0 failures, 0 errors, 0 skips$/, output)
    end
  end
end
