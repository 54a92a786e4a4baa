# frozen_string_literal: true

require "support/test_case"
require "stringio"

class WriterTest < TestCase
  def test_objects_arrays_keys_and_values
    json = watched do
      writer = Katsu::Writer.new
      writer.push_object
      writer.push_value(1, "id")
      writer.push_key("text")
      writer.push_value("a\"b")
      writer.push_array("list")
      writer.push_value(nil)
      writer.push_value({x: [1.5]})
      writer.push_json("[ 1 ]")
      writer.push_object
      writer.pop
      writer.pop
      writer.push_json("{}", "json")
      writer.pop
      writer.to_s
    end
    assert_equal %({"id":1,"text":"a\\"b","list":[null,{"x":[1.5]},[ 1 ],{}],"json":{}}), json
  end

  def test_grows_beyond_its_first_bytes_and_levels
    writer = Katsu::Writer.new
    watched do
      200.times { writer.push_array }
      100.times { |i| writer.push_value("value #{i} " * 10) }
      200.times { writer.pop }
    end
    assert_equal 100, JSON.parse(writer.to_s, max_nesting: 0).flatten.size
  end

  def test_a_single_value
    assert_equal "5", Katsu::Writer.new.push_value(5).to_s
    assert_equal "\"ü\"", Katsu::Writer.new.push_value("ü").to_s
  end

  def test_misuse_is_named
    {
      "a value in an object needs a key" => ->(w) {
        w.push_object
        w.push_value(1)
      },
      "push_value is called with key after push_key is called" => ->(w) {
        w.push_object
        w.push_key("a")
        w.push_value(1, "b")
      },
      "push_key is called twice without a value" => ->(w) {
        w.push_object
        w.push_key("a")
        w.push_key("b")
      },
      "pop without an open object or array" => ->(w) { w.pop },
      "pop after push_key without a value" => ->(w) {
        w.push_object
        w.push_key("a")
        w.pop
      },
      "a key needs an open object; an array is open" => ->(w) {
        w.push_array
        w.push_value(1, "a")
      },
      "2 objects or arrays are still open" => ->(w) {
        w.push_array
        w.push_object
        w.push_key("a")
        w.push_value(1)
        w.push_array("b")
        w.pop
        w.to_s
      },
      "1 objects or arrays are still open" => ->(w) {
        w.push_array
        w.to_s
      },
      "the document is complete; to_s returns it" => ->(w) {
        w.push_value(1)
        w.push_value(2)
      },
      "push_key needs an open object" => ->(w) { w.push_key("a") }
    }.each do |message, misuse|
      error = assert_raises(Katsu::Error, message) { misuse.call(Katsu::Writer.new) }
      assert_equal "Katsu::Writer: #{message}", error.message
    end
    {nil => "nil", true => "true", false => "false", 5 => "Integer"}.each do |value, shown|
      [-> { Katsu::Writer.new.push_json(value) }, -> { Katsu::Writer.new.push_object.push_key(value) }].each do |misuse|
        assert_equal "wrong argument type #{shown} (expected String)", assert_raises(TypeError, &misuse).message
      end
    end
    assert_raises(ArgumentError) { Katsu::Writer.new(Object.new) }
    {push_object: 1, push_array: 1, push_value: 2, push_json: 2}.each do |name, most|
      assert_raises(ArgumentError, name) { Katsu::Writer.new.public_send(name, *["1"] * (most + 1)) }
    end
    %i[push_value push_json].each { |name| assert_raises(ArgumentError) { Katsu::Writer.new.public_send(name) } }
  end

  def test_keys_that_say_they_are_nil
    key = Class.new do
      def nil? = true
      def ==(_other) = true
    end.new
    writer = Katsu::Writer.new.push_array
    assert_raises(Katsu::Error) { writer.push_value(1, key) }
    assert_raises(Katsu::Error) { writer.push_object(key) }
    writer.push_object
    assert_match(/wrong argument type #<Class:/, assert_raises(TypeError) { writer.push_value(1, key) }.message)
    assert_match(/wrong argument type #<Class:/, assert_raises(TypeError) { writer.push_key(key) }.message)
    assert_equal "[{}]", writer.pop.pop.to_s
  end

  def test_a_value_may_not_push_into_its_own_writer
    writer = Katsu::Writer.new
    writer.push_array
    bad = Object.new
    bad.define_singleton_method(:to_json) do |*|
      writer.push_value(1)
      "2"
    end
    assert_raises(Katsu::Error) { writer.push_value(bad) }
  end

  def failing(&block)
    Object.new.tap { |object| object.define_singleton_method(:to_json) { |*| block.call } }
  end

  # Neither a comma, a key nor the first elements of what raised are left; what comes after them grows the document.
  def test_a_push_that_fails_has_not_been
    bad = failing { raise KeyError, "in the middle" }
    long = ["x"] * 40 + [bad]
    writer = Katsu::Writer.new
    assert_raises(KeyError) { writer.push_value(long) }
    writer.push_object
    assert_raises(KeyError) { writer.push_value([1, bad], "gone") }
    writer.push_value(1, "a").push_key("b")
    assert_raises(KeyError) { writer.push_value({"c" => bad}) }
    writer.push_array
    assert_raises(KeyError) { writer.push_value(long) }
    catch(:out) { writer.push_value([1, failing { throw :out }]) }
    assert_raises(Katsu::GeneratorError) { writer.push_value(Float::NAN) }
    GC.start
    writer.push_json(%("#{"y" * 70_000}")).push_object.push_value(:z, "z").pop.pop
    assert_raises(Katsu::GeneratorError) { writer.push_value(1, "\xff") }
    assert_equal %({"a":1,"b":["#{"y" * 70_000}",{"z":"z"}]}), writer.pop.to_s
  end

  def test_a_push_that_fails_when_part_of_it_is_out
    io = Object.new
    def io.write(_text) = raise(Errno::EPIPE)
    writer = Katsu::Writer.new(io).push_array
    assert_raises(Errno::EPIPE) { writer.push_value("x" * 100_000) }
    error = assert_raises(Katsu::Error) { writer.push_value(1) }
    assert_equal "Katsu::Writer: a push failed when part of it had gone to the io; the document cannot be completed",
                 error.message
    assert_raises(Katsu::Error) { writer.pop }
    writer = Katsu::Writer.new(io).push_array
    assert_raises(KeyError) { writer.push_value([failing { raise KeyError }]) }
    assert_raises(Errno::EPIPE) { writer.push_value(1).pop }
  end

  def test_a_frozen_writer_stays_as_it_was
    writer = Katsu::Writer.new.push_array.freeze
    assert_raises(FrozenError) { writer.push_value(1) }
    assert_raises(FrozenError) { writer.pop }
    assert_raises(FrozenError) { writer.to_s }
    long = "k" * 100_000
    writer = Katsu::Writer.new(io = StringIO.new).push_object.freeze
    [-> { writer.push_object(long) }, -> { writer.push_array(long) }, -> { writer.push_value(long, "a") },
     -> { writer.push_json("[1]", long) }, -> { writer.push_key(long) }].each do |push|
      assert_raises(FrozenError, &push)
    end
    assert_equal "", io.string
  end

  def test_what_is_called_may_freeze_the_writer
    [nil, StringIO.new].each do |io|
      writer = Katsu::Writer.new(io).push_array
      assert_raises(FrozenError) { writer.push_value([failing { writer.freeze && "1" }]) }
      assert_raises(FrozenError) { writer.pop }
      writer = Katsu::Writer.new(io).push_array
      assert_raises(KeyError) { writer.push_value([failing { writer.freeze && raise(KeyError) }]) }
      writer = Katsu::Writer.new(io).push_array
      assert_equal 1, (catch(:left) { writer.push_value(failing { writer.freeze && throw(:left, 1) }) })
    end
  end

  def test_an_io_may_freeze_the_writer
    writer = nil
    io = StringIO.new
    io.define_singleton_method(:write) { |text| writer.freeze && super(text) }
    writer = Katsu::Writer.new(io)
    assert_raises(FrozenError) { writer.push_value(1) }
    assert_equal "1", io.string
    io = StringIO.new
    io.define_singleton_method(:write) { |_text| writer.freeze && raise(KeyError) }
    writer = Katsu::Writer.new(io).push_array
    assert_raises(KeyError) { writer.push_value("a" * 100_000) }
    writer = Katsu::Writer.new(io).push_array
    assert_raises(KeyError) { writer.pop }
  end

  def test_among_values
    writers = [Katsu::Writer.new.push_value({a: 1, b: [2]}),
               Katsu::ObjectWriter.new.push_object.push_value(1, "a").push_value([2], "b").pop]
    text = '{"a":1,"b":[2]}'
    writers.each do |writer|
      serializer = Class.new(Katsu::Serializer) { attribute(:written) { writer } }
      assert_equal "[#{text}]", Katsu.generate([writer])
      assert_equal "[#{text}]", JSON.generate([writer])
      assert_equal JSON.pretty_generate([JSON.parse(text)]), Katsu.pretty_generate([writer])
      assert_equal %({"written":#{text}}), serializer.new.serialize_to_json({})
      assert_equal %({"written":#{text}}), Katsu::Response.new({written: writer}).to_json
      assert_equal({"written" => JSON.parse(text)}, Katsu::Response.new({written: writer}).as_json)
      assert_equal [text, '{"b":[2]}'], [writer.to_json, writer.to_json(except: [:a])]
    end
    [Katsu::Writer.new, Katsu::Writer.new.push_array, Katsu::Writer.new(StringIO.new).push_value(1)].each do |writer|
      assert_raises(Katsu::Error) { Katsu.generate([writer]) }
      assert_raises(Katsu::Error) { writer.as_json }
    end
  end

  def test_writers_are_not_copied
    writer = Katsu::Writer.new.push_array
    %i[dup clone].each { |name| assert_raises(NoMethodError, TypeError) { writer.public_send(name) } }
  end

  def test_writers_are_not_dumped
    assert_raises(TypeError) { Marshal.dump(Katsu::Writer.new) }
  end

  # As with any value's: the document stays as it was, and what is called may not push.
  def test_an_as_json_of_the_application
    writer = Katsu::Writer.new(as_json: true).push_object
    Integer.define_method(:as_json) do |*|
      raise KeyError, "mine" if self == 7

      self == 8 ? writer.push_value(1, "in") : "i#{self}"
    end
    assert_raises(KeyError) { writer.push_value(7, "a") }
    assert_raises(Katsu::Error) { writer.push_value(8, "a") }
    assert_equal '{"b":"i9"}', writer.push_value(9, "b").pop.to_s
  ensure
    Integer.remove_method(:as_json)
  end

  def test_without_as_json
    value = Object.new
    value.define_singleton_method(:as_json) { |*| "as_json" }
    value.define_singleton_method(:to_json) { |*| '"to_json"' }
    {true => "as_json", false => "to_json", nil => "to_json"}.each do |as_json, text|
      assert_equal [text], JSON.parse(Katsu::Writer.new(as_json: as_json).push_array.push_value(value).pop.to_s)
    end
  end

  def test_an_io_receives_the_document
    io = StringIO.new
    writer = Katsu::Writer.new(io)
    watched do
      writer.push_array
      500.times { |i| writer.push_value("line #{i} " * 30) }
      writer.pop
    end
    assert_equal 500, JSON.parse(io.string).size
    assert_raises(Katsu::Error) { writer.to_s }
  end

  # So a push that fails later has nothing to take back from the io.
  def test_a_full_chunk_goes_to_the_io_with_the_push_that_fills_it
    [10, 65_536, 70_000, 200_000].each do |size|
      io = StringIO.new
      writer = Katsu::Writer.new(io).push_array
      writer.push_json("1").push_json("[\"#{"x" * size}\"]")
      assert_equal size < 65_536 ? 0 : size + 7, io.string.bytesize
      assert_raises(Katsu::GeneratorError) { writer.push_value(["y", Float::NAN]) }
      writer.push_value(2).pop
      assert_equal [1, ["x" * size], 2], JSON.parse(io.string)
    end
  end

  def test_an_io_that_refuses_a_full_chunk
    io = StringIO.new
    io.define_singleton_method(:write) { |*| raise IOError, "full" }
    writer = Katsu::Writer.new(io).push_array.push_value("x")
    assert_raises(IOError) { writer.push_value("y" * 70_000) }
    assert_match(/cannot be completed/, assert_raises(Katsu::Error) { writer.push_value(1) }.message)
  end
end
