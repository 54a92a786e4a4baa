# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "stringio"

# What a String says of its bytes (ascii_only?, valid_encoding?, length) is what a fresh String of the same bytes says:
# Ruby believes it when it searches, cuts or joins.
class CodeRangeTest < TestCase
  ASCII = "plain" * 3
  WIDE = "größe"
  # Written as ASCII if escaped, otherwise not.
  SEPARATORS = ["\u2028", "a\u2029b", "x" * 40 + "\u2028" + "y" * 40, "#{"x" * 16}\u2028", "\u2028" * 30].freeze
  TEXTS = [ASCII, WIDE, "x" * 100, "#{"x" * 100}é", "é#{"x" * 100}", "漢" * 50, "\"\n", "é\"", "#{"x" * 20}\"é",
           *SEPARATORS].freeze
  OPTIONS = [{}, {script_safe: true}, {ascii_only: true}, {script_safe: true, ascii_only: true},
             {indent: "  ", array_nl: "\n", space: " "},
             {indent: "é", array_nl: "\n"}, {object_nl: "\u2028"}, {space: "é"}, {space_before: "é"}, {sort_keys: true},
             {array_nl: "é"}, {rfc8785: true}, {strict: true}].freeze

  class WideSerializer < Katsu::Serializer
    attributes :id
    aliases name: WIDE
  end

  class OuterSerializer < Katsu::Serializer
    attributes :id
    has_one :one, serializer: WideSerializer
    has_many :many, serializer: WideSerializer
    has_many :any, serializer: {Hash => WideSerializer}
  end

  class PlainSerializer < Katsu::Serializer
    attributes :id, :title, :data, :field
    def field = context
  end

  class TitleSerializer < Katsu::Serializer
    attributes :id, :title
  end

  def assert_fresh(text, message = nil)
    fresh = String.new(text.b, encoding: Encoding::UTF_8)
    said = [text.encoding, text.ascii_only?, text.valid_encoding?, text.size, text[0, 40], text.inspect]
    assert_equal [Encoding::UTF_8, fresh.ascii_only?, fresh.valid_encoding?, fresh.size, fresh[0, 40], fresh.inspect],
                 said, message
    assert_equal fresh + "é", text + "é", message
  end

  def test_strings_keys_and_fragments_by_all_options
    TEXTS.each do |text|
      [[text], {text => 1}, {text.to_sym => text}, [[{"a" => [text, ASCII]}]], Katsu::Fragment.new(text.inspect),
       [ASCII] * 200 + [text]].each do |value|
        OPTIONS.each { |options| assert_fresh generate(value, options), [value, options].inspect }
      end
    end
  end

  def test_layout_of_empty_documents
    OPTIONS.each { |options| [[], {}, 1, nil].each { |value| assert_fresh generate(value, options), options.inspect } }
  end

  def test_text_of_other_encodings
    texts = ["é".encode("ISO-8859-1"), "a".encode("UTF-16LE"), "é".encode("UTF-16BE"), "a".b, "a".encode("US-ASCII"),
             "a".encode("Shift_JIS")]
    texts.each do |text|
      [[text], {text => text}].each do |value|
        OPTIONS.each do |options|
          assert_fresh generate(value, options)
        end
      end
    end
  end

  def test_fragments_that_are_not_utf8
    [[0x22, 0xff, 0x22].pack("C*"), "\"é\"".b, "\"é\"".encode("ISO-8859-1"), "\"\xC3", "[1]".encode("UTF-16LE"),
     "[1]".b].each do |json|
      [json, json.dup.force_encoding("UTF-8")].each do |text|
        own = Object.new.tap { |object| object.define_singleton_method(:to_json) { |*| text } }
        [[Katsu::Fragment.new(text)], [own],
         [Katsu::Fragment.new(text), "é", "a" * 3000]].each { |value| assert_fresh generate(value) }
        assert_fresh watched { Katsu::Writer.new.push_array.push_json(text).push_value(1).pop.to_s }
      end
    end
  end

  def test_states_coders_and_dump
    TEXTS.each do |text|
      assert_fresh Katsu::State.new(script_safe: true).generate([text])
      assert_fresh Katsu::Coder.new(script_safe: true) { |object| object.to_s }.dump({nil => [Object.new, text]})
      assert_fresh Katsu.dump([text])
      assert_fresh Katsu.pretty_generate({text => [text]})
      assert_fresh Katsu::Stream.new([text, 1]).to_json
      assert_fresh Katsu::Response.new({text => [text, Katsu::Fragment.new(text.inspect)]}).to_json
    end
  end

  def test_writers
    TEXTS.each do |text|
      [false, true].each do |as_json|
        writer = Katsu::Writer.new(as_json: as_json)
        watched do
          writer.push_object.push_value(1, text).push_key(text).push_value(text).push_json(text.inspect, "j").pop
        end
        assert_fresh writer.to_s, text
      end
    end
  end

  # Also of an empty collection, whose keys are nowhere in the result.
  def test_keys_of_serializers
    wide = {id: 1, name: "n"}
    [nil, [], [wide], [wide] * 200].each do |objects|
      assert_fresh watched { Katsu::ArraySerializer.new(objects || [nil], each_serializer: WideSerializer).to_json }
      outer = {id: 1, one: nil, many: objects || [], any: objects || []}
      [outer, outer.merge(one: wide)].each do |object|
        assert_fresh watched { OuterSerializer.new.serialize_to_json(object) }
        assert_fresh watched { Katsu::ArraySerializer.new([object, nil], each_serializer: OuterSerializer).to_json }
      end
    end
    json = WideSerializer.new.serialize_to_json(wide)
    assert_equal [%({"id":1,"größe":"n"}), 9], [json, json.index("größe")]
    narrow = Class.new(Katsu::Serializer) { aliases name: WIDE }
    [[wide], [wide] * 200].each do |objects|
      assert_fresh watched { Katsu::ArraySerializer.new(objects, each_serializer: narrow).to_json }
    end
    assert_fresh watched { narrow.new.serialize_to_json(wide) }
  end

  def test_columns
    TEXTS.each do |text|
      post = Post.create!(title: text, data: {text => text})
      [Post.find(post.id), Post.find(post.id).tap(&:data), post].each do |record|
        [1, text, Katsu::Fragment.new(text.inspect)].each do |field|
          serializer = PlainSerializer.new(context: field)
          assert_fresh watched { serializer.serialize_to_json(record) }
          serializer.serialize(record).each_value { |value| assert_fresh value if value.instance_of?(String) }
        end
      end
      rows = TitleSerializer.many(Post.where(id: post.id))
      assert_fresh rows.to_json
      assert_fresh rows.to_a.first["title"]
    end
  ensure
    Post.delete_all
  end

  def test_chunks
    text = "é\"\u2028/" * 30_000
    [{}, {script_safe: true}, {ascii_only: true}].each do |options|
      chunks = []
      io = Object.new.tap do |object|
        object.define_singleton_method(:write) do |chunk|
          chunks << chunk
          chunk.bytesize
        end
      end
      watched { Katsu.dump([text[0, 7], text, {text => 1}], io, **options) }
      chunks.each { |chunk| assert_fresh chunk }
      assert_equal generate([text[0, 7], text, {text => 1}], options), chunks.join
    end
  end
end
