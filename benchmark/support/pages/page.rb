# frozen_string_literal: true

module Benchmarks
  module Pages
    # One page that needs nothing else: the charts and every table.
    class Page
      HEADINGS = {"variants" => "Every row on every Ruby", "peers" => "Times the speed of each serializer",
                  "limits" => "How near the limit", "runs" => "Measured with"}.freeze
      STYLE = <<~CSS
        :root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --quiet: #59636e; --line: #d1d9e0 }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #0d1117; --ink: #f0f6fc; --quiet: #9198a1; --line: #3d444d }
        }
        body { margin: 0 auto; max-width: 1040px; padding: 16px; background: var(--paper); color: var(--ink);
               font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
        .charts { columns: 2 440px; column-gap: 16px }
        .charts svg { display: block; width: 100%; max-width: 512px; height: auto; margin-bottom: 16px;
                      break-inside: avoid; border: 1px solid var(--line); border-radius: 6px; box-sizing: border-box }
        .wide { overflow-x: auto }
        table { border-collapse: collapse; font-size: 13px }
        th, td { padding: 3px 10px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
        th:first-child, td:first-child { text-align: left }
        th { color: var(--quiet); font-weight: 600 }
        .runs td:last-child { white-space: normal; text-align: left; min-width: 280px }
        p { color: var(--quiet) }
      CSS

      def initialize(variants, charts, tables)
        @variants = variants
        @charts = charts
        @tables = tables
      end

      def to_s
        <<~HTML
          <!doctype html>
          <html lang="en">
          <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <title>Katsu: figures</title>
          <style>
          #{STYLE}</style>
          </head>
          <body>
          <h1>Katsu: figures</h1>
          <p>Times the speed of the fastest other library in each row: the median of the rounds. Where a figure is under its
          target, the target stands beside it. How it is measured: docs/benchmarks.md.</p>
          <div class="charts">
          #{@charts.join}</div>
          #{HEADINGS.map { |name, heading| section(name, heading) }.join}</body>
          </html>
        HTML
      end

      private

      def section(name, heading)
        parts = @tables.fetch(name).split(/^### (.*)\n/).reject { |part| part.strip.empty? }
        "<h2>#{heading}</h2>\n" + parts.map do |part|
          part.include?("|") ? table(part, name) : heading_or_text(part)
        end.join
      end

      def heading_or_text(part) = part.include?(" ") ? "<p>#{part.strip}</p>\n" : "<h3>#{part.strip}</h3>\n"

      def table(markdown, name)
        head, _, *rows = markdown.strip.lines.map { |line| line.strip[1..-2].split("|", -1).map(&:strip) }
        lines = [cells(head, "th"), *rows.map { |row| cells(row, "td") }]
        %(<div class="wide"><table class="#{name}">\n#{lines.join}</table></div>\n)
      end

      def cells(row, tag)
        texts = row.map { |cell| Chart.escape(cell).gsub(/`([^`]+)`/, '<code>\1</code>') }
        "<tr>#{texts.map { |text| "<#{tag}>#{text}</#{tag}>" }.join}</tr>\n"
      end
    end
  end
end
