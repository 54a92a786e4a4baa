# frozen_string_literal: true

require "katsu"
require "active_record"
require "active_support/json"
require "active_support/time"
require "stringio"

ENV["TZ"] = "Asia/Kathmandu"
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false

module Fuzz
  # Text, turned round.
  class Reversed < ActiveRecord::Type::Value
    def type = :reversed
    def deserialize(value) = value&.to_s&.reverse
  end

  # One schema. Sources are run in Space, which is made anew for each.
  class World
    SETTINGS = {zone: nil, default_timezone: :utc, precision: 3, standard: true}.freeze

    def initialize(setup)
      Object.send(:remove_const, :Space) if Object.const_defined?(:Space)
      Object.const_set(:Space, Module.new)
      Space.const_set(:Reversed, Reversed)
      Space.extend(Words)
      ActiveRecord::Base.connection.tap do |connection|
        connection.tables.each { |table| connection.drop_table(table) }
        connection.clear_cache!
        connection.schema_cache.clear!
      end
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
        end
      end

      def insert(table, values)
        literals = values.map { |value| value || "NULL" }.join(", ")
        ActiveRecord::Base.connection.execute("INSERT INTO #{table} VALUES (#{literals})")
      end

      def model(name, &body)
        module_eval("class #{name} < ActiveRecord::Base; self.table_name = #{name.downcase.inspect}; end")
        const_get(name).class_eval(&body)
      end

      def serializer(name, &body)
        const_set("#{name}Serializer", Class.new(Katsu::Serializer)).class_eval(&body)
      end

      def check(serializer, settings, filters, relation)
        apply(SETTINGS.merge(settings))
        expected = of do
          serializers = Katsu::ArraySerializer.new([], each_serializer: serializer, **filters)
          serializers.serialize_to_json(relation.spawn.to_a)
        end
        relation = relation.spawn unless relation.loaded?
        document = of { serializer.many(relation, **filters).to_json }
        texts = [document, *ways(serializer, relation, filters, document)]
        {katsu: texts.uniq.join("\n"), reference: expected, documents: 4}
      end

      private

      # The other ways to the same document; the bytes are those of to_json.
      def ways(serializer, relation, filters, document)
        return [] if document.start_with?("error")

        make = -> { serializer.many(relation.loaded? ? relation : relation.spawn, **filters) }
        text = of { make.call.write_to(StringIO.new).string }
        lines = of { "[#{make.call.write_to(StringIO.new, format: :ndjson).string.split("\n").join(",")}]" }
        hashes = of { JSON.generate(make.call.to_a) } # last: a JSON column that was read is written as it was read
        [text, lines, hashes == JSON.generate(JSON.parse(document)) ? document : "to_a: #{hashes}"]
      end

      def of
        yield
      # A key that was not selected is found to be missing when associations are loaded, or when it is written.
      rescue Katsu::UnknownAttributeError, ActiveModel::MissingAttributeError
        "error missing attribute"
      rescue StandardError => e
        "error #{e.class}"
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
