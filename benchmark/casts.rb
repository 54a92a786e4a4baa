# frozen_string_literal: true

# A column of each type, as SQLite returns it, in 100 loaded records: the cost of a record is the same in every
# row, the cast is what differs.
module Benchmarks
  module Casts
    # name: [column type, value, target]
    TYPES = {
      "String" => [:string, "some text of 30 characters....", 1.2],
      "Text" => [:text, "some text of 30 characters....", 1.2], "Integer" => [:integer, 123_456, 1.2],
      "Float" => [:float, 3.14159, 1.2],
      "Boolean" => [:boolean, true, 1.2], "DateTime" => [:datetime, Time.utc(2026, 1, 2, 3, 4, 5.678r), 3],
      "DateTime, Berlin" => [:datetime, Time.utc(2026, 1, 2, 3, 4, 5.678r), 3],
      "Date" => [:date, "2026-01-02", 3], "Decimal" => [:decimal, "12.5", 3],
      "JSON" => [:json, {"a" => [1, "two", nil]}, 3]
    }.freeze

    module_function

    def rows
      require_relative "support/blog"
      Blog.prepare(50)
      TYPES.map { |name, (type, value, target)| row(name, type, value, target) }
    end

    def row(name, type, value, target)
      model = model(name, type, value)
      zone = name.include?("Berlin") ? "Europe/Berlin" : nil
      records = model.order(:id).to_a
      ours, theirs = [Katsu::Serializer, Panko::Serializer].map { |base| Class.new(base) { attributes :value } }
      Harness::Row.new(table: "casts", name: name, size: 100, target: Katsu.backend == :native ? target : 1,
                       katsu: Harness.calling do
                         Time.use_zone(zone) do
                           Katsu::ArraySerializer.new(records, each_serializer: ours).to_json
                         end
                       end,
                       peers: [zone ? as_json(records, zone) : Harness::Peer.new("panko", Harness.calling do
                         Time.use_zone(zone) do
                           Panko::ArraySerializer.new(records, {each_serializer: theirs}).to_json
                         end
                       end)])
    end

    # Panko prints UTC whatever the zone is.
    def as_json(records, zone)
      Harness::Peer.new("as_json", Harness.calling do
        Time.use_zone(zone) do
          records.map do |record|
            record.as_json(only: [:value])
          end.to_json
        end
      end)
    end

    def model(name, type, value)
      table = "casts_of_#{name.downcase.tr(", ", "__")}"
      ActiveRecord::Base.connection.create_table(table) { |t| t.column :value, type,
                                                         **(type == :decimal ? {precision: 10, scale: 2} : {}) }
      model = Class.new(ActiveRecord::Base) do
        self.table_name = table
        self.time_zone_aware_attributes = name.include?("Berlin")
        define_singleton_method(:name) { table.classify }
      end
      model.insert_all!(Array.new(100) { {value: value} })
      model
    end
  end

  table("casts") { Casts.rows }
end
