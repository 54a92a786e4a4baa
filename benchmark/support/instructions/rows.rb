# frozen_string_literal: true

module Benchmarks
  module Instructions
    # The rows whose instructions are counted.
    module Rows
      # Table => names of its rows.
      COUNTED = {
        "generate" => ["small mixed", "small nested array", "small hash", "integers", "non-Latin", "escapes", "logs"],
        "active_record" => ["Simple", "HasOne", "HasMany", "MethodCall", "JSON column", "Only",
                            "single, persisted", "single, new"],
        "to_hash" => ["Simple", "HasOne", "JSON column"],
        "wide" => ["wide and real", "wide and real, to Hash"],
        "plain" => ["objects, Simple", "objects, HasOne", "hashes, Simple"],
        "requests" => ["SQLite: posts", "SQLite: has_one, has_many", "SQLite: method field"],
        "writers" => ["ObjectWriter, nested", "Writer, nested"]
      }.freeze

      # [["table, name", the contender], ...] of those that are asked for, or of all.
      def self.all(asked)
        rows = COUNTED.flat_map do |table, names|
          of_table(table, names.select { |name| asked.empty? || asked.include?("#{table}, #{name}") })
        end
        abort "no such row: #{asked.join("; ")}" if rows.empty?
        rows
      end

      def self.of_table(table, names)
        return [] if names.empty? || !known?(table)

        rows = TABLES.fetch(table).call.to_h { |row| [row.name, row] }
        names.map { |name| ["#{table}, #{name}", rows.fetch(name) { abort "#{table} has no row #{name}" }.katsu] }
      end
      private_class_method :of_table

      # False of a version to compare with that reads no relations yet.
      def self.known?(table) = table != "requests" || Katsu::Serializer.respond_to?(:many)
      private_class_method :known?
    end
  end
end
