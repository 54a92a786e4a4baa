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
      WAYS = %w[threads ractors processes].freeze

      def initialize(variants)
        @variants = variants
        @main = variants.first
      end

      # {name => SVG}
      def all
        {"records" => records, "generate" => generate, "variants" => variants, "peers" => peers,
         "request_peers" => request_peers, "growth" => growth, "bytes" => bytes, "side_by_side" => side_by_side,
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

      def peers = documents_a_second("peers", 50)

      def request_peers = documents_a_second("request_peers", 50, ", with its query")

      def documents_a_second(table, size, what = "")
        rows = rows_of(table).select { |row| row[:size] == size }
        return if rows.empty?

        groups = rows.map do |row|
          per_second = {"Katsu" => row[:ips], **row[:peers].transform_values { |figures| figures[:ips] }}
          ["#{row[:row]}, #{size} records", per_second.sort_by(&:last).reverse.map { |name, ips| [name.to_s, ips] }]
        end
        Chart.bars("Documents a second#{what}", "Ruby #{@main.name}", groups, format: "%.0f", mark: nil)
      end

      def rows_of(table) = @main.rows.select { |row| row[:table] == table }

      def growth
        curves("Nanoseconds a record", "by the number of records in a document", :panko,
               rows_of("growth").select { |row| row[:row].start_with?("records") })
      end

      def bytes
        curves("Nanoseconds a byte", "by the bytes of a document", :json,
               rows_of("growth").select { |row| row[:row] == "bytes" })
      end

      # Time of one of a row's units, Katsu's and a peer's.
      def curves(title, subtitle, peer, rows)
        return if rows.empty?

        series = rows.group_by { |row| row[:row] }.flat_map do |name, sizes|
          {"Katsu" => ->(row) { row[:ips] }, peer.to_s => ->(row) { row[:peers][peer][:ips] }}.map do |who, ips|
            ["#{who}, #{name}", sizes.map { |row| [row[:size], 1e9 / ips.call(row) / row[:size]] }]
          end
        end
        Chart.lines(title, "#{subtitle}, Ruby #{@main.name}", series.to_h, x_names: names_of_sizes(rows),
                                                                           y_names: decades(series))
      end

      def names_of_sizes(rows) = rows.to_h { |row| [row[:size], Chart.short(row[:size])] }

      # Documents a second of all workers together, of the same document.
      def side_by_side
        rows = rows_of("growth").select { |row| WAYS.include?(row[:row]) }
        return if rows.empty?

        groups = rows.group_by { |row| row[:row] }.map do |way, sized|
          [way, sized.map { |row| [row[:size].to_s, row[:ips] * row[:size]] }]
        end
        Chart.bars("Documents a second, side by side", "by the number of workers, Ruby #{@main.name}", groups,
                   format: "%.0f", mark: nil)
      end

      # Lines at 1, 2 and 5 of each decade that the curves are in.
      def decades(series)
        low, high = series.flat_map { |_, points| points.map(&:last) }.minmax
        values = (-3..7).flat_map { |exponent| [1, 2, 5].map { |digit| digit * 10r**exponent } }
        values.select { |value| value.between?(low, high) }.to_h { |value| [value.to_f, Chart.decimal(value)] }
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
        rows = rows_of("requests")
        return if rows.empty?

        groups = rows.group_by { |row| [row[:size], row[:row][/\A\w+/]] }.map do |(size, database), sized|
          ["#{database}, #{Chart.with_commas(size.to_s)} records",
           sized.map { |row| bar(row, row[:row].sub("#{database}: ", "")) }]
        end
        Chart.bars("Whole requests, query included", subtitle, groups)
      end
    end
  end
end
