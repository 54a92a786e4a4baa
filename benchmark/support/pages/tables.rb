# frozen_string_literal: true

module Benchmarks
  module Pages
    # The Markdown tables that are made of the result files. The README has those of the main variant.
    class Tables
      RECORDS = {"five columns" => "Simple", "with a `has_one`" => "HasOne", "with a `has_many`" => "HasMany",
                 "with a method field" => "MethodCall", "with a JSON column" => "JSON column",
                 "with `only:`" => "Only"}.freeze
      DOCUMENTS = {"a small mixed one" => "small mixed", "a small Hash" => "small hash",
                   "text, mostly multi-byte" => "mostly utf8", "floats with two decimals" => "floats, 2 decimals",
                   "integers" => "integers", "1.1 MB of records" => "records"}.freeze
      CLOSEST = 20

      def initialize(variants)
        @variants = variants
      end

      # {name of the place => Markdown}
      def all
        {"records" => records, "documents" => documents, "closest" => closest, "variants" => variants, "peers" => peers,
         "limits" => limits, "runs" => runs}
      end

      def records
        table(["serializer", "50 records", "2,300 records"], RECORDS.map do |label, name|
          [label, *[50, 2300].map { |size| times(main.row("active_record", name, size)) }]
        end)
      end

      def documents
        table(["document", "times json", "times Oj"], DOCUMENTS.map do |label, name|
          row = main.rows.find { |candidate| candidate[:table] == "generate" && candidate[:row] == name }
          [label, *%i[json oj].map { |peer| row ? format("%.1f", row[:peers].fetch(peer)[:ratio]) : "-" }]
        end)
      end

      # The rows of the main variant that are under their target, or the least above it.
      def closest
        rows = main.rows.select { |row| row[:target] }
        # Of equal ones in the order of the file: Rubies sort them differently.
        rows = rows.sort_by.with_index { |row, index| [Variant.ratio(row) / row[:target], index] }
        head = ["row", "size", "times the fastest", "lowest to highest tenth", "target"]
        table(head, rows.first(CLOSEST).map do |row|
          figures = Variant.slowest(row)
          ["#{row[:table]}, #{row[:row]}", with_commas(row[:size]), format("%.2f", figures[:ratio]),
           span(figures.values_at(:low, :high)), row[:target].to_s]
        end)
      end

      # Every row that has a target, on each variant.
      def variants
        keys = @variants.flat_map { |variant| variant.rows.map { |row| row.values_at(:table, :row, :size) } }.uniq
        keys.group_by(&:first).except("peers", "request_peers", "growth").map do |name, rows|
          "### #{name}\n\n" + table(["row", "size", *@variants.map(&:name)], rows.map { |key| variants_of(key) })
        end.join("\n")
      end

      def peers
        rows = main.rows.select { |row| %w[peers request_peers].include?(row[:table]) }
        return "Not measured yet.\n" if rows.empty?

        names = rows.flat_map { |row| row[:peers].keys }.uniq
        table(["row", "size", *names],
              rows.map { |row| [row[:row], with_commas(row[:size]), *names.map { |name| peer(row, name) }] })
      end

      # What is left to the limit of each row.
      def limits
        rows = main.rows.select { |row| row[:share_of_copy] }
        return "Not measured yet.\n" if rows.empty?

        head = ["row", "size", "times the fastest", "95 %", "bytes", "MB/s", "share of the speed of a copy",
                "ns of an empty call"]
        table(head, rows.map do |row|
          figures = Variant.slowest(row)
          ["#{row[:table]}, #{row[:row]}", with_commas(row[:size]), format("%.2f", figures[:ratio]),
           span(figures[:interval]), with_commas(row[:bytes]),
           (row[:bytes_per_second] / 1e6).round.to_s,
           format("%.0f %%", row[:share_of_copy] * 100), row[:nanoseconds_of_an_empty_call].to_s]
        end)
      end

      def runs
        table(["variant", "date", "rounds, processes", "processor", "gems"], @variants.flat_map do |variant|
          variant.runs.map do |run|
            [variant.name, run[:date], "#{run[:rounds]}, #{run[:processes]}",
             "#{run[:processor] || "not recorded"}, #{run[:cores]} cores",
             run[:gems].map { |name, version| "#{name} #{version}" }.join(", ")]
          end
        end)
      end

      private

      def main = @variants.first

      def times(row) = row ? format("%.1f", Variant.ratio(row)) : "-"

      def peer(row, name)
        figures = row[:peers][name] or return "-"
        format("%.1f", figures[:ratio]) + (row[:other_document].include?(name.to_s) ? " (another document)" : "")
      end

      def span(bounds) = bounds.map { |bound| format("%.2f", bound) }.join(" to ")

      # A row under its target says so.
      def variants_of(key)
        figures = @variants.map do |variant|
          row = variant.row(*key) or next "-"
          format("%.2f", Variant.ratio(row)) + (row[:met] == false ? " (of #{row[:target]})" : "")
        end
        [key[1], with_commas(key[2]), *figures]
      end

      def with_commas(number) = number.to_s.reverse.scan(/\d{1,3}/).join(",").reverse

      def table(head, rows)
        lines = [head, head.each_index.map { |index| index.zero? ? "---" : "---:" }, *rows]
        lines.map { |cells| "| #{cells.join(" | ")} |\n" }.join
      end
    end
  end
end
