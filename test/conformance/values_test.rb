# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Values of columns whose type or state says more than the name of the type, against record.as_json.
class ValuesTest < TestCase
  # A database of its own, whose times are local.
  class LocalBase < ActiveRecord::Base
    self.abstract_class = true
    establish_connection(adapter: "sqlite3", database: ":memory:", default_timezone: "local")
    connection.create_table(:events) do |t|
      t.datetime :at, precision: 6
      t.date :day
      t.time :clock
    end
  end

  class LocalEvent < LocalBase
    self.table_name = "events"
  end

  class LocalZonedEvent < LocalBase
    self.table_name = "events"
    self.time_zone_aware_attributes = true
  end

  class LocalTypePost < ActiveRecord::Base
    self.table_name = "posts"
    attribute :created_at, ActiveRecord::Type::DateTime.new(timezone: :local)
  end

  class UtcTypePost < ActiveRecord::Base
    self.table_name = "posts"
    attribute :created_at, ActiveRecord::Type::DateTime.new(timezone: :utc)
  end

  class EventSerializer < Katsu::Serializer
    NAMES = %i[at day clock].freeze
    attributes(*NAMES)
  end

  class TimeSerializer < Katsu::Serializer
    NAMES = %i[created_at].freeze
    attributes(*NAMES)
  end

  def setup
    @settings = [ENV.fetch("TZ", nil), Time.zone, ActiveRecord.default_timezone]
    ENV["TZ"] = "Asia/Tokyo"
  end

  def teardown
    ENV["TZ"], Time.zone, ActiveRecord.default_timezone = @settings
    Post.delete_all
    LocalEvent.delete_all
  end

  # The JSON and the Hash of the record that the block loads, in each of these states.
  def assert_values(serializer, states = [:itself.to_proc])
    states.each do |state|
      reference = JSON.parse(ActiveSupport::JSON.encode(state.call(yield).as_json(only: serializer::NAMES)))
      assert_equal reference, JSON.parse(watched { serializer.new.serialize_to_json(state.call(yield)) })
      assert_equal reference, JSON.parse(JSON.generate(watched { serializer.new.serialize(state.call(yield)) }))
    end
  end

  READ = ->(record) { record.tap(&:attributes) }
  STATES = [:itself.to_proc, READ, :dup.to_proc, ->(record) { record.class.new(record.attributes) }].freeze

  def test_times_of_a_connection_whose_times_are_local
    id = LocalEvent.create!(at: Time.new(2026, 7, 1, 9, 30, 0, "+09:00"), day: "2026-07-01", clock: "09:30").id
    [nil, "UTC", "Europe/Berlin"].each do |zone|
      Time.zone = zone
      [LocalEvent, LocalZonedEvent].each { |model| assert_values(EventSerializer, STATES) { model.find(id) } }
    end
  end

  def test_times_of_a_type_with_a_zone_of_its_own
    id = Post.create!(created_at: Time.utc(2026, 7, 1, 0, 30)).id
    %i[utc local].each do |default|
      ActiveRecord.default_timezone = default
      [LocalTypePost, UtcTypePost, Post].each { |model| assert_values(TimeSerializer, STATES) { model.find(id) } }
    end
  end

  class MixedSerializer < Katsu::Serializer
    NAMES = %i[title views price data created_at day].freeze
    attributes(*NAMES)
  end

  # What instantiate is given for a record comes before the model's types.
  def test_types_that_a_record_was_given
    row = {"id" => 1, "title" => "12", "views" => "7", "price" => 1.5, "data" => '{"a": 1}',
           "created_at" => "2026-01-02 03:04:05", "day" => "2026-01-02"}
    types = {"title" => ActiveModel::Type::Integer.new, "views" => ActiveModel::Type::String.new,
             "price" => ActiveModel::Type::Float.new, "data" => ActiveModel::Type::String.new,
             "created_at" => ActiveRecord::Type::Date.new, "day" => ActiveRecord::Type::DateTime.new}
    states = [*STATES, ->(record) { record.tap(&:title) }]
    types.each { |name, type| assert_values(MixedSerializer, states) { Post.instantiate(row, {name => type}) } }
    assert_values(MixedSerializer, states) { Post.instantiate(row, types) }
    assert_values(MixedSerializer, states) { Post.instantiate(row, {"more" => ActiveModel::Type::Integer.new}) }
    # ActiveRecord's results have types under the numbers of columns, too.
    numbers = {0 => ActiveModel::Type::Value.new, 1 => types["title"]}
    [numbers, numbers.merge(types), types.merge(numbers)].each do |given|
      assert_values(MixedSerializer, states) { Post.instantiate(row, given) }
    end
    records = [Post.instantiate(row), Post.instantiate(row, types), Post.instantiate(row),
               Post.instantiate(row, types.slice("data"))]
    reference = JSON.parse(ActiveSupport::JSON.encode(records.map do |record|
      record.as_json(only: MixedSerializer::NAMES)
    end))
    records = [Post.instantiate(row), Post.instantiate(row, types), Post.instantiate(row),
               Post.instantiate(row, types.slice("data"))]
    assert_equal reference, JSON.parse(watched {
      Katsu::ArraySerializer.new(records, each_serializer: MixedSerializer).to_json
    })
  end

  # ActiveRecord's reader raises as well.
  def test_types_that_are_no_hash
    [nil, 1].each do |types|
      record = Post.instantiate({"id" => 1, "title" => "t"}, types)
      assert_raises(NoMethodError) { MixedSerializer.new.serialize_to_json(record) }
    end
  end

  class NarrowPost < ActiveRecord::Base
    self.table_name = "posts"
    attribute :price, :decimal, precision: 4, scale: 1
    attribute :created_at, :datetime, precision: 1
  end

  # Some drivers return BigDecimals and Times, SQLite Floats and Integers.
  def test_raw_values_that_the_type_of_the_column_rounds
    decimals = ["1.25", "12345.678", "0", "-0.04", "99.9", "NaN", "Infinity", "#{"12" * 50}.5"]
    decimals.map! { |text| BigDecimal(text) }
    [*decimals, 1.25, 12_345.678, 0, -0.04, 99.9, 99.96, -0.0, 1e20, 0.1 + 0.2, 2**70].each do |number|
      row = {"price" => number, "created_at" => Time.utc(2026, 1, 2, 3, 4, 5.6789r), "title" => "t"}
      [NarrowPost, Post].each do |model|
        assert_values(MixedSerializer, STATES) do
          model.instantiate({"views" => 1, "data" => nil, "day" => nil, **row})
        end
      end
    end
  end

  class ZonedPost < ActiveRecord::Base
    self.table_name = "posts"
    self.time_zone_aware_attributes = true
  end

  def test_times_that_were_changed_in_place
    id = Post.create!(created_at: Time.utc(2026, 7, 1, 0, 30)).id
    changes = [READ, ->(post) { post.tap { post.created_at.localtime("+05:30") } }, ->(post) {
      post.tap do
        post[:created_at].localtime
      end
    }]
    changes += changes.map { |change| ->(post) { change.call(post.tap { post.created_at = post.created_at + 1 }) } }
    changes << ->(post) { post.created_at.localtime.then { post } }
    assert_values(TimeSerializer, changes) { Post.find(id) }
    [nil, "UTC", "Europe/Berlin"].each do |zone|
      Time.zone = zone
      assert_values(TimeSerializer, zone ? [READ] : changes) { ZonedPost.find(id) }
    end
  end

  # A record keeps the Time object that it was given, and its TimeWithZone may hold the same object.
  def test_times_that_were_changed_after_they_were_given
    saves = [:itself.to_proc, :save!.to_proc, ->(post) { post.save! && post.attributes },
             ->(post) { post.attributes && post.save! }]
    [nil, "UTC", "Asia/Tokyo"].product([Post, ZonedPost], saves) do |zone, model, save|
      Time.zone = zone
      [Time.utc(2026, 7, 1, 0, 30), Time.new(2026, 7, 1, 0, 30, 0.25r, "+05:30")].each do |given|
        assert_values(TimeSerializer) do
          time = given.dup
          model.new(created_at: time).tap(&save).tap { time.localtime("-03:00") }
        end
      end
    end
  end

  def test_times_that_were_read_in_another_zone
    id = Post.create!(created_at: Time.utc(2026, 7, 1, 0, 30)).id
    zones = [nil, "UTC", "Europe/Berlin", "Asia/Tokyo"]
    zones.permutation(2) do |before, after|
      read = ->(post) { post.tap { Time.zone = before }.tap(&:created_at).tap { Time.zone = after } }
      assert_values(TimeSerializer, [read, ->(post) {
        read.call(post).tap do
          post.created_at = post.created_at
        end
      }]) { ZonedPost.find(id) }
    end
  end

  class DataSerializer < Katsu::Serializer
    NAMES = %i[data].freeze
    attributes(*NAMES)
  end

  def post_with(text)
    id = Post.create!(title: "t").id
    Post.connection.execute("UPDATE posts SET data = #{Post.connection.quote(text)} WHERE id = #{id}")
    -> { Post.find(id) }
  end

  def test_json_columns_of_many_levels
    [100, 101, 511, 512].product(["", "1", "\"\\u00fc\""]).each do |levels, innermost|
      found = post_with("#{"[" * levels}#{innermost}#{"]" * levels}")
      [:itself.to_proc, READ].each do |state|
        assert_equal levels, watched { DataSerializer.new.serialize_to_json(state.call(found.call)) }.count("]")
        value = watched { DataSerializer.new.serialize(state.call(found.call)) }.fetch("data")
        assert_equal levels, JSON.generate(value, max_nesting: 0).count("[")
      end
    end
  end

  # The values of attributes may be nested as deep as JSON columns, wherever they stand.
  def test_values_of_many_levels
    serializer = Class.new(Katsu::Serializer) do
      attribute(:value) { |levels| (levels - 1).times.reduce([]) { |inner, _| [inner] } }
    end
    [100, 101, 512].each do |levels|
      assert_equal levels, watched { serializer.new.serialize_to_json(levels) }.count("[")
    end
    error = assert_raises(Katsu::NestingError) { watched { serializer.new.serialize_to_json(513) } }
    assert_match(/\Anesting of 513 is too deep/, error.message)
  end

  # Read or not, as text or in a Hash; an innermost array that is empty counts too.
  def test_json_columns_of_too_many_levels
    ["[" * 513 + "]" * 513, "{\"a\":" * 512 + "[]" + "}" * 512, "[" * 513 + "1" + "]" * 513,
     "[" * 600 + "]" * 600, "[#{"[[],\"\\u00fc\"]," * 400}#{"[" * 512}1#{"]" * 512}]"].each do |text|
      found = post_with(text)
      [:itself.to_proc, READ].product(%i[serialize serialize_to_json]) do |state, call|
        error = assert_raises(Katsu::GeneratorError) { DataSerializer.new.public_send(call, state.call(found.call)) }
        assert_match(/data of Post with id #{found.call.id} is not JSON, or nested too deep/, error.message)
      end
    end
    text = "[#{"[[],\"[{\"]," * 400}#{"[" * 511}1#{"]" * 511}]"
    assert_values(DataSerializer, [:itself.to_proc]) { post_with("[#{"[[],\"[{\"]," * 400}1]").call }
    [text, text.gsub("[{", "[{\\u00fc")].each do |shallow|
      assert_equal shallow, DataSerializer.new.serialize_to_json(post_with(shallow).call)[8..-2]
    end
    assert_equal text, JSON.generate(DataSerializer.new.serialize(post_with(text).call)["data"], max_nesting: 0)
  end

  # Bytes that are no UTF-8 are not copied.
  def test_json_columns_with_broken_characters
    ["[\"\xff\"]", "[\"x\xe2\x82\"]", "[\"\\u00e4\xff\"]", "{\"\xc0\x80\":1}"].each do |text|
      id = post_with("null").call.id
      Post.connection.execute("UPDATE posts SET data = CAST(x'#{text.unpack1("H*")}' AS TEXT) WHERE id = #{id}")
      error = assert_raises(Katsu::GeneratorError, text.inspect) do
        watched { DataSerializer.new.serialize_to_json(Post.find(id)) }
      end
      assert_match(/data of Post with id #{id} is not JSON/, error.message)
    end
  end

  # A column of so many levels reads as nil from a record; its value is its text's with a rule for nil as without one.
  def test_rules_for_nil_with_json_columns_of_many_levels
    [{default: 1}, {omit_nil: true}].product([100, 101, 510]).each do |rule, levels|
      serializer = Class.new(Katsu::Serializer) { attribute :data, **rule }
      text = "[" * levels + "]" * levels
      id = post_with(text).call.id
      sources = [[Post.find(id)], [READ.call(Post.find(id))], Post.where(id: id), Post.where(id: id).load]
      sources.each do |source|
        assert_equal "[{\"data\":#{text}}]", watched { serializer.many(source).to_json }
        assert_equal text, JSON.generate(serializer.many(source).to_a[0]["data"], max_nesting: 0)
      end
      assert_equal "[{\"row\":{\"data\":#{text}}}]", watched { row_by(serializer).many(Post.where(id: id)).to_json }
    end
  end

  # A serializer whose field gives a row object to another one.
  def row_by(serializer)
    Class.new(Katsu::Serializer) do
      attribute(:row, needs: :data) { |row| Katsu::Fragment.new(serializer.new.serialize_to_json(row)) }
    end
  end

  # If the text of a JSON column is not JSON, a field with a rule for nil is an error like one without.
  def test_rules_for_nil_with_json_columns_that_are_not_json
    rules = {default: 1, omit_nil: true}.map do |option, value|
      Class.new(Katsu::Serializer) do
        attribute :data, option => value, on_error: :null
      end
    end
    rules.product(['{"a":', "", "[1] 2"]).each do |serializer, text|
      id = post_with(text).call.id
      sources = [[Post.find(id)], [READ.call(Post.find(id))], Post.where(id: id), Post.where(id: id).load]
      sources.product(%i[to_json to_a]).each do |source, call|
        error = assert_raises(Katsu::GeneratorError) { serializer.many(source).public_send(call) }
        assert_match(/data of Post with id #{id} is not JSON/, error.message)
      end
      error = assert_raises(Katsu::GeneratorError) { row_by(serializer).many(Post.where(id: id)).to_json }
      assert_match(/data of Post with id #{id} is not JSON/, error.message)
    end
    outer = Class.new(Katsu::Serializer) { has_one(:post, serializer: rules[1]) { |post| post } }
    error = assert_raises(Katsu::GeneratorError) { outer.new.serialize_to_json(post_with("{").call) }
    assert_equal "post.data", error.field_path
    ["null", " null\n"].each do |text|
      found = post_with(text).call
      [[found], Post.where(id: found.id)].each { |source| assert_equal '[{"data":1}]', rules[0].many(source).to_json }
    end
    own = post_with("{").call
    def own.data = nil
    assert_equal '{"data":1}', rules[0].new.serialize_to_json(own)
  end

  # Half a character is none: readers refuse it.
  def test_json_columns_with_lone_surrogates
    ['{"a":"\ud83d"}', '["x\udc00y"]', '["\udc00\ud83d"]', '{"\uD83Dx":1}', '["\ud83d\ud83d\ude00"]',
     '["\ud83d\u0041"]', '["\udbff\\\\udc00"]'].each do |text|
      found = post_with(text)
      %i[serialize serialize_to_json].product([:itself.to_proc, READ]).each do |call, state|
        next if state == READ && JSON::VERSION < "3" # there it is a broken String

        error = assert_raises(Katsu::GeneratorError, text) do
          watched { DataSerializer.new.public_send(call, state.call(found.call)) }
        end
        assert_match(/data of Post with id #{found.call.id} is not JSON/, error.message)
      end
    end
    ['["\ud83d\ude00"]', '["\uD83D\uDE00x"]', '["\ud7ff\ue000"]', '["\\\\ud83d"]', '["\\\\\ud83d\ude00"]',
     '["\udbff\udfff"]'].each do |text|
      assert_values(DataSerializer, [:itself.to_proc, READ]) { post_with(text).call }
    end
  end

  def self.own(value) = value.tap { |one| one.define_singleton_method(:as_json) { |*| ["own"] } }

  # One value's own, in both sinks. The ruby backend does not look for it, see docs/serializers.md.
  def test_as_json_of_one_value
    skip "the ruby backend writes a core value as its class does" unless native?

    serializer = Class.new(Katsu::Serializer) { attributes :value }
    ["text".dup, [1], {a: 1}, Time.at(0).utc, Date.new(2026, 1, 2), Time.at(0).in_time_zone("Berlin")].each do |one|
      value = ValuesTest.own(one)
      assert_equal %({"value":["own"]}), serializer.new.serialize_to_json({value: value})
      assert_equal({"value" => ["own"]}, serializer.new.serialize({value: value}))
      assert_equal %({"value":["own"]}), serializer.new.serialize_to_json(Struct.new(:value).new(value))
      assert_equal ["own"], Katsu::ObjectWriter.new.push_value(value).output
    end
  end

  # ActiveSupport's as_json of an Array or Hash takes one for a Struct.
  def test_fragments_of_the_json_gem_in_values
    skip "json 2.9 has no fragments" unless defined?(JSON::Fragment)
    value = {"list" => [fragment = JSON::Fragment.new('{"a": 1}')], "table" => {"b" => [fragment]}, "one" => fragment}
    parsed = {"list" => [{"a" => 1}], "table" => {"b" => [{"a" => 1}]}, "one" => {"a" => 1}}
    serializer = Class.new(Katsu::Serializer) { attribute(:value) { value } }
    assert_equal({"value" => parsed}, serializer.new.serialize({}))
    assert_equal({"value" => parsed}, JSON.parse(serializer.new.serialize_to_json({})))
    assert_equal %({"value":#{JSON.generate(parsed)}}), Katsu.generate(serializer.one({}), script_safe: true)
    assert_equal [parsed, {"a" => 1}], Katsu::Stream.new([value, fragment]).as_json
    writer = Katsu::ObjectWriter.new.push_array.push_value(value).push_value([value]).push_value(fragment).pop
    assert_equal [parsed, [parsed], {"a" => 1}], writer.output
    response = Katsu::Response.new({list: [fragment], one: fragment, other: 1})
    assert_equal({"list" => [{"a" => 1}], "one" => {"a" => 1}}, response.as_json(only: %w[list one]))
  end

  def test_as_json_of_subclasses
    serializer = Class.new(Katsu::Serializer) { attributes :value }
    [String, Array, Hash, Time].each do |core|
      value = Class.new(core) { def as_json(*) = ["own"] }.new
      assert_equal %({"value":["own"]}), serializer.new.serialize_to_json({value: value})
      assert_equal({"value" => ["own"]}, serializer.new.serialize({value: value}))
    end
    clock = Class.new(Time) { def to_s = "01:02:03" }.at(0).utc # as Sequel::SQLTime
    assert_equal %({"value":#{clock.as_json.to_json}}), serializer.new.serialize_to_json({value: clock})
    assert_equal({"value" => clock.as_json}, serializer.new.serialize({value: clock}))
  end
end
