# frozen_string_literal: true

require "support/test_case"
require "socket"
require "stringio"
require "tempfile"
require "zlib"

# Documents written as they are made: to ios of every kind, and from elements that come one by one.
class StreamTest < TestCase
  DOCUMENT = {"rows" => Array.new(4000) { |i| {"id" => i, "name" => "näme #{i}", "text" => "x" * (i % 50)} }}.freeze
  TEXT = JSON.generate(DOCUMENT).freeze

  class Once
    def initialize(&block) = @block = block
    def each(&block) = @block.call(block)
  end

  def stream(elements) = Katsu::Stream.new(elements)

  # The pieces that an io receives.
  def chunks(value, options = {})
    pieces = []
    io = Object.new.tap do |object|
      object.define_singleton_method(:write) do |text|
        pieces << text
        text.bytesize
      end
    end
    watched { Katsu.dump(value, io, **options) }
    pieces
  end

  # A part of a character is wrong text for an io that has an encoding.
  def test_chunks_end_at_characters
    ["é", "漢", "😀", "\u2028", "\"é", "é\n漢\"😀", "ÿ\n漿\"🌿"].each do |text|
      [{}, {script_safe: true}, {ascii_only: true}, {indent: text, array_nl: "\n"}].each do |options|
        3.times do |shift|
          value = ["x" * shift, *([text * 900] * (90_000 / (text.bytesize * 900))), [text] * 1000, {text => text * 9},
                   text * 9000]
          pieces = chunks(value, options)
          assert_operator pieces.size, :>, 1
          assert pieces.all?(&:valid_encoding?), [text, options, shift].inspect
          assert_equal Katsu.generate(value, options), pieces.join
        end
      end
    end
  end

  # With line breaks and without.
  def test_layout
    layouts = [{indent: "  "}, {array_nl: "\n"}, {indent: "\t", array_nl: "\n"}, {space: " "}, {object_nl: "\n"}]
    [[], [1, [2], {"a" => 3}]].each do |elements|
      layouts.each do |options|
        expected = Katsu.generate([{"a" => [elements]}], options)
        assert_equal expected, Katsu.generate([{"a" => [stream(elements)]}], options), options.inspect
      end
    end
  end

  def test_a_fragment_that_ends_in_the_middle_of_a_character
    halves = ["x" * 65_530, Katsu::Fragment.new("\"\xE6".b), Katsu::Fragment.new("\xBC\xA2\"".b)]
    assert_equal generate(halves), chunks(halves).join
    assert_equal generate(halves.first(2)).b, chunks(halves.first(2)).join.b
  end

  # What may be the beginning of a character stays for the next chunk; what no character is does not.
  def test_where_a_chunk_ends
    skip "the ruby backend ends chunks elsewhere" unless native?

    start = "\"#{"x" * 70_000}".b
    {"\xC3" => "\xA9", "\xE6\xBC" => "\xA2", "\xE2\x80" => "\xA8", "\xF0" => "\x9F\x98\x80", "\xF0\x9F" => "\x98\x80",
     "\xF0\x9F\x98" => "\x80"}.each do |first, rest|
      pieces = chunks([Katsu::Fragment.new(start + first.b), Katsu::Fragment.new("#{rest}\"".b)])
      assert_equal ["[", start, "#{first},#{rest}\"]"].map(&:b), pieces.map(&:b)
    end
    ["\xF0\x9F\x98\x80", "\xF0\x80\x80\x80\x80", "\x80", "\xC3\x7F"].each do |last|
      text = start + last.b
      assert_equal ["[", text, ",1]"], chunks([Katsu::Fragment.new(text), 1]).map(&:b)
      assert_equal [text], chunks(Katsu::Fragment.new(text)).map(&:b)
    end
  end

  def test_chunks_have_their_size_again_after_a_large_element
    small = ["x" * 100] * 3000
    large = chunks([small, "é" * 500_000, small, "\"" * 300_000, small]).map(&:bytesize)
    assert_operator large.count { |size| size > 66_000 }, :<=, 5
    assert_operator large.last(4).max, :<=, 66_000
    assert_operator large.size, :<, 40
    writer = Katsu::Writer.new(StringIO.new)
    assert_same writer, writer.push_array.push_value("x" * 500_000).push_value(small).pop
  end

  def test_an_array_of_large_elements_is_not_gathered
    assert_operator chunks(["x" * 70_000] * 100).map(&:bytesize).max, :<=, 70_100
  end

  def test_elements_come_one_by_one
    assert_equal "[1,\"two\",[3]]", generate(stream([1, "two", [3]].each))
    assert_equal %({"a":[0,2,4],"b":[]}), generate({"a" => stream((0..).lazy.map do |n|
      n * 2
    end.first(3).each), "b" => stream([].each)})
    assert_equal %([["a",1],["b",2]]), generate(stream({"a" => 1, "b" => 2}))
    assert_equal %([["x",0],["y",1]]), generate(stream(%w[x y].each_with_index))
    assert_equal "[[1]]", generate([stream([1])], strict: true)
    assert_equal JSON.pretty_generate([[1, [2]], []]), watched {
      Katsu.pretty_generate([stream([1, stream([2])]), stream([])])
    }
    assert_raises(Katsu::NestingError) { generate([stream([[1]])], max_nesting: 2) }
  end

  def test_of_a_class_of_its_own
    assert_equal "[[1,2]]", generate([Class.new(Katsu::Stream).new([1, 2])])
  end

  def test_a_subclass_with_a_to_json_or_an_as_json_of_its_own
    text = Class.new(Katsu::Stream) { def to_json(state = nil, *) = Katsu.generate({"own" => 1}, state) }
    tree = Class.new(Katsu::Stream) { def as_json(*) = {"own" => [1]} }
    around = Class.new(Katsu::Stream) { def to_json(state = nil, *) = %({"data":#{super}}) }
    assert_equal '[{"own":1}]', generate([text.new([2])])
    assert_equal '[{"own":[1]}]', generate([tree.new([2])])
    assert_equal '{"own":[1]}', tree.new([2]).to_json
    assert_equal '[{"data":[2]}]', generate([around.new([2])])
    assert_equal '[{"own":[1]}]', watched { Katsu::Writer.new(as_json: true).push_value([tree.new([2])]).to_s }
    assert_raises(Katsu::GeneratorError) { generate([text.new([2])], strict: true) }
  end

  def test_errors_say_which_element
    error = assert_raises(Katsu::GeneratorError) { generate({a: stream([1, [2], {b: Float::NAN}])}) }
    assert_equal "a[2].b", error.path
  end

  def test_other_generators_take_it
    assert_equal "[1,2]", stream([1, 2]).to_json
    assert_equal "[1,2]", stream([1, 2]).to_json(prefixes: ["a"], status: 200) if defined?(ActiveSupport::JSON)
    assert_equal "[[1,2]]", JSON.generate([stream([1, 2])])
    assert_equal [1, 2], stream([1, 2]).as_json
    assert_equal [2], stream([1, 2]).select(&:even?)
  end

  # As an Array of the elements.
  def test_options_of_as_json
    record = Class.new do
      def as_json(options = nil) = {"id" => 1, "secret" => 2}.except(*Array(options && options[:except]).map(&:to_s))
    end
    options = {except: [:secret]}
    assert_equal [{"id" => 1}], stream([record.new]).as_json(options)
    assert_equal [{"id" => 1, "secret" => 2}], stream([record.new]).as_json
    assert_equal({except: [:secret]}, options)
  end

  def test_as_json_has_all_values_that_are_yielded
    none = Once.new { |block| block.call }
    [stream(%w[a b].each_with_index), stream({"x" => 1}), stream(none), stream([[1, 2], 3])].each do |elements|
      assert_equal JSON.parse(generate(elements)), elements.as_json
      assert_equal generate(elements), elements.to_json
    end
    assert_equal [[]], stream(none).as_json
  end

  # A record is what has an as_json of its own, and no to_json.
  def test_records_of_any_type
    kinds = {Class.new => [], StringIO => [], Struct.new(:a) => [], Numeric => [], Regexp => ["a"], Module => []}
    records = kinds.map { |kind, given| Class.new(kind) { def as_json(*) = {"a" => 1} }.new(*given) }
    assert_equal "[#{(['{"a":1}'] * kinds.size).join(",")}]", generate(stream(records))
  end

  # Of one class one element may be a record, and others become records later.
  def test_records_by_methods_of_their_own
    text = Class.new { def to_s = "x" }
    own = text.new
    def own.as_json(*) = {"s" => 1}
    defining = Class.new { define_method(:to_json) { |*| text.class_eval { def as_json(*) = {"l" => 1} } && "0" } }.new
    assert_equal '[{"s":1},"x",{"s":1}]', generate(stream([own, text.new, own]))
    assert_equal '["x",0,{"l":1},{"s":1}]', generate(stream([text.new, defining, text.new, own]))
  end

  def test_nothing_is_kept
    skip "memory is measured without GC modes" unless normal_run?

    io = Class.new { def write(text) = text.bytesize }.new
    rows = Enumerator.new { |yielder| 60_000.times { |i| yielder << {"id" => i, "text" => "x" * 40} } }
    Katsu.dump(stream(rows), io)
    GC.start
    before = GC.stat(:heap_live_slots)
    most = 0
    Katsu.dump(stream(rows.lazy.each_with_index.map do |row, i|
      most = [most, GC.start(full_mark: false) && 0 || GC.stat(:heap_live_slots)].max if (i % 10_000).zero?
      row
    end), io)
    assert_operator most - before, :<, 30_000
  end

  def test_elements_that_raise_or_leave
    bad = Enumerator.new do |yielder|
      yielder << 1
      raise KeyError, "mine"
    end
    assert_raises(KeyError) { generate([stream(bad)]) }
    assert_equal :out, catch(:done) {
      generate(stream(Enumerator.new { |yielder|
        yielder << 1
        throw :done, :out
      }))
    }
    assert_equal "[[1]]", generate([[1]])
  end

  def test_a_block_that_is_kept
    kept = nil
    once = Once.new do |block|
      kept = block
      block.call(1)
    end
    assert_equal "[1]", generate(stream(once))
    assert_match(/yielded after/, assert_raises(Katsu::Error) { kept.call(2) }.message)
    failed = Once.new do |block|
      kept = block
      raise KeyError
    end
    assert_raises(KeyError) { generate(stream(failed)) }
    assert_raises(Katsu::Error) { kept.call(2) }
  end

  # Half an element is in the document then.
  def test_an_error_that_each_rescues
    bad = Class.new { def to_json(*) = raise("x") }.new
    rescued = lambda do |element|
      Once.new do |block|
        block.call(element)
      rescue RuntimeError, Katsu::Error
        nil
      end
    end
    assert_match(/ended after an element/, assert_raises(Katsu::Error) do
      generate([stream(rescued.([[bad]]))])
    end.message)
    on = Once.new { |block| 3.times { begin; block.call([{"x" => "\xff"}]); rescue Katsu::GeneratorError; nil; end } }
    assert_match(/went on after an element/, assert_raises(Katsu::Error) { generate([stream(on)]) }.message)
    again = Once.new do |block|
      block.call(Class.new do
        define_method(:to_json) do |*|
          block.call(1)
          "2"
        end
      end.new)
    end
    assert_raises(Katsu::Error) { generate(stream(again)) }
  end

  def test_a_fiber_that_is_abandoned
    kept = nil
    -> {
      Fiber.new do
        Katsu.generate([stream(Once.new do |block|
          kept = block
          block.call(1)
          Fiber.yield
        end)])
      end.resume
      nil
    }.call
    200.times { Fiber.new { Fiber.yield }.resume }
    5.times { GC.start }
    assert_match(/another fiber/, assert_raises(Katsu::Error) { kept.call([{"x" => [1, "a" * 30_000]}]) }.message)
  end

  def test_elements_of_another_fiber
    other = Once.new { |block| Fiber.new { block.call(1) }.resume }
    assert_match(/another fiber/, assert_raises(Katsu::Error) { generate([stream(other)]) }.message)
  end

  def test_what_is_no_source
    assert_match(/Integer has no each/, assert_raises(ArgumentError) { stream(5) }.message)
  end

  def test_fibers_inside
    numbers = Enumerator.new { |yielder| 3.times { |i| yielder << i } }
    outer = Enumerator.new { |yielder| 3.times { yielder << numbers.next } }
    assert_equal "[0,1,2]", generate(stream(outer))
  end

  def test_files_and_compressed_files
    Tempfile.create("katsu") do |file|
      assert_same file, watched { Katsu.dump(DOCUMENT, file) }
      file.flush
      assert_equal TEXT, File.read(file.path, encoding: "UTF-8")
    end
    packed = StringIO.new("".b)
    gzip = Zlib::GzipWriter.new(packed)
    Katsu.dump(DOCUMENT, gzip)
    gzip.finish
    assert_equal TEXT, Zlib.gunzip(packed.string).force_encoding("UTF-8")
  end

  def test_sockets
    one, other = UNIXSocket.pair
    reader = Thread.new { other.read }
    Katsu::Coder.new.dump(DOCUMENT, one)
    one.close
    assert_equal TEXT, reader.value.force_encoding("UTF-8")
  ensure
    other&.close
  end

  # What has an encoding of its own writes all, and returns how many bytes it made of it.
  def test_ios_of_another_encoding
    Tempfile.create("katsu") do |file|
      File.open(file.path, "w:ISO-8859-1") { |io| Katsu.dump(["é" * 50, "a"], io) }
      assert_equal %(["#{"é" * 50}","a"]), File.read(file.path, encoding: "ISO-8859-1:UTF-8")
    end
    text = StringIO.new("".encode("UTF-16LE"))
    Katsu::Coder.new.dump(["é"], text)
    assert_equal %(["é"]), text.string.force_encoding("UTF-16LE").encode("UTF-8")
  end

  def test_what_is_written_has_left_the_buffers
    Tempfile.create("katsu") do |file|
      Katsu.dump([1], file)
      assert_equal "[1]", File.read(file.path)
    end
    reader, writer = IO.pipe
    writer.sync = false
    Katsu::Coder.new.dump([2], writer)
    assert_equal "[2]", reader.read_nonblock(10)
  ensure
    [reader, writer].each { |io| io&.close }
  end

  def test_ios_that_fail
    slow = Object.new.tap { |io| io.define_singleton_method(:write) { |text| [text.bytesize, 7919].min } }
    assert_match(/Object#write took 7919 of \d+ bytes/, assert_raises(Katsu::Error) do
      Katsu.dump(DOCUMENT, slow)
    end.message)
    stuck = Object.new.tap { |io| io.define_singleton_method(:write) { |_| 0 } }
    assert_match(/write took 0 of \d+ bytes/, assert_raises(Katsu::Error) { Katsu.dump(DOCUMENT, stuck) }.message)
    raising = Object.new.tap { |io| io.define_singleton_method(:write) { |_| raise Errno::ENOSPC } }
    assert_raises(Errno::ENOSPC) { Katsu.dump(DOCUMENT, raising) }
    closed = StringIO.new.tap(&:close)
    assert_match(/not opened for writing/, assert_raises(IOError) { Katsu.dump([1], closed) }.message)
    reader, writer = IO.pipe
    reader.close
    assert_raises(Errno::EPIPE) { Katsu.dump(DOCUMENT, writer) }
    assert_equal TEXT, generate(DOCUMENT)
  ensure
    writer&.close
  end

  def test_an_io_that_does_not_say_how_many_bytes_it_took
    [nil, self, "[1]"].each do |answer|
      io = StringIO.new
      silent = Object.new
      silent.define_singleton_method(:write) { |text| io.write(text) && answer }
      assert_same silent, Katsu.dump([1], silent)
      assert_equal "[1]", io.string
    end
  end

  # What an io of its own buffer does: write in part, then wait.
  def test_a_non_blocking_io
    reader, writer = IO.pipe
    refuses = Object.new
    refuses.define_singleton_method(:write) { |text| writer.write_nonblock(text) }
    assert_match(/took \d+ of 1000003 bytes; is it non-blocking/, assert_raises(Katsu::Error) do
      Katsu.dump(["x" * 1_000_000], refuses)
    end.message)
    received = Thread.new { reader.read }
    assert_same writer, Katsu.dump([1, "x" * 500_000], writer)
    writer.close
    assert_operator received.value.bytesize, :>, 500_000
  ensure
    [reader, writer].each { |io| io&.close unless io&.closed? }
  end
end
