# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "stringio"

# What errors say, where they say it, and what they leave alone.
class ErrorsTest < TestCase
  SHARED = RuntimeError.new("mine")

  class Refused < StandardError
    def initialize(code) = super("code #{@code = code}")
    attr_reader :code

    def places = raise("not Katsu's")
  end

  class BadSerializer < Katsu::Serializer
    attributes :id, :bad
    def bad = context.call(object)
  end

  class OtherSerializer < Katsu::Serializer
    attributes :other
    def other = context.call(object)
  end

  class OuterSerializer < Katsu::Serializer
    attributes :outer
    def outer = context.call
  end

  def raised(error, object = {id: 7}, serializer: BadSerializer, &block)
    assert_raises(error) { watched { serializer.new(context: block).serialize_to_json(object) } }
  end

  def refused(value, options = {})
    assert_raises(Katsu::GeneratorError, Katsu::NestingError) { generate(value, options) }
  end

  # It has detailed_message, from Ruby 3.2 on; before that the message.
  def details(error) = error.full_message(highlight: false)

  def json_error(value, options = {})
    JSON.generate(value, options)
    flunk "json takes #{value.inspect}"
  rescue JSON::JSONError => e
    e
  end

  # Keys of a Hash may be a client's, and comparing all of them letter by letter takes seconds.
  def test_few_of_many_names_are_compared_letter_by_letter
    distances = 0
    counting = TracePoint.new(:call) { |trace| distances += 1 if trace.method_id == :distance }
    names = Array.new(5000) { |i| "attribute_#{i}" } << "atribute"
    hint = counting.enable { Katsu::NearestName.hint(:attribute, names) }
    assert_equal " Did you mean atribute?", hint
    assert_operator distances, :<=, 200
    assert_empty Katsu::NearestName.hint(:attribute, ["attribute_of_another_kind"] * 5000)
  end

  # Of as many characters, and with the same first one, as the names that are not meant.
  def test_the_nearest_of_many_names_is_found
    names = Array.new(1000) { |i| format("name%05d", i) } << "nickname1"
    assert_equal " Did you mean nickname1?", Katsu::NearestName.hint(:nicknam1e, names)
    assert_equal " Did you mean nickname1?", Katsu::NearestName.hint(:nicname1, names)
    assert_empty Katsu::NearestName.hint(:something, names)
  end

  def test_of_names_that_are_as_near_the_first_one_counts
    [%w[ub ua], %w[ua ub]].each { |names| assert_equal " Did you mean ua?", Katsu::NearestName.hint(:u, names) }
    assert_equal " Did you mean uv?", Katsu::NearestName.hint(:u, %w[u= uv])
  end

  def test_messages_are_those_of_json
    deep = 101.times.inject([]) { |inner, _| [inner] }
    [["\xff"], {"a" => "x\xE2\x82"}, ["\xff".b], {"\xff" => 1}, [Float::NAN], [[-Float::INFINITY]], deep,
     ["a".dup.force_encoding("UTF-16")],
     ["\x81".dup.force_encoding("Windows-1252")]].each do |value|
      expected = json_error(value)
      error = refused(value)
      assert_equal expected.message.b, error.message.b
      assert_equal [Encoding::UTF_8, true],
                   [error.message.encoding, error.message.valid_encoding?] if expected.message.ascii_only?
      assert_equal [expected.cause.class, expected.cause&.message], [error.cause.class, error.cause&.message],
                   value.inspect
    end
    return if JSON::VERSION < "3.1"

    [[[Object.new], {strict: true}], [{Object.new => 1}, {strict: true}],
     [{"a" => 1, a: 2}, {}]].each do |value, options|
      assert_equal json_error(value, options).message, refused(value, options).message
    end
  end

  def test_errors_of_canonical_json
    canonical = {rfc8785: true}
    twice = refused({"u" => [1, {"a" => 1, a: 2}]}, canonical)
    assert_equal ["u[1]", 'detected duplicate key "a"'], [twice.path, twice.message] # as json 3.1 has it
    assert_equal "u[1].b", refused({"u" => [1, {"b" => 10**400, "a" => 1}]}, canonical).path
    wrong = refused({"u" => {"ok" => 1, "\xff" => 2}}, canonical)
    assert_equal ["\xff", "u[\"\uFFFD\"]"], [wrong.invalid_object, wrong.path]
    strict = {strict: true, as_json: ->(object, _) { object.nil? ? Object.new : object }, **canonical}
    error = refused({"u" => {nil => 1}}, strict)
    assert_equal ["u", "Object not allowed as object key in JSON"], [error.path[0], error.message]
  end

  def test_the_cause_is_what_encode_raised
    undefined = refused({"a" => "\x81".dup.force_encoding("Windows-1252")})
    assert_kind_of EncodingError, undefined.cause
    assert_equal undefined.cause.message, undefined.message
    assert_nil refused(["\xff"]).cause
    odd = Class.new(String) { def encode(*) = raise(KeyError, "own") }.new("\xff")
    assert_kind_of KeyError, refused({Class.new { define_method(:to_s) { odd } }.new => 1}).cause
  end

  def test_places_are_beside_the_message
    error = refused({"users" => [1, {"größe" => "ab\xff"}]})
    assert_equal ["users[1].größe", "source sequence is illegal/malformed utf-8"], [error.path, error.message]
    assert_equal "#<Katsu::GeneratorError: source sequence is illegal/malformed utf-8 (in users[1].größe, at byte 2)>",
                 error.inspect
    assert_match(/in users\[1\].größe, at byte 2\nInvalid object: "ab\\xFF"/, details(error))
    assert_equal "#<Katsu::GeneratorError: NaN not allowed in JSON>", refused(Float::NAN).inspect
    assert_match(/at byte 0\n/, details(refused("\xff")))
    deep = refused({"a" => [[1]]}, max_nesting: 2)
    assert_equal ["a[0]", "#<Katsu::NestingError: #{deep.message} (under a[0])>"], [deep.path, deep.inspect]
    assert_match(/under a\[0\]/, details(deep))
    assert_equal "#<Katsu::GeneratorError: x>", Katsu::GeneratorError.new("x").inspect
    assert_equal "#<Katsu::NestingError: #{Katsu::NestingError.new.message}>", Katsu::NestingError.new.inspect
  end

  class ItemSerializer < Katsu::Serializer
    attributes :id
  end

  class BoxSerializer < Katsu::Serializer
    attributes :id
    has_one :lid, serializer: ItemSerializer
    has_one :any, serializer: {"Hash" => ItemSerializer}
    has_many :items, serializer: ItemSerializer
    has_many :mixed, serializer: {"Hash" => ItemSerializer}
    has_many :keyed, serializer: ItemSerializer, by: :id
  end

  BOX = {id: 1, lid: nil, any: {id: 2}, items: [], mixed: [{id: 3}], keyed: []}.freeze

  # What is missing, one object in the place of many, and an object without a serializer.
  def test_places_of_objects_that_are_not_as_declared
    {
      "[1].lid.id" => {lid: {}}, "[1].items[0].id" => {items: [{}]}, "[1].any.id" => {any: {}},
      "[1].mixed[1].id" => {mixed: [{id: 1}, {}]}, "[1].lid" => {lid: [1]}, "[1].items" => {items: 1},
      "[1].items[1]" => {items: [{id: 1}, []]}, "[1].keyed" => {keyed: {}}, "[1].any" => {any: 1},
      "[1].mixed[0]" => {mixed: [1]}, "[1].mixed" => {mixed: 1}
    }.each do |path, values|
      %i[to_json to_a].each do |call|
        boxes = Katsu::ArraySerializer.new([BOX, BOX.merge(values)], each_serializer: BoxSerializer)
        error = assert_raises(Katsu::UnknownAttributeError, Katsu::NumberError, Katsu::SerializerNotFoundError) do
          boxes.public_send(call)
        end
        assert_equal path, error.path
        assert_includes details(error), "\nin #{path}"
        refute_includes error.message, path
      end
    end
    error = assert_raises(Katsu::NumberError) { BoxSerializer.many([BOX, {**BOX, any: [1]}]).to_json }
    assert_equal "[1].any", error.path
  end

  def test_places_of_objects_at_the_root_and_in_other_documents
    assert_equal "", assert_raises(Katsu::NumberError) { ItemSerializer.new.serialize_to_json([]) }.path
    assert_equal "id", assert_raises(Katsu::UnknownAttributeError) { ItemSerializer.one({}).to_json }.path
    error = assert_raises(Katsu::UnknownAttributeError) { Katsu.generate({a: [ItemSerializer.many([{id: 1}, {}])]}) }
    assert_equal "a[0][1].id", error.path
    assert_nil Katsu::UnknownAttributeError.new(ItemSerializer, :id, {}).path
  end

  def test_the_place_of_the_first_object
    [-> { ItemSerializer.many([[1]]).to_json }, -> { ItemSerializer.many([[1]]).to_a }].each do |call|
      assert_equal "[0]", assert_raises(Katsu::NumberError, &call).path
    end
    error = assert_raises(Katsu::NumberError) { Katsu.generate({a: [1, ItemSerializer.many([[1]])]}) }
    assert_equal "a[1][0]", error.path
  end

  def test_messages_of_all_errors_are_text
    io = Object.new.tap { |object| def object.write(_) = 0 }
    bad = Object.new.tap { |object| def object.to_json(*) = 5 }
    [-> { generate([Object.new], strict: true) }, -> { Katsu.dump([1], io) }, -> { Katsu::Writer.new.pop },
     -> { Katsu::ObjectWriter.new.pop },
     -> { generate({"ü" => Float::NAN}) }, -> { generate([bad]) }, -> { Katsu::Writer.new(5) },
     -> { generate([1], depth: -1) },
     -> {
       generate([1], indent: 5) if native? == false
       raise "x"
     }].each do |call|
      error = assert_raises(StandardError, &call)
      assert_equal [Encoding::UTF_8, true], [error.message.encoding, error.message.valid_encoding?], error.message
    end
  end

  def test_a_field_error_is_a_copy_that_knows_the_place
    error = raised(Refused) { raise Refused, 5 }
    assert_kind_of Katsu::FieldError, error
    assert_equal ["code 5", 5, "bad", Hash, 7],
                 [error.message, error.code, error.field_path, error.field_class, error.field_id]
    assert_equal "#<ErrorsTest::Refused: code 5 (in bad of Hash with id 7)>", error.inspect
    assert_match(/code 5.*\n.*in bad of Hash with id 7/m, details(error))
    assert_match(/errors_test/, error.backtrace.first)
    assert_match(/errors_test/, error.backtrace_locations.first.to_s)
    assert_nil error.cause
  end

  def test_an_error_of_the_application_stays_as_it_is
    first = raised(RuntimeError) { raise SHARED }
    second = raised(RuntimeError, {id: 8}, serializer: OtherSerializer) { raise SHARED }
    assert_equal [["bad", 7], ["other", 8]], [first, second].map { |error| [error.field_path, error.field_id] }
    refute_kind_of Katsu::FieldError, SHARED
    elsewhere = assert_raises(RuntimeError) { raise SHARED }
    assert_same SHARED, elsewhere
    assert_equal "#<RuntimeError: mine>", elsewhere.inspect
    refute_match(/ of Hash/, details(elsewhere))
  end

  # What somebody rescued and raises later is not on its way any more.
  def test_a_copy_that_is_raised_later_says_nothing_of_the_first_place
    kept = raised(RuntimeError) { raise "mine" }
    assert_equal "bad", kept.field_path
    later = assert_raises(RuntimeError) { raise kept }
    assert_nil later.field_path
    assert_equal "#<RuntimeError: mine>", later.inspect
    kept = raised(RuntimeError) { raise "mine" }
    moved = raised(RuntimeError, serializer: OtherSerializer) { raise kept }
    assert_equal "other", moved.field_path
    other = assert_raises(RuntimeError) { raise raised(RuntimeError) { raise "mine" }, "another text" }
    assert_equal "#<RuntimeError: another text>", other.inspect
  end

  def test_what_is_raised_again_where_it_was_rescued_keeps_its_place
    again = assert_raises(RuntimeError) do
      BadSerializer.new(context: ->(_) { raise "mine" }).serialize_to_json({id: 7})
    rescue RuntimeError
      raise
    end
    assert_equal "bad", again.field_path
    named = assert_raises(RuntimeError) do
      BadSerializer.new(context: ->(_) { raise "mine" }).serialize({id: 7})
    rescue RuntimeError => e
      raise e
    end
    assert_equal "bad", named.field_path
  end

  def test_the_innermost_place_counts
    inner = BadSerializer.new(context: ->(_) { raise KeyError, "mine" })
    error = assert_raises(KeyError) do
      OuterSerializer.new(context: -> {
        inner.serialize_to_json({id: 1})
      }).serialize_to_json({})
    end
    assert_equal ["bad", 1], [error.field_path, error.field_id]
    error = assert_raises(Katsu::GeneratorError) do
      OuterSerializer.new(context: -> { Katsu.generate(["\xff"]) }).serialize_to_json({id: 2})
    end
    assert_equal ["outer", "[0]"], [error.field_path, error.path]
    assert_equal "#<Katsu::GeneratorError: source sequence is illegal/malformed utf-8 " \
                 "(in outer of Hash with id 2; in [0], at byte 0)>", error.inspect
  end

  def test_causes_stay
    error = raised(RuntimeError) { begin; raise KeyError, "cause"; rescue KeyError; raise "effect"; end }
    assert_equal ["effect", "cause"], [error.message, error.cause.message]
    none = begin
      raise "around"
    rescue RuntimeError
      [raised(RuntimeError) { raise "x", cause: nil }, raised(RuntimeError) { raise "y" }].map { |e| e.cause&.message }
    end
    assert_equal [nil, "around"], none
  end

  def test_errors_that_cannot_be_copied_or_changed
    frozen = RuntimeError.new("cold")
    unwilling = Class.new(StandardError) { def initialize_copy(*) = raise("no copies") }.new("mine")
    assert_same unwilling, raised(StandardError) { raise unwilling }
    assert_equal "bad", raised(RuntimeError) { raise frozen.freeze }.field_path if RUBY_VERSION >= "3.2"
    assert_kind_of FrozenError, raised(FrozenError) { "".freeze << "x" }
  end

  def test_texts_of_two_encodings
    binary = raised(RuntimeError, {id: "größe"}) { raise "\xff\xfe".b }
    assert_equal "\xff\xfe".b, binary.message
    assert_includes details(binary).dup.force_encoding("UTF-8").scrub, "in bad of Hash"
    assert_includes binary.inspect.dup.force_encoding("UTF-8").scrub, "in bad of Hash"
    assert_equal "bad", raised(RuntimeError) { raise "ü".encode("UTF-16LE") }.field_path
  end

  # To say where it is, code of the application's may be called that rescues something itself.
  class Bare < BasicObject
    def to_s = "bare"
  end

  class Twice
    def to_s = (@calls = @calls.to_i + 1) > 1 ? raise("called twice") : "once"
  end

  # The keys of a path may be anything.
  def test_a_path_does_not_replace_the_error
    utf7, mule = ["a", "\xff"].zip(%w[UTF-7 Emacs-Mule]).map { |text, name| text.dup.force_encoding(name) }
    [[Bare.new, "bare"], [Twice.new, "[\"#<ErrorsTest::Twice>\"]"]].each do |key, path|
      hash = {}.compare_by_identity
      hash[key] = Float::NAN
      error = assert_raises(Katsu::GeneratorError) { generate(hash) }
      assert_equal ["NaN not allowed in JSON", path], [error.message, error.path]
    end
    {utf7 => "a", mule => "[\"\u{fffd}\"]"}.each do |key, path|
      error = assert_raises(Katsu::GeneratorError) { generate({key => 1}) }
      assert_equal ["code converter not found (#{key.encoding} to UTF-8)", path], [error.message, error.path]
      assert_equal path, assert_raises(Katsu::GeneratorError) { Katsu::Response.new({key => Float::NAN}).to_json }.path
    end
  end

  def test_a_path_does_not_replace_the_error_of_a_deep_document
    hash = {}.compare_by_identity
    hash[Bare.new] = [[1]]
    assert_equal "bare[0]", assert_raises(Katsu::NestingError) { generate(hash, max_nesting: 2) }.path
  end

  def test_keys_without_a_to_s
    hash = {}.compare_by_identity
    hash[BasicObject.new] = 1
    assert_equal "can't convert BasicObject into String", assert_raises(TypeError) { generate(hash) }.message
  end

  def test_the_cause_of_an_encoding_error
    key = Class.new do
      def to_s
        Integer("x")
      rescue ArgumentError
        "key"
      end
    end
    error = assert_raises(Katsu::GeneratorError) { generate({key.new => ["\xFF".b]}) }
    assert_instance_of Encoding::UndefinedConversionError, error.cause
  end
end
