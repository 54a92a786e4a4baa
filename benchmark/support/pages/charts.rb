# frozen_string_literal: true

module Benchmarks
  module Pages
    # The charts, as far as there are figures for them.
    class Charts
      RECORDS = ["Simple", "HasOne", "HasMany", "MethodCall", "JSON column", "Except", "Only", "Aliases"].freeze
      REAL = ["escapes", "short keys", "deep", "coordinates", "logs", "non-Latin", "records"].freeze
      SMALL = ["small mixed", "small nested array", "small hash", "integers", "mixed utf8", "mostly utf8",
               "floats, full mantissa", "floats, 2 decimals"].freeze
      COUNTED = {"active_record, Simple" => "five columns", "active_record, HasOne" => "with has_one",
                 "active_record, MethodCall" => "with a method field",
                 "active_record, JSON column" => "with a JSON column",
                 "wide, wide and real" => "17 columns", "to_hash, Simple" => "five, to Hashes",
                 "generate, escapes" => "generate: escapes"}.freeze
      DECADES = {1 => "1", 10 => "10", 100 => "100", 1000 => "1,000", 10_000 => "10,000", 100_000 => "100,000"}.freeze

      def initialize(variants)
        @variants = variants
        @main = variants.first
      end

      # {name => SVG}
      def all
        {"records" => records, "generate" => generate, "variants" => variants, "peers" => peers, "growth" => growth,
         "where" => where, "requests" => requests}.compact
      end

      private

      def subtitle = "Ruby #{@main.name}; the thin line is the lowest to the highest tenth"

      def records
        groups = [50, 2300].map do |size|
          bars = RECORDS.filter_map { |name| bar(@main.row("active_record", name, size)) }
          ["#{size.to_s.sub("2300", "2,300")} records", bars]
        end
        Chart.bars("Records to JSON: times the speed of Panko", subtitle, groups)
      end

      def generate
        rows = @main.rows.select { |row| row[:table] == "generate" }.to_h { |row| [row[:row], row] }
        groups = [["Single kinds", SMALL], ["Documents as real ones", REAL]].map do |heading, names|
          [heading, names.filter_map { |name| bar(rows[name]) }]
        end
        Chart.bars("Katsu.generate: times json or Oj, the faster", subtitle, groups)
      end

      def bar(row, label = row && row[:row])
        return if row.nil?

        figures = Variant.slowest(row)
        [label, *figures.values_at(:ratio, :low, :high)]
      end

      # One row on each variant.
      def variants
        groups = %w[Simple HasOne].map do |name|
          bars = @variants.filter_map { |variant| bar(variant.row("active_record", name, 2300), variant.name) }
          ["#{name}, 2,300 records", bars]
        end
        Chart.bars("Each Ruby: times the speed of Panko", "on the same Ruby; Panko is always a C extension", groups)
      end

      def peers
        rows = @main.rows.select { |row| row[:table] == "peers" && row[:size] == 50 }
        return if rows.empty?

        groups = rows.map do |row|
          per_second = {"Katsu" => row[:ips], **row[:peers].transform_values { |figures| figures[:ips] }}
          ["#{row[:row]}, 50 records", per_second.sort_by(&:last).reverse.map { |name, ips| [name.to_s, ips] }]
        end
        Chart.bars("Documents a second", "Ruby #{@main.name}", groups, format: "%.0f", mark: nil)
      end

      def growth
        rows = @main.rows.select { |row| row[:table] == "growth" && row[:row].start_with?("records") }
        return if rows.empty?

        series = rows.group_by { |row| row[:row] }.flat_map do |name, sizes|
          [["Katsu, #{name}", sizes.map { |row| [row[:size], 1e9 / row[:ips] / row[:size]] }],
           ["Panko, #{name}", sizes.map { |row| [row[:size], 1e9 / row[:peers][:panko][:ips] / row[:size]] }]]
        end
        Chart.lines("Nanoseconds a record", "by the number of records in a document, Ruby #{@main.name}", series.to_h,
                    x_names: DECADES.select { |size, _| rows.any? { |row| row[:size] == size } },
                    y_names: decades(series.flat_map { |_, points| points.map(&:last) }))
      end

      def decades(values)
        low, high = values.minmax
        decades = (0..7).map { |exponent| 10**exponent }.select { |value| value.between?(low, high) }
        decades.to_h { |value| [value, Chart.with_commas(value.to_s)] }
      end

      # As callgrind counts them on the main variant's Ruby.
      def where
        file = File.expand_path("../../instructions/ruby-#{@main.ruby}.json", __dir__)
        areas = File.exist?(file) && JSON.parse(File.read(file))["areas of the native backend"] or return

        rows = COUNTED.filter_map { |row, label| [label, areas[row]] if areas[row] }
        Chart.shares("Where the instructions go", "counted, Ruby #{@main.ruby}; 50 records, or a document as real ones",
                     rows)
      end

      def requests
        rows = @main.rows.select { |row| row[:table] == "requests" }
        return if rows.empty?

        groups = rows.group_by { |row| row[:size] }.map do |size, sized|
          ["#{size} records", sized.map { |row| bar(row) }]
        end
        Chart.bars("Whole requests, query included", subtitle, groups)
      end
    end
  end
end
