# frozen_string_literal: true

require "support/test_case"
require "stringio"

# Documents and serializers among the values that a generator writes: its options hold for them too, and errors say
# where they are in the whole document.
class EmbeddedTest < TestCase
  class RowSerializer < Katsu::Serializer
    attributes :id, :v
  end

  # Has an as_json; what that gives has none.
  class Odd
    def as_json(*) = {"z" => Time.at(0).utc, :y => [Float::NAN, :sym, Inner.new], "list" => Own[1]}
  end

  class Inner
    def as_json(*) = {"b" => 1..2}
  end

  Own = Class.new(Array)

  Wrap = Struct.new(:v) do
    def to_json(state = nil, *) = Katsu.generate({v: v}, state)
  end

  ROWS = [{id: 2, v: "</script>é\u2028"}, {id: 10, v: {"b" => [1.0, {}], "a" => 1e30}}].freeze
  OPTIONS = [{script_safe: true}, {escape_slash: true}, {ascii_only: true}, {sort_keys: true}, {rfc8785: true},
             {indent: "  ", object_nl: "\n", array_nl: "\n", space: " "}, {space_before: " "}, {max_nesting: 99},
             {sort_keys: ->(hash) { hash.to_a.reverse.to_h }},
             {script_safe: true, ascii_only: true, allow_nan: true, array_nl: "\n"}].freeze

  def array(rows) = Katsu::ArraySerializer.new(rows, each_serializer: RowSerializer)

  def response(value) = Katsu::Response.create { |r| {all: r.value(value), one: r.serializer(ROWS[0], RowSerializer)} }

  def documents
    [RowSerializer.many(ROWS), RowSerializer.many(ROWS.each), RowSerializer.one(ROWS[1]), RowSerializer.one(nil),
     RowSerializer.many(ROWS, by: :id), array(ROWS), array(ROWS * 60), array(Katsu::Stream.new(ROWS)),
     Katsu::ArraySerializer.new(ROWS, each_serializer: RowSerializer, by: :id),
     response(array(ROWS)), response(array(ROWS * 60))]
  end

  def dumped(value, options) = Katsu.dump(value, StringIO.new, **options).string

  def test_options_hold_for_documents
    fewer_under_stress(OPTIONS).each do |options|
      documents.each do |document|
        expected = Katsu.generate({"p" => [document.as_json], "s" => "</é"}, options)
        value = {"p" => [document], "s" => "</é"}
        assert_equal expected, generate(value, options), [options, document].inspect
        assert_equal expected, dumped(value, {allow_nan: false, **options}), [options, document].inspect
        assert_equal generate(document.as_json, options), generate(document, options)
      end
    end
  end

  def test_the_text_is_as_it_was_with_other_options
    [{}, {allow_nan: true}, {max_nesting: 0}, {max_nesting: 100}, {allow_duplicate_key: true}, {indent: ""},
     {script_safe: false, sort_keys: false}].each do |options|
      documents.each do |document|
        assert_equal document.to_json, generate(document, options), options.inspect
        assert_equal document.to_json, dumped(document, options), options.inspect
      end
    end
  end

  def test_pretty_generate
    documents.each do |document|
      expected = Katsu.pretty_generate([document.as_json])
      assert_equal expected, watched { Katsu.pretty_generate([document]) }
      assert_equal expected, JSON.pretty_generate([document])
      assert_equal generate([document.as_json], script_safe: true), JSON.generate([document], script_safe: true)
    end
  end

  # As in the text without options.
  def test_values_that_json_has_no_form_for
    rows = [{id: Odd.new, v: [Float::INFINITY, Time.at(0), {sym: Odd.new, 1 => nil}]}, {id: Own[2], v: 1.5r}]
    [RowSerializer.many(rows), array(rows), Katsu::Response.new(rows)].each do |document|
      [{array_nl: "\n"}, {script_safe: true, allow_nan: true}].each do |options|
        assert_equal JSON.parse(document.to_json), JSON.parse(generate(document, options))
      end
    end
  end

  def test_fragments_keep_their_text
    text = %({"b" : "</é",\n"a":1})
    [{script_safe: true}, {indent: "  "}, {rfc8785: true}].each do |options|
      assert_equal text, generate(Katsu::Fragment.new(text), options)
    end
  end

  def test_the_depth_of_documents_counts
    assert_equal '[[{"id":1,"v":[]}]]', generate([RowSerializer.many([{id: 1, v: []}])], max_nesting: 4)
    error = assert_raises(Katsu::NestingError) { generate({a: RowSerializer.many([{id: 1, v: []}])}, max_nesting: 3) }
    assert_equal ["a[0].v", 4], [error.path, error.depth]
    assert_raises(Katsu::NestingError) { dumped([array(ROWS * 60)], max_nesting: 2) }
  end

  # json's own limit, or none, is counted from the document; a lower one from the outside.
  def test_which_limit_counts_from_the_outside
    deep = 98.times.inject(1) { |inner, _| [inner] } # with its row and list 100 levels
    [array([{id: 1, v: deep}] * 60), RowSerializer.many([{id: 1, v: deep}] * 200)].each do |document|
      text = "[#{document.to_json}]"
      [0, 100, 101].each { |limit| assert_equal text, dumped([document], max_nesting: limit) }
      assert_raises(Katsu::NestingError) { dumped([document], max_nesting: 99) }
    end
  end

  # As one text it would be one chunk.
  def test_a_document_without_a_limit_writes_itself_in_chunks
    sizes = []
    io = Object.new
    io.define_singleton_method(:write) { |text| sizes.push(text.bytesize).last }
    Katsu.dump([RowSerializer.many([{id: 1, v: "x" * 100}] * 5_000)], io, max_nesting: 0)
    assert_operator sizes.sum, :>, 500_000
    assert_operator sizes.max, :<, 200_000
  end

  def test_an_as_json_of_a_subclass
    own = Class.new(Katsu::ArraySerializer) { def as_json(*) = ["</"] }.new(ROWS, each_serializer: RowSerializer)
    assert_equal '[["<\/"]]', generate([own], script_safe: true)
  end

  def test_errors_have_the_place_in_the_whole_document
    rows = Array.new(200) { |i| {id: i, v: i == 139 ? "\xff" : 1} }
    serializer = array(rows)
    {
      "posts[139].v" => [
        -> { generate({posts: serializer}) }, -> { dumped({posts: serializer}, {}) },
        -> { dumped({posts: serializer}, script_safe: true) }, -> { generate({posts: serializer}, indent: " ") },
        -> { Katsu::Response.create { |r| {posts: r.array_serializer(rows, RowSerializer)} }.to_json },
        -> { Katsu::Response.new({posts: serializer}).write_to(StringIO.new) },
        -> { generate({posts: RowSerializer.many(rows)}) }, -> { generate({posts: RowSerializer.many(rows.each)}) }
      ],
      "a[1].posts[139].v" => [
        -> { generate({a: [1, Katsu::Response.new({posts: serializer})]}) },
        -> { dumped({a: [1, Katsu::Response.new({posts: serializer})]}, {}) },
        -> { Katsu::Response.new({a: [1, {posts: serializer}]}).to_json }
      ],
      "a[1]" => [-> { Katsu::Response.new({a: [1, "\xff"]}).to_json }]
    }.each do |path, calls|
      calls.each do |call|
        assert_equal path, assert_raises(Katsu::GeneratorError, path, &call).path
      end
    end
  end

  class FieldSerializer < Katsu::Serializer
    attributes :id, :field
    def field = raise(KeyError, "mine")
  end

  def test_errors_of_fields_have_it_too
    document = FieldSerializer.many([{id: 1}])
    response = Katsu::Response.new({a: [document]})
    [-> { generate({a: [document]}) }, -> { generate({a: [document]}, indent: " ") },
     -> { response.to_json }, -> { response.as_json }].each do |call|
      assert_equal "a[0][0].field", assert_raises(KeyError, &call).field_path
    end
  end

  # A serializer's value that is a document, or in a value's Hash or Array.
  def test_errors_of_documents_in_fields
    {
      "[1].inner[0].field" => ->(rows) { FieldSerializer.many(rows) },
      "[1].inner.a[1][0].field" => ->(rows) { {a: [1, FieldSerializer.many(rows)]} },
      "[1].inner.field" => ->(rows) { FieldSerializer.one(rows[0]) },
      "[1].inner.x.field" => ->(rows) { Katsu::Response.new({x: FieldSerializer.one(rows[0])}) }
    }.each do |path, made|
      outer = Class.new(Katsu::Serializer) { attribute(:inner) { |object| object[:id] == 1 ? 0 : made.([{id: 3}]) } }
      document = outer.many([{id: 1}, {id: 2}])
      {path => -> { document.to_json }, "p#{path}" => -> { generate({p: document}) },
       path[4..] => -> { outer.one({id: 2}).to_json }}.each do |place, call|
        error = assert_raises(KeyError) { watched(&call) }
        assert_equal ["mine", place, 3], [error.message, error.field_path, error.field_id]
      end
      error = assert_raises(KeyError) { document.write_to(StringIO.new) }
      assert_equal path, error.field_path
    end
  end

  def test_errors_of_a_to_json_that_generates
    error = assert_raises(Katsu::GeneratorError) { generate({users: [{m: Wrap.new(Float::NAN)}]}) }
    assert_equal ["users[0].m.v", "NaN not allowed in JSON"], [error.path, error.message]
    assert_nil error.cause
    assert_equal "[0].v[0].v", assert_raises(Katsu::GeneratorError) {
      generate([Wrap.new([Wrap.new(Float::NAN)])])
    }.path
    assert_equal "v", assert_raises(Katsu::GeneratorError) { generate(Wrap.new(Float::NAN)) }.path
    assert_equal 1, catch(:out) { generate([Class.new { def to_json(*) = throw(:out, 1) }.new]) }
    frozen = Katsu::GeneratorError.new("mine", nil, ["x"]).freeze
    raising = Class.new { define_method(:to_json) { |*| raise frozen } }.new
    assert_equal "[0].x", assert_raises(Katsu::GeneratorError) { generate([raising]) }.path
    assert_equal "x", frozen.path
  end

  # The limit of the document's own text holds for its tree, too.
  def test_a_document_that_contains_itself
    value = {}
    value[:a] = value
    document = Class.new(Katsu::Serializer) { attributes :v }.many([{v: value}])
    calls = [-> { Katsu.pretty_generate(document) }, -> { Katsu.generate([document], script_safe: true) },
             -> { Katsu.dump([document], StringIO.new, max_nesting: 50) }]
    fewer_under_stress(calls).each do |call|
      error = assert_raises(Katsu::NestingError) { watched(&call) }
      assert_match(/\[0\]\.v\.a\.a/, error.path)
    end
  end

  def test_fragments_that_json_would_refuse
    deep = "#{"[" * 102}#{"]" * 102}"
    document = Class.new(Katsu::Serializer) { attributes :v }.one({v: Katsu::Fragment.new(deep)})
    assert_equal %([{"v":#{deep}}]), watched { Katsu.generate([document], script_safe: true, max_nesting: 0) }
  end

  # An error that is raised twice has the place of each time.
  class Remembering
    def to_json(state = nil, *)
      raise @error if @error

      begin
        Katsu.generate([Float::NAN], state)
      rescue StandardError => e
        @error = e
        raise
      end
    end
  end

  def test_errors_that_are_raised_again
    value = Remembering.new
    errors = %i[a b].map { |key| assert_raises(Katsu::GeneratorError) { watched { Katsu.generate({key => value}) } } }
    assert_equal ["a[0]", "b[0]"], errors.map(&:path)
    assert_equal [nil, nil], errors.map(&:cause)
    assert_match(/embedded_test/, errors.last.backtrace.join("\n"))
  end

  class Flushes
    attr_reader :count

    def initialize = @count = 0
    def write(text) = text.bytesize
    def flush = @count += 1
  end

  # Not behind each part.
  def test_an_io_is_flushed_at_the_end
    rows = Array.new(200) { |i| {id: i} }
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    parts = Array.new(5) { Katsu::ArraySerializer.new(rows, each_serializer: serializer) }
    calls = [->(io) { Katsu.dump(parts, io) }, ->(io) { Katsu::Response.new(parts).write_to(io) },
             ->(io) { Katsu.dump([Katsu::Response.new(parts)], io) }, ->(io) { parts[0].write_to(io) },
             ->(io) { serializer.many(rows).write_to(io) }]
    counts = calls.map { |call| Flushes.new.tap(&call).count }
    assert_equal [1] * calls.size, counts
  end

  def test_text_of_as_json_in_another_encoding
    value = Class.new { define_method(:as_json) { |*| "\xE9".dup.force_encoding("ISO-8859-1") } }.new
    document = Class.new(Katsu::Serializer) { attributes :v }.one({v: value})
    assert_equal ['{"v":"é"}', '[{"v":"é"}]'], [document.to_json, Katsu.generate([document], script_safe: true)]
  end
end
