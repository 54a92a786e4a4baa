# frozen_string_literal: true

require "active_record"
require "active_support/json"
require "active_support/time"
require "delegate"
require "stringio"
require_relative "../objects"
require_relative "naive"

ENV["TZ"] = "Asia/Kathmandu"
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false

module Fuzz
  class Base < ActiveRecord::Base
    self.abstract_class = true
    self.time_zone_aware_attributes = true # as in Rails

    # As find gives it, from a result that is read once.
    def self.kept(id)
      @kept ||= {}
      @kept[id] ||= connection.select_all("SELECT * FROM #{table_name} WHERE id = #{id}")
      _load_from_sql(@kept[id])[0]
    end
  end

  # An object with readers.
  class Plain
    def initialize(**values) = values.each { |name, value| instance_variable_set(:"@#{name}", value) }
    attr_reader :id, :c0, :c1, :c2, :c3, :c4, :owner, :subject, :parts, :part, :items, :item, :mentor, :pupils,
                :owner_id,
                :subject_id, :item_id, :mentor_id
  end

  # An object that answers by method_missing.
  class Open
    def initialize(**values) = @values = values
    def respond_to_missing?(name, _private = false) = @values.key?(name)
    def method_missing(name) = @values.fetch(name) { super }
  end

  # One schema with its models, rows and serializers. Sources name what they define without a module, and are run in
  # Space, which is made anew for each.
  class World
    WRITES = /save!|update!|destroy|build|\.(?:parts?|items?|pupils|owner|subject|mentor) = /.freeze
    SETTINGS = {zone: nil, default_timezone: :utc, precision: 3, standard: true}.freeze

    def initialize(setup)
      Object.send(:remove_const, :Space) if Object.const_defined?(:Space)
      Object.const_set(:Space, Module.new)
      Space.const_set(:WORLD, self)
      Space.extend(Words)
      Naive.registry = {}
      ActiveRecord::Base.connection.tap do |connection|
        connection.tables.each { |table| connection.drop_table(table) }
        connection.clear_cache!
        connection.schema_cache.clear!
        connection.enable_query_cache!
      end
      Space.module_eval(setup, "setup")
    end

    # source: a call of check. Only what may write to the database is run in a transaction: its end empties the query
    # cache.
    def outcome(source)
      check = Space.module_eval(source, "case")
      check.outcome(source.match?(WRITES))
    rescue ScriptError, StandardError => e
      {broken: e.full_message}
    end

    # What setups and cases are made of.
    module Words
      def model(name, columns, parent = "Fuzz::Base", &body)
        module_eval("class #{name} < #{parent}; end")
        create_table(const_get(name), columns) if parent == "Fuzz::Base"
        const_get(name).class_eval(&body) if body
      end

      def create_table(model, columns)
        model.table_name = model.name.demodulize.downcase
        Base.connection.create_table(model.table_name) do |t|
          columns.each { |column, (type, options)| t.column(column, type, **options.to_h) }
        end
      end

      # literals: rows of SQL literals.
      def insert(table, names, *rows)
        rows.each do |literals|
          Base.connection.execute("INSERT INTO #{table} (#{names.join(", ")}) VALUES (#{literals.join(", ")})")
        end
      end

      def concern(name, &body) = const_set(name, Module.new(&body))

      def serializer(name, parent = nil, &body)
        const_set(name, Class.new(parent ? const_get(parent) : Katsu::Serializer, &body))
        (Naive.registry[name.to_s] = Class.new(parent ? Naive.registry.fetch(parent.to_s) : Naive)).class_eval(&body)
      end

      def check(...) = Check.new(...)
      def plain(**values) = Plain.new(**values)
      def struct(**values) = Struct.new(*values.keys, keyword_init: true).new(**values)
      def open(**values) = Open.new(**values)
      def delegate(object) = SimpleDelegator.new(object)

      def row(model, id)
        model.instantiate(Base.connection.select_all("SELECT * FROM #{model.table_name} WHERE id = #{id}").first)
      end
    end
  end

  # Documents of the same objects, one after the other: each is a serializer's name and its options. The block makes an
  # object, or an Array of objects, anew for the reference and for each way to write them.
  class Check
    PADDING = Array.new(600).freeze

    def initialize(documents, sink = :json, **settings, &objects)
      @documents = documents.map { |name, options| [name.to_s, Space.const_get(name), options] }
      @sink = sink
      @settings = World::SETTINGS.merge(settings)
      @objects = objects
    end

    def outcome(writes)
      apply
      results = ways.map { |way| documents(writes) { |given, _, *rest| send(way, given, *rest) } }.transpose
      {documents: @documents.size, katsu: joined(results) { |text| comparable(text) },
       reference: (reference(writes) if Katsu.backend == :native), bytes: joined(results) { |text| exact(text) }}
    ensure
      @settings = World::SETTINGS
      apply
    end

    private

    # One process's is enough, as both run the same code for it.
    def reference(writes)
      expected = documents(writes) { |given, name, _, options| ActiveSupport::JSON.encode(naive(given, name, options)) }
      joined(expected) { |text| comparable(text) }
    end

    def apply
      Time.zone = @settings[:zone]
      ActiveRecord.default_timezone = @settings[:default_timezone]
      ActiveSupport::JSON::Encoding.time_precision = @settings[:precision]
      ActiveSupport::JSON::Encoding.use_standard_json_time_format = @settings[:standard]
    end

    # A line for each document: the different results of the ways to it.
    def joined(results, &shown) = results.map { |texts| [*texts].map(&shown).uniq.join(" | ") }.join("\n")

    def ways = @sink == :json ? %i[json hash] : [:json, :hash, @sink]

    # For each document a text, or what was raised. What is written to the database is taken back.
    def documents(writes, &write)
      return made(&write) unless writes

      texts = nil
      Base.transaction do
        texts = made(&write)
        raise ActiveRecord::Rollback
      end
      texts
    end

    def made
      given = attempt { @objects.call }
      @documents.map { |document| given.is_a?(Exception) ? given : attempt { yield given, *document } }
    end

    def attempt
      yield
    rescue SystemStackError, StandardError => e
      e
    end

    def naive(given, name, options)
      write = ->(object) { Naive.registry.fetch(name).write(object, **options) }
      write.call(nil) # filters are looked at if there is no object, too
      given.is_a?(Array) ? given.map(&write) : write.call(given)
    end

    def json(given, *rest)
      given.is_a?(Array) ? array(given, *rest).to_json : alone(*rest).serialize_to_json(given)
    end

    def hash(given, *rest)
      JSON.generate(given.is_a?(Array) ? array(given, *rest).to_a : alone(*rest).serialize(given))
    end

    def io(given, *rest)
      one_or_many(given) { |list| Katsu.dump(array(list, *rest), StringIO.new("".b)).string.force_encoding("UTF-8") }
    end

    def response(given, serializer, options)
      one_or_many(given) do |list|
        Katsu::Response.create { |r| r.array_serializer(list, serializer, **options) }.to_json
      end
    end

    def rails(given, *rest) = one_or_many(given) { |list| ActiveSupport::JSON.encode(array(list, *rest)) }

    def writer(given, *rest)
      one_or_many(given) { |list| Katsu::Writer.new(as_json: true).push_value(array(list, *rest)).to_s }
    end

    # So many objects that the text is no small one any more.
    def padded(given, *rest) = given.is_a?(Array) ? array(given + PADDING, *rest).to_json : json(given, *rest)

    def one_or_many(given) = given.is_a?(Array) ? yield(given) : yield([given])[1...-1]

    def alone(serializer, options) = serializer.new(**options)

    def array(list, serializer, options) = Katsu::ArraySerializer.new(list, each_serializer: serializer, **options)

    # The order of keys and the text of JSON columns are Katsu's own: the backends are compared by them, the reference
    # is not.
    def comparable(result)
      return "error" if result.is_a?(Exception)

      value = sorted(JSON.parse(result))
      value.pop(PADDING.size) if value.is_a?(Array) && value.last(PADDING.size) == PADDING
      value.inspect
    end

    # An object can have a column that is not loaded, or one that its coder cannot read, and one whose text is none: the
    # ruby backend reads all columns before it writes one, so either error may come first.
    EITHER = %r{has not loaded that column|from ASCII-8BIT to UTF-8|is illegal/malformed utf-8}.freeze
    ADDRESS = /0x\h{8,}|\(#\d+\)/ # of an object or a class
    NAMELESS = /#<Class:0x\h+>/.freeze # the text of a class without a name

    def exact(result)
      return "error either" if result.is_a?(Katsu::Error) && EITHER.match?(result.message)
      return "error either" if result.is_a?(JSON::ParserError)

      result.is_a?(Exception) ? "error #{result.class} #{result.message}".gsub(ADDRESS, "") : shown(result)
    end

    def shown(text) = without_address(Outcome.text(text))

    def without_address(text) = text.gsub(NAMELESS, "a class")

    def sorted(value)
      case value
      when Hash then value.sort.to_h { |key, inner| [key, sorted(inner)] }
      when Array then value.map { |inner| sorted(inner) }
      when String then without_address(value)
      else value
      end
    end
  end
end
