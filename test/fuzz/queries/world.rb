# frozen_string_literal: true

require "katsu"
require "active_record"
require "active_support/cache"
require "active_support/json"
require "active_support/time"
require "stringio"

require_relative "database"

ENV["TZ"] = "Asia/Kathmandu"
ActiveRecord::Base.time_zone_aware_attributes = true # as in Rails

module Fuzz
  # Text, turned round.
  class Reversed < ActiveRecord::Type::Value
    def type = :reversed
    def deserialize(value) = value&.to_s&.reverse
  end

  # One schema. Sources are run in Space, which is made anew for each.
  class World
    SETTINGS = {zone: nil, default_timezone: :utc, precision: 3, standard: true}.freeze
    LARGE = 20_000 # bytes
    KEYS = %i[id c0 owner_id].freeze

    # database: the name of an adapter.
    def initialize(setup, database: "sqlite3")
      Database.connect(database)
      Object.send(:remove_const, :Space) if Object.const_defined?(:Space)
      Object.const_set(:Space, Module.new)
      Space.const_set(:Reversed, Reversed)
      Space.const_set(:STORE, ActiveSupport::Cache::MemoryStore.new)
      Space.extend(Words)
      Database.clear
      Space.module_eval(setup, "setup")
    end

    def outcome(source)
      Space.module_eval(source, "case")
    rescue ScriptError, StandardError => e
      {broken: e.full_message}
    end

    # What setups and cases are made of.
    module Words
      def table(name, columns)
        ActiveRecord::Base.connection.create_table(name) do |t|
          t.bigint :owner_id
          columns.each { |column, (type, options)| t.column(column, type, **options.to_h) }
          t.integer :limit, :offset, default: 1 # as parts of a relation are called
          t.datetime :updated_at, default: "2026-01-02 03:04:05"
        end
      end

      def insert(table, values)
        names = ["id", "owner_id", *(0...(values.size - 2)).map { |index| "c#{index}" }].join(", ")
        literals = values.map { |value| value || "NULL" }.join(", ")
        ActiveRecord::Base.connection.execute("INSERT INTO #{table} (#{names}) VALUES (#{literals})")
      end

      def model(name, &body)
        module_eval("class #{name} < ActiveRecord::Base; self.table_name = #{name.downcase.inspect}; end")
        const_get(name).class_eval(&body)
      end

      def serializer(name, &body)
        made = const_set("#{name}Serializer", Class.new(Katsu::Serializer))
        made.class_eval(&body)
        store = const_get(:STORE)
        const_set("Plain#{name}Serializer", Class.new(made))
        const_set("Cached#{name}Serializer", Class.new(made) { cache store: store, vary: -> { [context, scope] } })
      end

      # relation: a lambda that gives it. A loaded one is loaded anew for each document: a JSON column that was read is
      # written as it was read.
      def check(serializer, settings, filters, relation)
        apply(SETTINGS.merge(settings))
        expected = [all(serializer, relation, filters), first(serializer, relation, filters)]
        document = of { serializer.many(relation.call, **filters).to_json }
        document = expected[0] if same_values?(document, expected[0])
        texts = [document, *ways(serializer, relation, filters, document)]
        ones = [of { serializer.one(relation.call, **filters).to_json }]
        ones << hashed(ones[0]) { serializer.one(relation.call, **filters).to_h } unless ones[0].start_with?("error")
        {katsu: [*texts.uniq, *ones.uniq].join("\n"), reference: expected.join("\n"),
         documents: texts.size + ones.size,
         way: document.start_with?("error") ? :error : way(serializer, relation.call, filters)}
      end

      private

      # The reference: records, serialized one by one.
      def all(serializer, relation, filters)
        of do
          serializers = Katsu::ArraySerializer.new([], each_serializer: serializer, **filters)
          serializers.serialize_to_json(relation.call.to_a)
        end
      end

      def first(serializer, relation, filters)
        of do
          one = serializer.new(**filters)
          record = relation.call.take
          record ? one.serialize_to_json(record) : "null"
        end
      end

      # A JSON column that a block has read is written as it was read: whether it was depends on whether two places of a
      # document share a record.
      def same_values?(document, expected)
        return false if document == expected || !document.include?('"any"') || expected.start_with?("error")

        JSON.parse(document) == JSON.parse(expected)
      end

      # How the documents were read: by the driver, as rows, or as records.
      def way(serializer, relation, filters)
        found = serializer.many(relation, **filters).explain.to_h
        return found[:way] unless found[:way] == :rows

        found[:fields].any? { |field| field[:way] == :driver } ? :driver : :rows
      end

      # The other ways to the same document; the bytes are those of to_json.
      def ways(serializer, relation, filters, document)
        return [] if document.start_with?("error")

        make = -> { serializer.many(relation.call, **filters) }
        text = of { make.call.write_to(StringIO.new).string }
        lines = of { "[#{make.call.write_to(StringIO.new, format: :ndjson).string.split("\n").join(",")}]" }
        [text, lines].map { |other| same_values?(other, document) ? document : other } <<
          hashed(document) { make.call.to_a } << cached(serializer, relation, filters, document) <<
          keyed(serializer, relation, filters, document)
      end

      # The document if a Hash by key is that of the same records, of which each has its key.
      def keyed(serializer, relation, filters, document)
        by = KEYS[document.bytesize % KEYS.size]
        found, expected = [relation, -> { relation.call.load }].map do |source|
          made = -> { serializer.many(source.call, **filters, by: by) }
          [of { made.call.to_json }, of { JSON.generate(made.call.to_h) },
           of { made.call.write_to(StringIO.new).string }]
        end
        same = found.zip(expected).all? { |one, other| one == other || same_values?(one, other) }
        same ? document : "by #{by}: #{found}, expected: #{expected}"
      end

      # The document if a serializer that keeps the JSON of each record gives the values of one that does not. Its store
      # has what earlier documents wrote, with other settings and filters. A subclass, as both are, may lead one level
      # deeper into its parent, so large documents are left out.
      def cached(serializer, relation, filters, document)
        return document if document.bytesize > LARGE

        cached, plain = %w[Cached Plain].map do |name|
          JSON.parse(const_get(name + serializer.name.demodulize).many(relation.call, **filters).to_json)
        end
        cached == plain ? document : "cached: #{cached}, plain: #{plain}"
      rescue Katsu::Error => e
        e.message.include?("is cached") ? document : "cached: #{e.full_message}"
      end

      # The document if the Hashes are its; a JSON column that was read is written as it was read.
      def hashed(document)
        hashes = of { JSON.generate(yield) }
        hashes == JSON.generate(JSON.parse(document)) ? document : "hashes: #{hashes}"
      end

      # "error" for each: of two errors in a document either may come first.
      def of
        yield
      rescue StandardError
        "error"
      end

      def apply(settings)
        Time.zone = settings[:zone]
        ActiveRecord.default_timezone = settings[:default_timezone]
        ActiveSupport::JSON::Encoding.time_precision = settings[:precision]
        ActiveSupport::JSON::Encoding.use_standard_json_time_format = settings[:standard]
      end
    end
  end
end
