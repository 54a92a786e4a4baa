# frozen_string_literal: true

require "support/test_case"
require "stringio"
require "tempfile"
require "socket"

# An io whose write is IO#write itself is given bytes that are used again afterwards; every other one may keep what it
# is given.
class PlainIoTest < TestCase
  class PostSerializer < Katsu::Serializer
    attributes :id, :title
  end

  # Characters of 1 to 4 bytes, so that chunks end within them.
  POSTS = Array.new(3000) { |id| {id: id, title: "aäあ😀" * (id % 23)} }.freeze
  DOCUMENT = PostSerializer.many(POSTS).to_json.freeze
  LINES = POSTS.map { |post| "#{PostSerializer.one(post).to_json}\n" }.join.freeze

  # What each way of writing gives.
  WAYS = {
    array: [->(io) { PostSerializer.many(POSTS).write_to(io) }, DOCUMENT],
    lines: [->(io) { PostSerializer.many(POSTS).write_to(io, format: :ndjson) }, LINES],
    stream: [->(io) { PostSerializer.many(POSTS.each).write_to(io) }, DOCUMENT],
    dump: [->(io) { Katsu.dump(POSTS, io) }, DOCUMENT],
    dump_of_one_text: [->(io) { Katsu.dump("ä" * 200_000, io) }, "\"#{"ä" * 200_000}\""],
    writer: [->(io) {
      writer = Katsu::Writer.new(io)
      writer.push_array
      POSTS.each { |post| writer.push_value(post) }
      writer.pop
    }, DOCUMENT]
  }.freeze

  # Small documents, which stay in the io's own buffer.
  def test_small_documents_are_flushed
    one = PostSerializer.many(POSTS.first(1))
    array = Katsu::ArraySerializer.new(POSTS.first(1), each_serializer: PostSerializer)
    [[one], [array], [Katsu::Response.new([POSTS[0]])], [PostSerializer.one(POSTS[0])],
     [one, {format: :ndjson}], [one.tap(&:etag)]].each do |document, options|
      Tempfile.create("katsu") do |file|
        assert_same file, document.write_to(file, **(options || {}))
        assert_includes File.read(file.path), '{"id":0,"title":""}', document.class
      end
    end
    Tempfile.create("katsu") do |file|
      Katsu::Writer.new(file).push_array.push_value(1).pop
      assert_equal "[1]", File.read(file.path)
    end
  end

  def test_what_has_no_write
    object = Object.new
    {
      "Katsu::Document#write_to: NilClass has no write method" => -> { PostSerializer.many([]).write_to(nil) },
      "Katsu::Response#write_to: NilClass has no write method" => -> { Katsu::Response.new([]).write_to(nil) },
      "Katsu::ArraySerializer#write_to: Object has no write method" => -> {
        Katsu::ArraySerializer.new([], each_serializer: PostSerializer).write_to(object)
      },
      "Katsu::Coder#dump: Object has no write method" => -> { Katsu::Coder.new.dump(1, object) },
      "Katsu.dump: Object has no write method" => -> {
        object.define_singleton_method(:to_io) { nil }
        Katsu.dump([1], object)
      }
    }.each do |message, call|
      assert_equal message, assert_raises(ArgumentError, &call).message
    end
  end

  # Keeps each String.
  module Keeping
    attr_reader :kept

    def write(text)
      (@kept ||= []) << text
      text.bytesize
    end
  end

  class KeepingFile < File
    include Keeping
  end

  WAYS.each do |name, (way, expected)|
    define_method(:"test_a_file_#{name}") do
      assert_equal expected, written_to_file("wb", &way)
      assert_equal expected, written_to_file("w", &way)
    end

    define_method(:"test_the_file_is_flushed_#{name}") do
      Tempfile.create("katsu") do |file|
        file.binmode
        way.call(file)
        assert_equal expected.b, File.binread(file.path)
      end
    end

    define_method(:"test_a_file_with_an_encoding_#{name}") do
      assert_equal expected.encode("UTF-16LE"), written_to_file("wb:UTF-16LE", &way).force_encoding("UTF-16LE")
      assert_equal expected.gsub("\n", "\r\n"), written_to_file("w", crlf_newline: true, &way)
    end

    define_method(:"test_a_file_that_keeps_strings_#{name}") do
      [KeepingFile, File].each do |klass|
        Tempfile.create("katsu") do |file|
          io = klass.new(file.path, "w")
          io.extend(Keeping) if klass == File
          way.call(io)
          assert_equal expected, io.kept.join
          refute_predicate io.kept.last, :frozen?
        end
      end
    end

    define_method(:"test_a_pipe_and_a_socket_#{name}") do
      [IO.pipe, UNIXSocket.pair].each do |reader, writer|
        text = Thread.new { reader.read }
        way.call(writer)
        writer.close
        assert_equal expected, text.value.force_encoding("UTF-8")
      end
    end

    define_method(:"test_a_tempfile_#{name}") do
      Tempfile.create("katsu") do |file|
        way.call(file)
        file.rewind
        assert_equal expected, file.read
      end
      temporary = Tempfile.new("katsu") # a delegator
      way.call(temporary)
      temporary.rewind
      assert_equal expected, temporary.read
      temporary.close!
    end

    define_method(:"test_a_pipe_that_nobody_reads_#{name}") do
      reader, writer = IO.pipe
      reader.close
      assert_raises(Errno::EPIPE) { way.call(writer) }
      assert_equal expected, written_to_file("w", &way)
    end

    define_method(:"test_a_thread_that_is_killed_while_it_writes_#{name}") do
      reader, writer = IO.pipe
      thread = Thread.new { way.call(writer) }
      Thread.pass until thread.status == "sleep"
      thread.kill.join
      GC.start
      assert_equal expected.byteslice(0, 1000).scrub(""), reader.readpartial(1000).force_encoding("UTF-8").scrub("")
    end
  end

  # Chunks end between characters; the last one ends where the document does.
  def test_a_document_that_ends_within_a_character
    ["\xC3", "1\xE6\xBC", "#{"1" * 70_000}\xF0\x9F\x98"].each do |text|
      io = StringIO.new
      Katsu.dump(Katsu::Fragment.new(text), io)
      assert_equal [text.b, text.b], [io.string.b, Katsu.generate(Katsu::Fragment.new(text)).b]
    end
  end

  # What a thread finds while another one writes, and copies, has the same bytes afterwards.
  def test_copies_of_what_object_space_shows_meanwhile
    WAYS.each do |name, (way, _)|
      reader, writer = IO.pipe
      thread = Thread.new { way.call(writer) && writer.close }
      Thread.pass until thread.status == "sleep"
      copies = large_strings.to_h { |text| [[text.byteslice(0..), -text, text[-9000..]], text.unpack("C*")] }
      rest = Thread.new { reader.read.bytesize }
      thread.join
      GC.start
      refute_equal 0, rest.value
      copies.each do |texts, bytes|
        assert texts.all? { |text| text.bytes == bytes.last(text.bytesize) }, name
      end
    end
  end

  private

  def large_strings
    ObjectSpace.each_object(String).select { |text| text.bytesize.between?(20_000, 70_000) && text.valid_encoding? }
  end

  def written_to_file(mode, **options, &way)
    Tempfile.create("katsu") do |file|
      File.open(file.path, mode, **options, &way)
      File.binread(file.path).force_encoding("UTF-8")
    end
  end
end
