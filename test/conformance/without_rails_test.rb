# frozen_string_literal: true

require "support/test_case"
require "bigdecimal"
require "date"
require "json"
require "open3"
require "active_support/json"
require "active_support/core_ext/big_decimal"
require "active_support/core_ext/time"

# Values where ActiveSupport is not loaded: what it prints with it.
class WithoutRailsTest < TestCase
  ROOT = File.expand_path("../..", __dir__)

  # Ruby for values, of which both processes print the as_json.
  VALUES = <<~RUBY
    [BigDecimal("261.03"), BigDecimal("1e3"), BigDecimal("1e-7"), BigDecimal("-0.5"), BigDecimal("0"),
     BigDecimal("NaN"), -BigDecimal("Infinity"),
     Time.utc(2026, 1, 2, 3, 4, 5.6789r), Time.at(0, 123_999, :usec).localtime("+05:30"),
     Time.new(2026, 7, 1, 0, 0, 0, "-02:00"), Time.new(2026, 1, 1, 0, 0, 0, "+00:00"),
     Time.utc(1), Time.utc(12_026), Time.utc(-5),
     Date.new(2026, 1, 2), Date.new(1), DateTime.new(2026, 1, 2, 3, 4, 5.6789r, "+9"), DateTime.new(2026),
     Struct.new(:day, :price).new(Date.new(2026), BigDecimal("1")), Set[1, Date.new(2026)],
     [1].each, 1..2, "a".."c", 3r, 2i, /x/,
     {"a" => {b: [Time.utc(2026), BigDecimal("1.5")]}}, [[Date.new(2026)]],
     :symbol, [nil, true, false], 1.5, "text", 2**70, Float::NAN, Comparable,
     Class.new(Hash).new.merge!("a" => Date.new(2026)), Class.new(Array).new([BigDecimal("2")]),
     Class.new(String).new("s"), SimpleDelegator.new({"a" => BigDecimal("2")}),
     SimpleDelegator.new([Date.new(2026)]), SimpleDelegator.new(Date.new(2026))]
  RUBY

  PRELUDE = <<~RUBY
    require "katsu"; require "bigdecimal"; require "date"; require "set"; require "delegate"
    class ValueSerializer < Katsu::Serializer
      attributes :value
      def value = object
    end
    class KeySerializer < Katsu::Serializer
      attributes :value
    end
    def all(value)
      writer = Katsu::Writer.new(as_json: true)
      writer.push_value(value)
      [ValueSerializer.new.serialize_to_json(value), JSON.generate(ValueSerializer.new.serialize(value)),
       KeySerializer.new.serialize_to_json({value: value}),
       JSON.generate(KeySerializer.new.serialize({value: value})), %({"value":\#{writer}})]
    end
  RUBY

  def run_ruby(script, prelude = PRELUDE)
    script = "#{prelude}#{script}\nabort 'ActiveSupport is there' if defined?(ActiveSupport)\n"
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-I", "#{ROOT}/lib", "-e", script)
    assert_predicate status, :success?, output
    output
  end

  def test_values_are_those_of_active_support
    require "delegate"
    expected = eval(VALUES).map { |value| JSON.parse(ActiveSupport::JSON.encode({value: value})) }
    texts = JSON.parse(run_ruby("puts JSON.generate(#{VALUES}.map { |value| all(value) })"))
    assert_equal expected.size, texts.size
    expected.zip(texts) { |value, all| assert_equal [value] * 5, all.map { |text| JSON.parse(text) } }
  end

  def test_what_active_support_would_take_apart_is_its_text
    output = run_ruby(<<~'RUBY')
      class Money; def to_s = "1 EUR"; end
      class Wrong; def to_s = nil; end
      class Day < Time; def to_s = "noon"; end
      [Money.new, Day.at(0), Struct.new(:a).new(Money.new)].each { |value| puts all(value).uniq }
      puts defined?(Data.define) ? all(Data.define(:a).new(Money.new)).uniq : %({"value":{"a":"1 EUR"}}) # Ruby 3.2
      puts all(Wrong.new)[0][0, 17]
    RUBY
    assert_equal [%({"value":"1 EUR"}), %({"value":"noon"}), *[%({"value":{"a":"1 EUR"}})] * 2, %({"value":"#<Wrong)],
                 output.lines.map(&:chomp)
  end

  # Katsu loads neither; Bundler may.
  def test_values_where_the_classes_of_dates_and_decimals_are_not_loaded
    output = run_ruby(<<~RUBY, %(require "katsu"\n))
      %i[Date BigDecimal].each { |name| Object.send(:remove_const, name) if Object.const_defined?(name) }
      class RangeSerializer < Katsu::Serializer
        attributes :first, :value
      end
      object = {first: Time.utc(2026), value: 1..2}
      puts RangeSerializer.new.serialize_to_json(object), RangeSerializer.new.serialize(object)["value"]
    RUBY
    assert_equal %({"first":"2026-01-01T00:00:00.000Z","value":"1..2"}\n1..2\n), output
  end

  def test_streams_are_written_as_arrays
    output = run_ruby(<<~'RUBY')
      elements = [{"a" => 1, a: 2}, Time.utc(2026), Set[Date.new(2026)], [:b, {c: 1r}], Float::NAN,
                  Struct.new(:x).new(1)]
      both = [elements, Katsu::Stream.new(elements)].map { |value| Katsu::Response.new({"value" => value}) }
      written = both.flat_map do |response|
        writer = Katsu::Writer.new(as_json: true).push_value(response)
        [response.to_json, Katsu.generate(response.as_json), JSON.generate(JSON.parse(Katsu.pretty_generate(response))),
         Katsu.generate(response, ascii_only: true, sort_keys: true), writer.to_s]
      end
      puts written.uniq, both.map { |response| response.as_json["value"] }.uniq.size
      puts [elements, Katsu::Stream.new(elements)].flat_map { |value| all(value) }.uniq
    RUBY
    text = '{"value":[{"a":2},"2026-01-01T00:00:00.000Z",["2026-01-01"],["b",{"c":"1/1"}],null,{"x":1}]}'
    assert_equal [text, "1", text], output.lines.map(&:chomp)
  end

  # Only Strings have it here.
  def test_an_as_json_of_the_application
    output = run_ruby(<<~'RUBY')
      class String; def as_json(*) = upcase; end
      class List < Array; def as_json(*) = size; end
      class Table < Hash; def as_json(*) = size; end
      [1, 1.5, true, :a, "a", {"k" => 2}, List[3], Table[4, 5], [List[6]]].each { |value| puts all(value).uniq }
    RUBY
    values = ["1", "1.5", "true", '"a"', '"A"', '{"k":2}', "1", "1", "[1]"]
    assert_equal values.map { |value| "{\"value\":#{value}}" }, output.lines.map(&:chomp)
  end

  # Used only by what there is no other way to write.
  def test_an_as_json_of_all_objects
    output = run_ruby("[1, 1.5, 'a', Object.new, ['a', Object.new], {k: [Object.new]}].each { |it| puts all(it).uniq }",
                      "class Object; def as_json(*) = 'object'; end\n#{PRELUDE}")
    values = %w[1 1.5 "a" "object" ["a","object"] {"k":["object"]}]
    assert_equal values.map { |value| "{\"value\":#{value}}" }, output.lines(chomp: true)
  end

  # Where nothing is known of records, either.
  def test_an_error_in_a_reader_of_one_object
    output = run_ruby(<<~'RUBY')
      object = Object.new
      def object.value = nil.nothing
      print((KeySerializer.new.serialize_to_json(object) rescue "#{$!.class} #{$!.name}"))
    RUBY
    assert_equal "NoMethodError nothing", output
  end

  SEQUEL = <<~'RUBY'
    require "sequel"
    Sequel.default_timezone = :utc
    DB = Sequel.sqlite
    DB.create_table(:posts) do
      primary_key :id
      BigDecimal :price, size: [10, 2]
      DateTime :at
      Date :day
      column :data, :json
      Time :clock, only_time: true
      TrueClass :draft
    end
    Sequel.extension :pg_json
    data = {"days" => [1, "ü"]}
    DB[:posts].insert(price: BigDecimal("261.03"), at: Time.utc(2026, 1, 2, 3, 4, 5.678r),
                      day: Date.new(2026, 1, 2), draft: true, data: JSON.generate(data),
                      clock: Sequel::SQLTime.create(1, 2, 3))
    class Post < Sequel::Model
      plugin :serialization, :json, :data
      def wrapped = Sequel::Postgres::JSONHash.new("at" => at, "list" => Sequel::Postgres::JSONArray.new([price]))
      def own = self.class.naked.select(:price, :day)
      def copy = self.class.select(:day, :price).first
    end
    class PostSerializer < Katsu::Serializer
      attributes :id, :price, :at, :day, :data, :clock, :draft
    end
    class ModelSerializer < PostSerializer
      attributes :wrapped, :own, :copy
    end
  RUBY

  def test_sequels_models_and_datasets
    row = {"id" => 1, "price" => "261.03", "at" => "2026-01-02T03:04:05.678Z", "day" => "2026-01-02",
           "clock" => "01:02:03", "draft" => true}
    data = {"days" => [1, "ü"]}
    more = {"wrapped" => {"at" => row["at"], "list" => ["261.03"]},
            "own" => [{"price" => "261.03", "day" => "2026-01-02"}],
            "copy" => {"day" => "2026-01-02", "price" => "261.03"}}
    output = run_ruby(SEQUEL + <<~'RUBY')
      pairs = [[PostSerializer, Post.first], [ModelSerializer, Post.first], [PostSerializer, DB[:posts].first]]
      pairs.each do |serializer, object|
        puts serializer.new.serialize_to_json(object), JSON.generate(serializer.new.serialize(object))
      end
      [[ModelSerializer, Post.order(:id)], [PostSerializer, DB[:posts]]].each do |serializer, objects|
        array = Katsu::ArraySerializer.new(objects, each_serializer: serializer)
        puts array.to_json, JSON.generate(array.to_a)
      end
    RUBY
    model = row.merge("data" => data)
    hash = row.merge("data" => JSON.generate(data))
    expected = [model, model.merge(more), hash, [model.merge(more)], [hash]]
    assert_equal expected.flat_map { |value| [value] * 2 }, output.lines.map { |line| JSON.parse(line) }
  end

  def test_sequels_datasets_are_no_single_objects
    output = run_ruby(SEQUEL + <<~'RUBY')
      [DB[:posts], Post.where(id: 1), Post].each do |objects|
        PostSerializer.new.serialize(objects)
      rescue Katsu::NumberError => e
        puts e.message
      end
    RUBY
    hints = output.scan(/^PostSerializer writes one object and was given .+ write Katsu::ArraySerializer\.new\(/)
    assert_equal 3, hints.size, output
  end

  # There are no records, which is what is kept.
  def test_cached_serializers
    output = run_ruby(<<~RUBY)
      class CachedSerializer < Katsu::Serializer
        attributes :name
        cache expires_in: 60
      end
      puts CachedSerializer.new.serialize_to_json({name: "a"})
      puts CachedSerializer.many([{name: "b"}]).to_json
    RUBY
    assert_equal %({"name":"a"}\n[{"name":"b"}]\n), output
  end

  def test_serializers_by_the_names_of_associations
    output = run_ruby(<<~RUBY)
      %w[BlogPost Category Address].each do |name|
        Object.const_set("\#{name}Serializer", Class.new(Katsu::Serializer) { attributes :id })
      end
      class PageSerializer < Katsu::Serializer
        has_many :blog_posts
        has_many :categories
        has_one :address
      end
      puts PageSerializer.new.serialize_to_json({blog_posts: [{id: 1}], categories: [{id: 2}], address: {id: 3}})
    RUBY
    assert_equal %({"address":{"id":3},"blog_posts":[{"id":1}],"categories":[{"id":2}]}\n), output
  end
end
