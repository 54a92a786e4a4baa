# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "open3"
require "stringio"

# Records and serializers on their way to an io: written as they come, with the bytes that to_json has.
class ChunkedTest < TestCase
  class Pieces
    attr_reader :list

    def initialize(&block)
      @list = []
      @block = block
    end

    def write(text)
      @list << text
      @block&.call(text)
      text.bytesize
    end
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :data
  end

  class FieldSerializer < Katsu::Serializer
    attributes :id, :field
    def field = context.call(object)
  end

  class Quacks
    def as_json(*) = {"quack" => [1, :two]}
  end

  class OwnJson < Quacks
    def to_json(*) = "\"own\""
  end

  def setup
    Post.insert_all!(Array.new(120) { |i| {title: "größe #{i} #{"x" * 1700}", data: {"a" => i}} })
  end

  def teardown
    Post.delete_all
  end

  def posts = Post.all.to_a

  def stream(elements = Post.all) = Katsu::Stream.new(elements)

  def serializer(subjects, each_serializer = PostSerializer, **options)
    Katsu::ArraySerializer.new(subjects, each_serializer: each_serializer, **options)
  end

  def dumped(value, options = {})
    pieces = Pieces.new
    watched { assert_same pieces, Katsu.dump(value, pieces, **options) }
    assert pieces.list.all?(&:valid_encoding?)
    [pieces.list.join, pieces.list.size]
  end

  def test_a_serializer_of_a_stream_is_written_as_its_objects_come
    expected = serializer(posts).to_json
    assert_equal expected, watched { serializer(stream).to_json }
    assert_equal serializer(posts).to_a, serializer(stream).to_a
    [stream, posts, Post.all, Post.all.load].each do |subjects|
      text, pieces = dumped(serializer(subjects))
      assert_equal expected, text
      assert_operator pieces, :>, 2
    end
    assert_equal ["[]", 1], dumped(serializer(stream([])))
    assert_equal ["[null,{\"id\":1,\"title\":null,\"data\":2}]", 1],
                 dumped(serializer(stream([nil, {id: 1, title: nil, data: 2}])))
  end

  # When the first chunk goes out most objects have not been asked for.
  # They are values, whose as_json may be anything.
  def test_responses_of_hashes_and_arrays_with_an_as_json
    money = Class.new(Hash) { def as_json(*) = "5 EUR" }[1, 2]
    list = Class.new(Array) { def as_json(*) = {"list" => size} }[1, 2]
    plain = Class.new(Hash)["a", serializer([])]
    response = Katsu::Response.new({money: money, list: [list], plain: plain})
    expected = '{"money":"5 EUR","list":[{"list":2}],"plain":{"a":[]}}'
    assert_equal [expected, JSON.parse(expected)], [response.to_json, response.as_json]
    assert_equal expected, dumped(response)[0]
    meta = PostSerializer.render([], root: :posts, meta: {money: money})
    assert_equal '{"posts":[],"meta":{"money":"5 EUR"}}', meta
  end

  def test_nothing_is_gathered
    asked = 0
    endless = Enumerator.new { |yielder| loop { yielder << {id: asked += 1, title: "x" * 100, data: nil} } }
    [serializer(stream(endless)), {posts: serializer(stream(endless))},
     Katsu::Response.new({posts: [serializer(stream(endless))]}),
     Katsu::Response.new({posts: stream(endless)}), [[stream(endless)]]].each do |value|
      asked = 0
      assert_equal :full, catch(:out) { Katsu.dump(value, Pieces.new { throw :out, :full }) }
      assert_operator asked, :<, 2000
    end
    rows = Enumerator.new do |yielder|
      2000.times do |i|
        asked = i
        yielder << {id: i, title: "x" * 100, data: nil}
      end
    end
    most = Pieces.new.tap { |io| Katsu.dump(serializer(stream(rows)), io) }.list.map(&:bytesize).max
    assert_operator most, :<, 70_000
  end

  def test_small_objects_are_gathered
    pieces = Pieces.new
    objects = Array.new(4_000) { |i| {id: i} }
    small = Class.new(Katsu::Serializer) do
      attributes :id, :title
      def title = "title #{object[:id]}"
    end
    serializer(objects, small).write_to(pieces)
    assert_equal serializer(objects, small).to_json, pieces.list.join
    assert_operator pieces.list.size, :<=, 4
  end

  def test_serializers_inside_documents_and_writers
    list = serializer(posts).to_json
    {
      {posts: serializer(stream)} => %({"posts":#{list}}),
      [1, serializer(posts), serializer(stream), 2] => "[1,#{list},#{list},2]",
      {a: {b: [serializer(stream)]}} => %({"a":{"b":[#{list}]}}),
      Katsu::Response.new({n: 1, posts: serializer(stream),
                           m: [serializer(posts)]}) => %({"n":1,"posts":#{list},"m":[#{list}]}),
      [Katsu::Response.new({posts: serializer(stream)})] => %([{"posts":#{list}}])
    }.each do |value, expected|
      assert_equal expected, dumped(value)[0]
      assert_equal expected, Katsu.generate(value)
    end
    [false, true].each do |as_json|
      io = StringIO.new
      writer = Katsu::Writer.new(io, as_json: as_json).push_object
      watched do
        writer.push_value(1, "a").push_value(serializer(stream), "p").push_value({"q" => serializer(posts)}, "r").pop
      end
      assert_equal %({"a":1,"p":#{list},"r":{"q":#{list}}}), io.string
    end
  end

  def test_options_of_what_is_around
    [{indent: "  ", array_nl: "\n", object_nl: "\n"}, {ascii_only: true}, {script_safe: true}, {sort_keys: true},
     {rfc8785: true}, {max_nesting: 20}].each do |options|
      value = {"b" => [1, "é"], "a" => serializer(stream)}
      assert_equal Katsu.generate(value, options), dumped(value, options)[0], options.inspect
    end
    assert_raises(Katsu::GeneratorError) { dumped([serializer(stream)], strict: true) }
  end

  def test_what_a_subclass_answers_is_written
    own = Class.new(Katsu::ArraySerializer) { def to_json(*) = "\"own\"" }
    assert_equal %(["own"]), dumped([own.new(stream, each_serializer: PostSerializer)])[0]
    response = Class.new(Katsu::Response) { def to_json(*) = "\"mine\"" }
    assert_equal %(["mine"]), dumped([response.new({a: stream})])[0]
    rails = Class.new(Katsu::ArraySerializer) { def as_json(*) = ["rails"] }
    io = StringIO.new
    Katsu::Writer.new(io, as_json: true).push_value([rails.new(stream, each_serializer: PostSerializer)])
    assert_equal %([["rails"]]), io.string
  end

  def test_records_of_a_stream_are_written_as_their_as_json
    expected = JSON.generate({"posts" => posts.map(&:as_json)})
    assert_equal expected, dumped({posts: stream})[0]
    assert_equal expected, Katsu.generate({posts: stream})
    assert_equal expected, dumped(Katsu::Response.new({posts: stream}))[0]
    assert_equal expected, Katsu::Response.new({posts: stream}).to_json
    assert_equal %([{"quack":[1,"two"]},"own",1,"s",null,[true]]),
                 generate(stream([Quacks.new, OwnJson.new, 1, "s", nil, [true]]))
    pretty = JSON.pretty_generate([posts.first.as_json])
    assert_equal pretty, Katsu.pretty_generate(stream([posts.first]))
  end

  # What JSON.generate makes of other objects stays.
  def test_other_elements_are_written_as_outside_of_a_stream
    point = Struct.new(:x).new(1)
    elements = [Time.at(0).utc, Date.new(2026, 1, 2), point, Object, 1..2, :sym, BigDecimal("1.5"),
                Katsu::Fragment.new("[0]"), [posts.first],
                JSON::State.new.class]
    assert_equal generate(elements), generate(stream(elements))
    assert_equal JSON.generate([Quacks.new]).sub(/0x\h+/, ""), generate([Quacks.new]).sub(/0x\h+/, "")
    assert_raises(Katsu::GeneratorError) { generate(stream([Quacks.new]), strict: true) }
    assert_equal %(["ChunkedTest::Quacks"]), Katsu::Coder.new { |object| object.class.name }.dump(stream([Quacks.new]))
  end

  def test_errors_have_their_place
    field = ->(object) { object[:id] == 151 ? raise("mine") : "x" * 1000 }
    rows = Array.new(200) { |i| {id: i} }
    [rows, stream(rows)].each do |subjects|
      io = Pieces.new
      error = assert_raises(RuntimeError) { Katsu.dump({a: serializer(subjects, FieldSerializer, context: field)}, io) }
      assert_equal ["a[151].field", 151, "mine"], [error.field_path, error.field_id, error.message]
      assert_operator io.list.size, :>=, 2
      bad = assert_raises(Katsu::GeneratorError) { dumped(serializer(subjects, FieldSerializer,
                                                                     context: ->(o) { o[:id] == 7 ? "\xff" : 1 })) }
      assert_equal "[7].field", bad.path
    end
  end

  def test_a_writer_whose_serializer_fails_half_way_is_broken
    field = ->(object) { object[:id] == 151 ? raise("mine") : "x" * 1000 }
    rows = stream(Array.new(200) { |i| {id: i} })
    writer = Katsu::Writer.new(StringIO.new).push_array
    assert_raises(RuntimeError) { writer.push_value(serializer(rows, FieldSerializer, context: field)) }
    assert_match(/cannot be completed/, assert_raises(Katsu::Error) { writer.push_value(1) }.message)
  end

  def test_ios_that_write_in_part_or_raise
    short = Object.new.tap { |io| def io.write(text) = text.bytesize - 1 }
    assert_match(/write took \d+ of \d+ bytes/, assert_raises(Katsu::Error) do
      Katsu.dump(serializer(stream), short)
    end.message)
    full = Object.new.tap { |io| def io.write(_) = raise(Errno::ENOSPC) }
    [serializer(stream), serializer(posts),
     {a: serializer(stream)}].each { |value| assert_raises(Errno::ENOSPC) { Katsu.dump(value, full) } }
  end

  def test_streams_that_keep_their_block
    kept = nil
    source = Class.new do
      define_method(:each) do |&block|
        kept = block
        block.call({id: 1, title: 2, data: 3})
      end
    end.new
    assert_equal %([{"id":1,"title":2,"data":3}]), serializer(stream(source)).to_json
    assert_match(/yielded after/, assert_raises(Katsu::Error) { kept.call({id: 2}) }.message)
    on = Class.new do
      define_method(:each) do |&block|
        2.times do
          begin; block.call({}); rescue Katsu::Error; nil; end
        end
      end
    end.new
    assert_match(/went on|ended after/, assert_raises(Katsu::Error) { serializer(stream(on)).to_json }.message)
  end

  def test_equal_names_in_a_response
    data = {"a" => 1, "b" => 2, :a => {x: 1, "x" => 2}}
    assert_equal %({"a":{"x":2},"b":2}), Katsu::Response.new(data).to_json
    assert_equal Katsu::Response.new(data).as_json, JSON.parse(dumped(Katsu::Response.new(data))[0])
  end

  # With an as_json of the application's for values a document among others writes itself, too.
  def test_with_an_as_json_of_the_applications
    script = <<~'RUBY'
      require "katsu"
      class Symbol; def as_json(*) = "own"; end
      class Texts < Katsu::Serializer; attributes :text; end
      text = Katsu::Fragment.new('{"a": 1.50,"a":2}')
      documents = Array.new(2) { Katsu::ArraySerializer.new([{text: text}] * 3000, each_serializer: Texts) }
      chunks = []
      io = Object.new
      io.define_singleton_method(:write) { |chunk| (chunks << chunk.dup) && chunk.bytesize }
      Katsu::Response.create { {texts: documents[0], kind: :own} }.write_to(io)
      raise "#{chunks.size} chunks" if chunks.size < 3
      raise "other bytes" if chunks.join != Katsu::Response.create { {texts: documents[1], kind: :own} }.to_json
      print chunks.join[0, 40], chunks.join[-13..]
    RUBY
    output, = Open3.capture2e(RbConfig.ruby, "-W0", "-I", File.expand_path("../../lib", __dir__), "-e", script)
    assert_equal '{"texts":[{"text":{"a": 1.50,"a":2}},{"t"kind":"own"}', output
  end
end
