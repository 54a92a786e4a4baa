# frozen_string_literal: true

require "active_record"
require "active_support/json"
require "active_support/time"
require "delegate"
require "stringio"

# The table of what meets what below a serializer. A new column, source, state, form, setting or sink is one line here;
# serializers_test.rb makes rows of them in which each two meet, and compares each with Rails' as_json.
module Crossings
  # name: [type, the value that is stored, another one]
  COLUMNS = {
    string: [:string, "quote\" ü", "other"],
    text: [:text, "long #{"x" * 300}\n", ""],
    empty: [:string, nil, "filled"],
    integer: [:integer, -7, 2**31 - 1],
    bigint: [:bigint, 2**62, 0],
    boolean: [:boolean, true, false],
    float: [:float, 1.5e-7, 3.0],
    decimal: [[:decimal, {precision: 10, scale: 2}], BigDecimal("12.50"), BigDecimal("-0.01")],
    date: [:date, Date.new(2024, 2, 29), Date.new(1582, 10, 4)],
    datetime: [[:datetime, {precision: 6}], Time.utc(2026, 7, 2, 3, 4, 5.678901r), Time.utc(1999, 12, 31, 23, 59, 59)],
    seconds: [[:datetime, {precision: 0}], Time.utc(2026, 1, 2, 3, 4, 5), Time.utc(1, 1, 1)],
    time: [:time, Time.utc(2000, 1, 1, 3, 4, 5), Time.utc(2000, 1, 1, 23, 59, 59)],
    json: [:json, {"a" => [1, nil, "ü"], "b" => {"c" => 1.5}}, []],
    json_text: [:json, "text", [[[1]]]],
    enum: [:integer, "live", "draft"],
    serialized: [:text, {"k" => [1]}, {"k" => nil}],
    retyped: [:string, 12, -1],
    overridden: [:string, "base", "changed"]
  }.freeze

  class Base < ActiveRecord::Base
    self.abstract_class = true
    establish_connection(adapter: "sqlite3", database: ":memory:")
    connection.create_table(:crossed) do |t|
      t.string :type
      t.integer :owner_id
      COLUMNS.each do |name, (type, *)|
        type, options = type
        t.column(name, type, **options.to_h)
      end
    end
  end

  class Row < Base
    self.table_name = "crossed"
    enum :enum, {draft: 0, live: 1}
    serialize :serialized, coder: JSON
    attribute :retyped, :integer
    belongs_to :owner, class_name: "Crossings::Row", optional: true
    has_many :parts, class_name: "Crossings::Row", foreign_key: :owner_id
    def overridden = "own #{super}"
  end

  class SubRow < Row
    def string = "sub #{super}"
  end

  # What has no table.
  class Model
    include ActiveModel::Model
    include ActiveModel::Attributes
    attribute :id, default: 1
    COLUMNS.each_key { |name| attribute name }
  end

  class Plain
    attr_accessor :id, *COLUMNS.keys

    def initialize(**values) = values.each { |name, value| public_send(:"#{name}=", value) }
  end

  class Answering
    def initialize(**values) = @values = values
    def respond_to_missing?(name, _private = false) = @values.key?(name)
    def method_missing(name) = @values.fetch(name) { super }
  end

  # The number of the row in the table, which is the only one.
  STORED = lambda { |values, model = Row|
    Row.delete_all
    model.create!(id: 7, **values).id
  }

  # What is serialized, made of the columns' values.
  RECORDS = {
    loaded: ->(values) { Row.find(STORED.call(values)) },
    new: ->(values) { Row.new(values) },
    created: ->(values) { Row.delete_all && Row.create!(id: 7, **values) },
    part: ->(values) { Row.select(:id, *values.keys).find(STORED.call(values)) },
    wide: ->(values) { Row.select("*, 1 AS more").find(STORED.call(values)) },
    joined: ->(values) { Row.eager_load(:owner).find(STORED.call(values)) },
    from_hash: lambda { |values|
      Row.instantiate(Base.connection.select_all("SELECT * FROM crossed WHERE id = #{STORED.call(values)}").first)
    },
    subclass: ->(values) { SubRow.find(STORED.call(values, SubRow)) },
    became: ->(values) { Row.find(STORED.call(values)).becomes(SubRow) }
  }.freeze
  OTHERS = {
    without_table: ->(values) { Model.new(values) },
    hash: ->(values) { {id: 1, **values} },
    hash_of_strings: ->(values) { {id: 1, **values}.transform_keys(&:to_s) },
    hash_of_either: ->(values) { {id: 1, **values}.with_indifferent_access },
    hash_by_default: ->(values) { Hash.new { |_, name| values.fetch(name, 1) } },
    object: ->(values) { Plain.new(id: 1, **values) },
    struct: ->(values) { Struct.new(:id, *values.keys).new(1, *values.values) },
    delegator: ->(values) { SimpleDelegator.new(Row.find(STORED.call(values))) },
    answering: ->(values) { Answering.new(id: 1, **values) }
  }.freeze
  SOURCES = {**RECORDS, **OTHERS}.freeze

  # What has happened to it. A state gets the object, the column's name and another value for it.
  RECORD_STATES = {
    changed: ->(record, name, value) { record.tap { record[name] = value } },
    saved: ->(record, name, value) { record.tap { record.update!(name => value) } },
    changes_applied: ->(record, name, value) { record.tap { (record[name] = value) && record.changes_applied } },
    restored: ->(record, name, value) { record.tap { (record[name] = value) && record.restore_attributes } },
    changed_in_place: ->(record, name, _) { record.tap { changed_in_place(record.read_attribute(name)) } },
    read_before: ->(record, *) { record.tap(&:attributes) },
    announced: ->(record, name, _) { record.tap { record.public_send(:"#{name}_will_change!") } },
    readonly: ->(record, *) { record.tap(&:readonly!) },
    destroyed: ->(record, *) { record.tap(&:destroy) }
  }.freeze
  STATES = {
    untouched: ->(object, *) { object },
    read: ->(object, name, _) { object.tap { Crossings.read(object, name) } },
    copied: ->(object, *) { object.dup },
    cloned: ->(object, *) { object.clone },
    frozen: ->(object, *) { object.freeze },
    singleton: ->(object, *) { object.tap { object.singleton_class } },
    **RECORD_STATES
  }.freeze

  ALONE = ->(object, name) { {name.to_s => read(object, name)} }

  # How the column is declared: the serializer's body, and the document of an object.
  FORMS = {
    attribute: [->(name) { attributes :id, name },
                ->(object, name) { {"id" => read(object, :id), **ALONE.call(object, name)} }],
    alias: [->(name) { aliases name => :"größe" }, ->(object, name) { {"größe" => read(object, name)} }],
    condition: [->(name) { attribute(name, if: -> { object }) }, ALONE],
    left_out: [->(name) { attribute(name, if: -> { false }) }, ->(*) { {} }],
    block: [->(name) { attribute(name) { |object| Crossings.read(object, name) } }, ALONE],
    method: [lambda { |name|
      attributes name
      define_method(name) { [Crossings.read(object, name), context] }
    }, ->(object, name) { {name.to_s => [read(object, name), nil]} }],
    method_above: [lambda { |name|
      define_method(name) { [Crossings.read(object, name), context] }
      attributes name
    }, ->(object, name) { {name.to_s => [read(object, name), nil]} }],
    with_text: [lambda { |name|
      attributes name
      attribute(:t) { "ü" * 9 }
    }, ->(object, name) { {**ALONE.call(object, name), "t" => "ü" * 9} }],
    default: [->(name) { attribute(name, default: "none") },
              ->(object, name) { {name.to_s => (value = read(object, name)).nil? ? "none" : value} }],
    omit_nil: [lambda { |name|
      omit_nil
      attributes name
    }, ->(object, name) { ALONE.call(object, name).compact }],
    on_error: [lambda { |name|
      attribute(name, on_error: ->(_, object) { Crossings.read(object, name) }) { raise "no value" }
    }, ALONE],
    camel: [lambda { |name|
      transform_keys :lower_camel
      attributes name
    }, ->(object, name) { {name.to_s.camelize(:lower) => read(object, name)} }],
    nested: [->(name) { nested(:inside) { attributes name } },
             ->(object, name) { {"inside" => ALONE.call(object, name)} }],
    twice: [lambda { |name|
      attributes name
      aliases name => :again
    }, ->(object, name) { {**ALONE.call(object, name), "again" => read(object, name)} }]
  }.freeze

  ONE = [->(object) { {one: object} }, ->(document) { {"one" => document} }].freeze
  MANY = [->(object) { {many: [object, nil, object]} }, ->(document) { {"many" => [document, nil, document]} }].freeze

  # Under a key that is escaped. Of equal keys the last one counts.
  KEYED = [->(object) { {many: [object, object]} }, ->(document) { {"many" => {"k\"ü" => document}} }].freeze

  # Where the object stands: the outer serializer's body; what it is given, and what comes out; options.
  PLACES = {
    root: nil,
    has_one: [->(inner) { has_one :one, serializer: inner }, ONE, {}],
    has_many: [->(inner) { has_many :many, serializer: inner }, MANY, {}],
    by_key: [->(inner) { has_many :many, serializer: inner, by: ->(_) { "k\"ü" } }, KEYED, {}],
    by_class: [->(inner) { has_one :one, serializer: {Object => inner, SimpleDelegator => inner} }, ONE, {}],
    view: [lambda { |inner|
      attribute(:no) { 1 }
      view :shown do
        exclude :no
        has_one :one, serializer: inner
      end
    }, ONE, {view: :shown}],
    except: [lambda { |inner|
      attribute(:no) { 1 }
      has_one :one, serializer: inner
    }, ONE, {except: [:no]}],
    only: [lambda { |inner|
      attribute(:no) { 1 }
      has_many :many, serializer: inner
    }, MANY, {only: {instance: [:many]}}]
  }.freeze

  # Rails' settings: [default_timezone, Time.zone, time_precision, use_standard_json_time_format]
  SETTINGS = {
    usual: [:utc, nil, 3, true],
    zone: [:utc, "Europe/Berlin", 3, true],
    local: [:local, "America/St_Johns", 3, true],
    precise: [:utc, "UTC", 6, true],
    old_format: [:utc, "Asia/Tokyo", 3, false]
  }.freeze

  # How many objects, and what else is in the batch.
  BATCHES = {
    single: ->(object) { object },
    alone: ->(object) { [object] },
    twice: ->(object) { [object, object] },
    among_nil: ->(object) { [nil, object, nil] },
    many: ->(object) { [object] * 60 }
  }.freeze

  # What comes out, as parsed JSON. A sink gets the serializer, its options and what BATCHES made.
  SINKS = {
    text: ->(*call) { JSON.parse(sound(text(*call))) },
    hash: ->(*call) { JSON.parse(JSON.generate(built(*call))) },
    rails: ->(*call) { JSON.parse(ActiveSupport::JSON.encode({d: built(*call)}))["d"] },
    generated: ->(*call) { JSON.parse(sound(Katsu.generate([Katsu::Fragment.new(text(*call))])))[0] },
    response: ->(*call) { of_a_list(*call) { |list| Katsu::Response.create { |_| [list] }.to_json[1...-1] } },
    pushed: ->(*call) { of_a_list(*call) { |list| Katsu::Writer.new(as_json: true).push_value(list).to_s } },
    one_chunk: ->(*call) { of_a_list(*call) { |list| written(list, 0) } },
    many_chunks: ->(*call) { of_a_list(*call) { |list| written(list, 4) } }
  }.freeze

  FACTORS = {source: SOURCES, column: COLUMNS, state: STATES, form: FORMS, place: PLACES, setting: SETTINGS,
             batch: BATCHES, sink: SINKS}.transform_values(&:keys).freeze

  class << self
    # What cannot meet: states of records and other objects.
    def possible?(row)
      !(RECORD_STATES.key?(row[:state]) && OTHERS.key?(row[:source]))
    end

    # A value by the public reader.
    def read(object, name)
      return object.public_send(name) unless object.is_a?(Hash)

      object.fetch(name) { object.fetch(name.to_s) { object[name] } }
    end

    def changed_in_place(value)
      case value
      when Hash then value["more"] = 1
      when Array then value << 1
      when String then value << "!" unless value.frozen?
      end
    end

    def text(serializer, options, given)
      return serializer.new(**options).serialize_to_json(given) unless given.is_a?(Array)

      Katsu::ArraySerializer.new(given, each_serializer: serializer, **options).to_json
    end

    def built(serializer, options, given)
      return serializer.new(**options).serialize(given) unless given.is_a?(Array)

      Katsu::ArraySerializer.new(given, each_serializer: serializer, **options).to_a
    end

    # A text whose flags are those of its bytes.
    def sound(text)
      fresh = text.b.force_encoding(text.encoding)
      flags = [text, fresh].map { |string| [string.encoding, string.ascii_only?, string.valid_encoding?] }
      raise "the flags are #{flags[0]}, the bytes' #{flags[1]}" unless flags.uniq.size == 1

      text
    end

    # The block makes a text of an ArraySerializer.
    def of_a_list(serializer, options, given)
      list = given.is_a?(Array) ? given : [given]
      parsed = JSON.parse(sound(yield(Katsu::ArraySerializer.new(list, each_serializer: serializer, **options))))
      given.is_a?(Array) ? parsed : parsed[0]
    end

    # Pushes the list to an io, at least once, until the io has taken count chunks. Every chunk ends at a character.
    def written(list, count)
      chunks = []
      io = Object.new
      io.define_singleton_method(:write) { |text| (chunks << text.dup).last.bytesize }
      writer = Katsu::Writer.new(io, as_json: true).push_array.push_value(list)
      times = 1
      times += 1 while chunks.size < count && times < 10_000 && writer.push_value(list)
      writer.pop
      raise "the io has taken #{chunks.size} chunks" if chunks.size < count

      whole = chunks.all? { |chunk| chunk.force_encoding("UTF-8").valid_encoding? }
      raise "a chunk ends within a character" unless whole

      texts = JSON.parse(chunks.join)
      raise "#{texts.uniq.size} different texts" unless texts.size == times && texts.uniq.size == 1

      JSON.generate(texts[0])
    end
  end
end
