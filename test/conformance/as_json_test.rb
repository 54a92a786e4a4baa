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
      Row.create!(title: "t", views: 1, rating: 1.5, draft: true, price: "2.5", day: "2026-01-02", at: Time.utc(2026, 1, 2, 3, 4, 5.678r), data: {"a" => ["x", 1, nil, 0.5]})
      Row.create!(title: "\u00fc" * 100, views: 2**40, draft: false, data: [1, "y"])
      Row.create!
      $fields = {}
      Row.all.each { |row| $fields[row.id] = {text: row.title, list: [row.views, row.title, {row.id => row.draft}], nothing: nil, count: row.views, time: row.at, symbol: :s, float: row.rating} }
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
        load = -> { model.order(:id).to_a + model.order(:id).each(&:attributes) + model.order(:id).map(&:dup).each { |copy| copy.id = 1 } }
        wanted = load.call.map { |row| [row.serializable_hash.merge($fields[row.id].transform_keys(&:to_s)), $fields[row.id].transform_keys(&:to_s)].map { |hash| hash.transform_values(&:as_json) } }
        rows = wanted.map(&:first)
        check(where, :json, JSON.parse(JSON.generate(rows)), JSON.parse(Katsu::ArraySerializer.new(load.call, each_serializer: RowSerializer).to_json))
        check(where, :one, JSON.parse(JSON.generate(rows)), load.call.map { |row| JSON.parse(RowSerializer.new.serialize_to_json(row)) })
        check(where, :hash, rows, Katsu::ArraySerializer.new(load.call, each_serializer: RowSerializer).to_a)
        fields = load.call.map { |row| $fields[row.id] }
        check(where, :hashes, JSON.parse(JSON.generate(wanted.map(&:last))), JSON.parse(Katsu::ArraySerializer.new(fields, each_serializer: FieldSerializer).to_json))
        check(where, :hashes_to_a, wanted.map(&:last), Katsu::ArraySerializer.new(fields, each_serializer: FieldSerializer).to_a)
        values = fields.flat_map(&:values)
        check(where, :writers, [{all: values.map(&:as_json)}.then { |all| JSON.parse(JSON.generate(all)) }] * 3, written(values))
        objects = fields.map { |field| Struct.new(*field.keys).new(*field.values) }
        check(where, :objects, JSON.parse(JSON.generate(wanted.map(&:last))), JSON.parse(Katsu::ArraySerializer.new(objects, each_serializer: FieldSerializer).to_json))
      end
    end
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
        one.each { |key, value| abort "#{where}, #{how}, #{key}: #{value.inspect} expected, #{other[key].inspect}" if other[key] != value } if one != other
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
    "a module that gets it later" => "Later = Module.new; String.prepend(Later); Later.define_method(:as_json) { |*| reverse }",
    "an included module that gets it later" => "Late = Module.new; Integer.include(Late); Late.module_eval { def as_json(*) = 0 }",
    "String without" => "class String; remove_method :as_json; end"
  }.freeze

  # each: Ruby that the process of its own runs with the lines that define an as_json.
  def in_processes(first, each)
    script = [RAILS, first, "at_exit { print $checked if $! == nil }", "failed = []"]
    DEFINED.each do |name, ruby|
      script << "fork do\n#{each.call(name, ruby)}\nend\nProcess.wait\nfailed << #{name.inspect} unless $?.success?"
    end
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-I", "#{ROOT}/lib", "-e", script.join("\n"), "-e",
                                     "abort failed.join(', ') unless failed.empty?\n$checked = 'end'")
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
end
