# frozen_string_literal: true

require "support/test_case"
require "json"
require "open3"

# An as_json that the application defines for Strings, Times and so on, in processes of their own: as record.as_json
# honours it, so do columns and all other values.
class AsJsonTest < TestCase
  ROOT = File.expand_path("../..", __dir__)

  RAILS = %(require "active_record"; require "active_support/json"; require "active_support/time"\n)

  MODELS = <<~'RUBY'
    def create_rows
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      ActiveRecord::Base.connection.create_table(:rows) do |t|
        t.string :title
        t.integer :views
        t.float :rating
        t.boolean :draft
        t.decimal :price, precision: 10, scale: 2
        t.date :day
        t.datetime :at
        t.json :data
      end
      Row.create!(title: "t", views: 1, rating: 1.5, draft: true, price: "2.5", day: "2026-01-02",
                  at: Time.utc(2026, 1, 2, 3, 4, 5.678r), data: {"a" => ["x", 1, nil, 0.5]})
      Row.create!(title: "\u00fc" * 100, views: 2**40, draft: false, data: [1, "y"])
      Row.create!
      $fields = Row.all.to_h do |row|
        [row.id, {text: row.title, list: [row.views, row.title, {row.id => row.draft}], nothing: nil, count: row.views,
                  time: row.at, symbol: :s, float: row.rating}]
      end
    end
    class Row < ActiveRecord::Base; end
    class ZonedRow < ActiveRecord::Base
      self.table_name = "rows"
      self.time_zone_aware_attributes = true
    end
    class RowSerializer < Katsu::Serializer
      COLUMNS = %i[id title views rating draft price day at data].freeze
      FIELDS = %i[text list nothing count time symbol float].freeze
      attributes(*COLUMNS, *FIELDS)
      FIELDS.each { |name| define_method(name) { $fields[object.id][name] } }
    end
    class FieldSerializer < Katsu::Serializer
      attributes(*RowSerializer::FIELDS)
    end
    def compare(where)
      Time.zone = "Europe/Berlin"
      [Row, ZonedRow].each do |model|
        load = lambda do
          copies = model.order(:id).map(&:dup).each { |copy| copy.id = 1 }
          model.order(:id).to_a + model.order(:id).each(&:attributes) + copies
        end
        rows = load.call.map { |row| row.serializable_hash.merge(fields(row)).transform_values(&:as_json) }
        check(where, :json, parsed(rows), JSON.parse(many(load.call, RowSerializer).to_json))
        check(where, :one, parsed(rows), load.call.map { |row| JSON.parse(RowSerializer.new.serialize_to_json(row)) })
        check(where, :hash, rows, many(load.call, RowSerializer).to_a)
        compare_fields(where, load.call)
      end
    end
    def compare_fields(where, rows)
      wanted = rows.map { |row| fields(row).transform_values(&:as_json) }
      hashes = rows.map { |row| $fields[row.id] }
      check(where, :hashes, parsed(wanted), JSON.parse(many(hashes, FieldSerializer).to_json))
      check(where, :hashes_to_a, wanted, many(hashes, FieldSerializer).to_a)
      values = hashes.flat_map(&:values)
      check(where, :writers, [parsed({all: values.map(&:as_json)})] * 3, written(values))
      response = Katsu::Response.new({all: values})
      written = [JSON.parse(response.to_json), parsed(response.as_json)]
      check(where, :responses, [parsed({all: values}.as_json)] * 2, written)
      objects = hashes.map { |hash| Struct.new(*hash.keys).new(*hash.values) }
      check(where, :objects, parsed(wanted), JSON.parse(many(objects, FieldSerializer).to_json))
    end
    def fields(row) = $fields[row.id].transform_keys(&:to_s)
    def parsed(value) = JSON.parse(JSON.generate(value))
    def many(objects, serializer) = Katsu::ArraySerializer.new(objects, each_serializer: serializer)
    def written(values)
      writers = [Katsu::Writer.new(as_json: true), Katsu::ObjectWriter.new].each do |writer|
        writer.push_object
        writer.push_array("all")
        values.each { |value| writer.push_value(value) }
        2.times { writer.pop }
      end
      streamed = Katsu::Writer.new(as_json: true)
      streamed.push_object
      streamed.push_value(Katsu::Stream.new(values), "all")
      streamed.pop
      [writers[0].to_s, JSON.generate(writers[1].output), streamed.to_s].map { |text| JSON.parse(text) }
    end
    def check(where, how, expected, actual)
      expected.zip(actual) do |one, other|
        next if one == other

        one.each do |key, value|
          abort "#{where}, #{how}, #{key}: #{value.inspect} expected, #{other[key].inspect}" if other[key] != value
        end
      end
      $checked = $checked.to_i + expected.size
    end
  RUBY

  # Ruby that defines as_json, by what it does.
  DEFINED = {
    "BigDecimal" => "class BigDecimal; def as_json(*) = to_f; end",
    "String" => "class String; def as_json(*) = upcase; end",
    "Symbol" => "class Symbol; def as_json(*) = 1; end",
    "Integer" => "class Integer; def as_json(*) = to_s; end",
    "Numeric" => "class Numeric; def as_json(*) = [to_s]; end",
    "Float" => "class Float; def as_json(*) = round; end",
    "NilClass" => "class NilClass; def as_json(*) = ''; end",
    "TrueClass" => "class TrueClass; def as_json(*) = 1; end",
    "FalseClass" => "class FalseClass; def as_json(*) = 0; end",
    "Time" => "class Time; def as_json(*) = to_i; end",
    "Date" => "class Date; def as_json(*) = jd; end",
    "TimeWithZone" => "class ActiveSupport::TimeWithZone; def as_json(*) = to_i; end",
    "Hash" => "class Hash; alias_method :before, :as_json; def as_json(*) = before.merge('more' => 1); end",
    "Array" => "class Array; define_method(:as_json) { |*| map(&:as_json) + [size] }; end",
    "a module before String" => "String.prepend(Module.new { def as_json(*) = super + '!' })",
    "a module in Integer" => "class Integer; include(Module.new { def as_json(*) = -self }); end",
    "a module that gets it later" =>
      "Later = Module.new; String.prepend(Later); Later.define_method(:as_json) { |*| reverse }",
    "an included module that gets it later" =>
      "Late = Module.new; Integer.include(Late); Late.module_eval { def as_json(*) = 0 }",
    "String without" => "class String; remove_method :as_json; end"
  }.freeze

  # Without what a process does at its end, which would copy all memory that it shares with the first.
  FINISH = "print $checked\n$stdout.flush\nexit!(true)"

  # each: Ruby that the process of its own runs with the lines that define an as_json.
  def in_processes(first, each)
    script = [RAILS, first, "failed = []"]
    DEFINED.each do |name, ruby|
      script << "fork do\n#{each.call(name, ruby)}\n#{FINISH}\nend"
      script << "Process.wait\nfailed << #{name.inspect} unless $?.success?"
    end
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-I", "#{ROOT}/lib", "-e", script.join("\n"), "-e",
                                     "abort failed.join(', ') unless failed.empty?\nprint 'end'")
    assert_predicate status, :success?, output.lines.grep_v(/\tfrom/).join[0, 2000]
    assert_match(/\A\d+end\z/, output.delete("\n").sub(/\A(\d+)+/, '\1'))
  end

  def test_defined_after_values_were_written
    first = %(require "katsu"\n#{MODELS}\ncreate_rows\ncompare('before')\n)
    in_processes(first, ->(name, ruby) { "create_rows\n#{ruby}\ncompare(#{name.inspect})" })
  end

  def test_defined_before
    in_processes("ActiveRecord::Base", ->(name, ruby) {
      "#{ruby}\nrequire 'katsu'\n#{MODELS}\ncreate_rows\ncompare(#{name.inspect})"
    })
  end

  INTEGERS = <<~'RUBY'
    require "active_support"
    require "active_support/json"
    require "katsu"
    class FieldSerializer < Katsu::Serializer
      attributes :one, :two
      def two = 2
    end
    print FieldSerializer.one({one: 1}).to_json
    class Integer; def as_json(*) = to_s; end
    print FieldSerializer.one({one: 1}).to_json
    Katsu::AsJson::Overrides.renew # as if a model had another method
    print FieldSerializer.one({one: 1}).to_json
    print Katsu.generate([1, Katsu::Stream.new([2])]), Katsu::Writer.new.push_value(3).to_s # call none
  RUBY

  # The values that are written most often, without the time that rows take.
  def test_integers_of_hashes_and_methods
    output, = Open3.capture2e(RbConfig.ruby, "-W0", "-I", "#{ROOT}/lib", "-e", INTEGERS)
    assert_equal %({"one":1,"two":2}{"one":"1","two":"2"}{"one":"1","two":"2"}[1,[2]]3), output
  end
end
