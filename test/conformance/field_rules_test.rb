# frozen_string_literal: true

require "support/test_case"
require "support/database"

# default:, omit_nil: and on_error: of attributes, and the words of a class for them.
class FieldRulesTest < TestCase
  def declared(parent = Katsu::Serializer, &body)
    Class.new(parent) do
      def self.to_s = "S"
      class_eval(&body)
    end
  end

  # The JSON of object, which is the same as a Hash and in a collection.
  def write(serializer, object, **options)
    text = watched { serializer.new(options).serialize_to_json(object) }
    assert_equal JSON.parse(text), watched { serializer.new(options).serialize(object) }
    assert_equal "[#{text},#{text}]", watched { serializer.many([object, object], options).to_json }
    text
  end

  Point = Struct.new(:id, :title, :body, :data, :created_at, :price, keyword_init: true)

  # The same values as a record, a Hash and an object.
  def each_kind(**values)
    yield Post.new(values), :record
    yield({id: nil, title: nil, body: nil, data: nil, created_at: nil, price: nil}.merge(values), :hash)
    yield Point.new(**values), :object
  end

  # A Hash that answers every name is no callable; a class of its own may have an as_json of its own.
  def test_defaults_of_classes_of_their_own
    require "active_support/ordered_options"
    options = ActiveSupport::OrderedOptions.new.merge!(a: 1)
    own = Class.new(Hash) { def as_json(*) = "own" }.new
    serializer = declared do
      attribute :title, default: options
      attribute :body, default: own
    end
    assert_equal '{"title":{"a":1},"body":"own"}', serializer.new.serialize_to_json({title: nil, body: nil})
    assert_equal({"title" => {"a" => 1}, "body" => "own"}, serializer.new.serialize({title: nil, body: nil}))
  end

  def test_default
    serializer = declared do
      attribute :title, default: "none"
      attribute :body, name: :text, default: -> { "#{scope}!" }
      attributes :data, :price, default: {"a" => [1]}
      attribute(:id, default: ->(object) { object[:title] }) { |object| object[:id] }
    end
    each_kind do |object, kind|
      assert_equal '{"title":"none","text":"s!","data":{"a":[1]},"price":{"a":[1]},"id":null}',
                   write(serializer, object, scope: "s"), kind
    end
    given = declared do
      attribute(:context, default: 0) { |object, context| context && [object[:id], context] }
      attribute(:neither, default: 0) { context }
    end
    assert_equal '{"context":[1,"c"],"neither":"c"}', write(given, {id: 1}, context: "c")
    assert_equal '{"context":0,"neither":0}', write(given, {id: 1})
    each_kind(title: "t", body: "b", data: [], price: 1, id: 2) do |object, kind|
      price = kind == :record ? '"1.0"' : "1"
      assert_equal %({"title":"t","text":"b","data":[],"price":#{price},"id":2}), write(serializer, object), kind
    end
  end

  def test_omit_nil
    serializer = declared do
      attributes :id, :title
      attribute :body, omit_nil: true
      attribute(:shout, omit_nil: true) { |object| object[:title]&.upcase }
      attribute :data, omit_nil: true, if: -> { scope }
    end
    each_kind(id: 1) { |object, kind| assert_equal '{"id":1,"title":null}', write(serializer, object, scope: 1), kind }
    each_kind(id: 1, title: "a", body: "b", data: {"x" => 1}) do |object, kind|
      assert_equal '{"id":1,"title":"a","body":"b","data":{"x":1},"shout":"A"}', write(serializer, object, scope: 1),
                   kind
      assert_equal '{"id":1,"title":"a","body":"b","shout":"A"}', write(serializer, object), kind
    end
  end

  # A Hash of two pairs, and one of many that ends with the same two.
  def test_omit_nil_of_many_attributes
    names = (1..34).map { |i| :"key#{i}" }
    serializer = declared { names.each { |name| attribute name, omit_nil: true } }
    few = names.last(2).to_h { |name| [name.to_s, "few"] }
    many = names.to_h { |name| [name.to_s, "many"] }
    objects = [many.transform_values { nil }.merge(few), many] * 2
    assert_equal [few, many] * 2, watched { serializer.many(objects).to_a }
  end

  def test_omit_nil_of_a_class
    parent = declared do
      omit_nil
      attributes :id, :title
      aliases body: :text
      def title = object[:title]
    end
    child = declared(parent) do
      attributes :price
      attribute :data, omit_nil: false
      attribute :created_at, default: 0
    end
    unruled = declared(parent) do
      omit_nil false
      attributes :price
    end
    each_kind(id: 1) do |object, kind|
      assert_equal '{"id":1}', write(parent, object), kind
      assert_equal '{"id":1,"data":null,"created_at":0}', write(child, object), kind
      assert_equal '{"id":1,"price":null}', write(unruled, object), kind
    end
    each_kind(title: "a", body: "b") do |object, kind|
      assert_equal '{"text":"b","title":"a"}', write(parent, object),
                   kind
    end
  end

  # Attributes with a rule stand where they stand without it.
  def test_order
    serializer = declared do
      attribute(:shout) { "A" }
      attribute :title, default: "none"
      attributes :id
    end
    assert_equal '{"title":"none","id":1,"shout":"A"}', write(serializer, {title: nil, id: 1})
  end

  def test_columns_are_written_as_without_a_rule
    plain = declared { attributes :id, :title, :created_at, :price, :rating, :draft, :day, :clock, :big }
    ruled = declared do
      attributes :id, :title, :created_at, :price, :rating, :draft, :day, :clock, :big,
                 omit_nil: true
    end
    Post.delete_all
    post = Post.create!(title: "a", price: 1.5, rating: 2.5, draft: true, day: Date.new(2026, 1, 2), clock: "10:00",
                        big: 2**40)
    assert_equal write(plain, Post.find(post.id)), write(ruled, Post.find(post.id))
    assert_equal plain.many(Post.all).to_json, ruled.many(Post.all).to_json
  ensure
    Post.delete_all
  end

  def errors_in
    found = []
    subscribed = ->(event) { found << [event.payload[:field], event.payload[:error].class] }
    result = ActiveSupport::Notifications.subscribed(subscribed, "field_error.katsu") { yield }
    [result, found]
  end

  def failing(kind = nil, **options, &block)
    declared do
      on_error(*kind, &block) if kind || block
      attributes :id
      attribute(:ratio, **options) { 1 / 0 }
      attributes :name
      def name = raise(KeyError, "no name")
    end
  end

  def test_on_error
    object = {id: 1}
    assert_equal ['{"id":1,"ratio":null,"name":null}', [[:ratio, ZeroDivisionError], [:name, KeyError]]],
                 errors_in { failing(:null).new.serialize_to_json(object) }
    assert_equal ['{"id":1}', [[:ratio, ZeroDivisionError], [:name, KeyError]]],
                 errors_in { failing(:skip).new.serialize_to_json(object) }
    assert_equal '{"id":1,"ratio":"divided by 0","name":"no name"}', write(failing { |error| error.message }, object)
    assert_equal '{"id":1,"ratio":"ZeroDivisionError 1","name":"KeyError 1"}',
                 write(failing(->(error, of) { "#{error.class} #{of[:id]}" }), object)
    assert_equal '{"id":1,"ratio":0,"name":null}', write(failing(:null, default: 0), object)
    assert_equal '{"id":1,"name":null}', write(failing(:null, on_error: :skip), object)
    assert_raises(ZeroDivisionError) { failing(:null, on_error: :raise).new.serialize_to_json(object) }
    assert_raises(ZeroDivisionError) { failing(:raise).new.serialize_to_json(object) }
    error = assert_raises(ZeroDivisionError) { failing(default: 1).new.serialize_to_json(object) }
    assert_equal "ratio", error.field_path
  end

  # The value in the place of nil is a part of the value; where it raises, :null writes null.
  # What the object has is written as it is: the text of a JSON column as the database returned it.
  def test_on_error_without_a_word_for_nil
    serializer = declared { attributes :title, :data, on_error: :null }
    id = Post.create!(title: "t", data: []).id
    Post.connection.execute(%(UPDATE posts SET data = '{"a":  1.50}' WHERE id = #{id}))
    expected = '{"title":"t","data":{"a":  1.50}}'
    assert_equal expected, serializer.new.serialize_to_json(Post.find(id))
    assert_equal "[#{expected}]", serializer.many(Post.where(id: id)).to_json
  ensure
    Post.delete_all
  end

  def test_on_error_is_for_a_default_too
    written = {null: '{"a":null,"b":null}', skip: "{}", ->(error) { error.message } => '{"a":"no a","b":"no b"}'}
    written.each do |kind, expected|
      serializer = declared do
        attribute :a, default: -> { raise "no a" }, on_error: kind
        attribute(:b, default: -> { raise "no b" }, on_error: kind) { |object| object[:a] }
      end
      assert_equal expected, write(serializer, {a: nil})
      found = errors_in { serializer.new.serialize_to_json({a: nil}) }.last
      assert_equal [[:a, RuntimeError], [:b, RuntimeError]], found
    end
    both = declared { attribute(:a, default: -> { raise "no default" }, on_error: :null) { raise "no a" } }
    assert_equal ['{"a":null}', [[:a, RuntimeError]] * 2], errors_in { both.new.serialize_to_json({}) }
    once = declared { attribute :a, default: -> { raise "no a" }, on_error: -> { raise KeyError, "again" } }
    assert_equal "again", assert_raises(KeyError) { once.new.serialize_to_json({a: nil}) }.message
    assert_raises(RuntimeError) { declared { attribute :a, default: -> { raise } }.new.serialize_to_json({a: nil}) }
  end

  def test_on_error_is_not_for_conditions
    serializer = declared do
      on_error :skip
      attribute(:a, if: -> { raise KeyError }) { 1 }
    end
    assert_raises(KeyError) { serializer.new.serialize_to_json({}) }
  end

  # What the object itself refuses is not the serializer's error.
  def test_on_error_is_not_for_names_that_do_not_exist
    assert_raises(Katsu::UnknownAttributeError) do
      declared do
        on_error(:null)
        attributes :nothing
      end.new.serialize_to_json({id: 1})
    end
    assert_raises(Katsu::UnknownAttributeError) do
      declared { attributes :nothing, omit_nil: true, on_error: :null }.new.serialize_to_json({id: 1})
    end
  end

  def test_subclasses_and_views
    parent = declared do
      omit_nil
      view(:index) { attributes :title }
    end
    assert_equal "{}", write(parent, {title: nil}, view: :index)
    assert_equal '{"T":1}', write(declared { attribute :t, name: "t", omit_nil: true }, {t: 1}, transform_keys: :camel)
  end

  def test_mistakes
    {
      "S: attribute :a has default: and omit_nil:; give one of them" => -> {
        declared do
          attribute :a, default: 1, omit_nil: true
        end
      },
      "S: attribute :a has omit_nil: 1; accepted are true and false" => -> { declared { attribute :a, omit_nil: 1 } },
      "S: omit_nil has omit_nil: 1; accepted are true and false" => -> { declared { omit_nil 1 } },
      "S: attribute :a has on_error: :nul; accepted are :raise, :null, :skip and a callable that takes the error " \
      "and the object. Did you mean null?" =>
        -> { declared { attribute :a, on_error: :nul } },
      "S: omit_nil stands before what it is for: before all attributes, associations and views" => -> {
        declared do
          attributes :a
          omit_nil
        end
      },
      "S: on_error stands before what it is for: before all attributes, associations and views" => -> {
        declared do
          view(:long) { attributes :a }
          on_error :null
        end
      },
      "S: attribute :a, on_error: takes (a, b, c); it is given the error, and the object if it takes two arguments" =>
        -> { declared { attribute :a, on_error: ->(a, b, c) { [a, b, c] } } },
      "S: on_error takes a kind or a block" => -> { declared { on_error } },
      "S: a is declared twice: attribute :a and attribute :a differ" => -> {
        declared do
          attribute :a, default: 1
          attribute :a, default: 2
        end
      },
      "S: attribute :a, name: 3 is no name; names are Symbols or Strings" => -> { declared { attribute :a, name: 3 } }
    }.each { |message, code| assert_equal message, assert_raises(ArgumentError, &code).message }
    assert declared { 2.times { attribute :a, default: 1, on_error: :null } }
  end

  def test_words_for_subclasses_that_have_attributes
    parent = declared {} # rubocop:disable Lint/EmptyBlock
    Class.new(parent) do
      def self.to_s = "T"
      attributes :id
    end
    %i[omit_nil on_error].zip([[], [:null]]).each do |word, given|
      error = assert_raises(ArgumentError) { parent.public_send(word, *given) }
      assert_equal "S: #{word} stands before what it is for: before the attributes of T, too", error.message
    end
  end

  # Fields may have these names; what is not written stays the object.
  class ChargeSerializer < Katsu::Serializer
    attributes :object, :context
    attribute :title, default: ->(post) { "no title of #{post.class.name}" }
    attribute :fails, on_error: ->(error, post) { "#{error.message} #{post.id}" }
    attribute :other, default: "-"
    def object = "charge"
    def context = "here"
    def other = nil
    def fails = raise("no")
  end

  def test_fields_called_object_and_context
    expected = '{"title":"no title of FieldRulesTest::Point","object":"charge","context":"here","other":"-",' \
               '"fails":"no 7"}'
    assert_equal expected, write(ChargeSerializer, Point.new(id: 7))
    keyed = ChargeSerializer.many([Point.new(id: 7)], by: ->(point, context) { "#{point.id} #{context}" }, context: 8)
    assert_equal "{\"7 8\":#{expected}}", watched { keyed.to_json }
  end
end
