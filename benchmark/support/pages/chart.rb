# frozen_string_literal: true

module Benchmarks
  module Pages
    # SVG text. Legible at the width of a phone, in light and in dark: the colours follow prefers-color-scheme.
    module Chart
      WIDTH = 480
      LEFT = 176
      RIGHT = 64
      STYLE = <<~CSS
        text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
        .title { font-weight: 600; font-size: 15px }
        .group { font-weight: 600 }
        .quiet { fill: #59636e; font-size: 12px }
        .paper { fill: #ffffff }
        .bar { fill: #b3261e }
        .other { fill: #8c959f }
        .spread, .axis, .line { stroke: #1f2328; fill: none }
        .axis { stroke: #d1d9e0 }
        .mark { stroke: #ffffff; stroke-dasharray: 3 2 }
        .line { stroke-width: 2 }
        .s0 { stroke: #b3261e } .s1 { stroke: #0969da } .s2 { stroke: #1a7f37 } .s3 { stroke: #9a6700 }
        .f0 { fill: #b3261e } .f1 { fill: #0969da } .f2 { fill: #1a7f37 } .f3 { fill: #9a6700 }
        .f4 { fill: #8250df } .f5 { fill: #8c959f } .f6 { fill: #bf3989 }
        @media (prefers-color-scheme: dark) {
          text { fill: #f0f6fc }
          .quiet { fill: #9198a1 }
          .paper { fill: #0d1117 }
          .bar { fill: #ff7b72 }
          .spread { stroke: #f0f6fc }
          .axis { stroke: #3d444d }
          .mark { stroke: #0d1117 }
          .s0 { stroke: #ff7b72 } .s1 { stroke: #58a6ff }
          .s2 { stroke: #3fb950 } .s3 { stroke: #d29922 }
          .f0 { fill: #ff7b72 } .f1 { fill: #58a6ff } .f2 { fill: #3fb950 } .f3 { fill: #d29922 }
          .f4 { fill: #bc8cff } .f6 { fill: #f778ba }
        }
      CSS

      module_function

      # Horizontal bars. groups: [[heading, [[label, value, low, high], ...]], ...]; low and high are the spread or nil.
      def bars(title, subtitle, groups, format: "%.1f", mark: 1.0)
        top = groups.flat_map { |_, bars| bars.map { |_, value, _, high| [value, high || value].max } }.max
        scale = (WIDTH - LEFT - RIGHT) / top.to_f
        y = 52
        body = groups.flat_map do |heading, bars|
          head = text(12, y + 22, heading, "group")
          y += 32
          parts = bars.each_with_index.flat_map do |(label, *values), index|
            bar(label, values, y + index * 24, scale, format)
          end
          last = y + bars.size * 24
          parts << line(LEFT + mark * scale, y - 2, LEFT + mark * scale, last, "mark") if mark
          y = last
          [head, *parts]
        end
        body << text(LEFT + mark * scale, y + 14, "1", "quiet", "middle") if mark
        document(title, subtitle, y + (mark ? 22 : 10), body)
      end

      def bar(label, (value, low, high), y, scale, format)
        width = round([value * scale, 1].max)
        parts = [text(LEFT - 8, y + 15, label, nil, "end"),
                 %(<rect class="bar" x="#{LEFT}" y="#{y + 3}" width="#{width}" height="16" rx="2"/>)]
        parts << line(LEFT + low * scale, y + 11, LEFT + high * scale, y + 11, "spread") if low
        parts << text(LEFT + [value, high || value].max * scale + 6, y + 15, with_commas(Kernel.format(format, value)))
      end

      # Lines over logarithmic axes. series: {name => [[x, y], ...]}
      def lines(title, subtitle, series, x_names:, y_names:)
        points = series.values.flatten(1)
        scale_x = scale(points.map(&:first), 56, WIDTH - 24)
        scale_y = scale(points.map(&:last), 300, 70)
        body = x_names.map { |x, name| text(scale_x.call(x), 322, name, "quiet", "middle") }
        body += y_names.flat_map do |y, name|
          at = scale_y.call(y)
          [line(56, at, WIDTH - 24, at, "axis"), text(50, at + 4, name, "quiet", "end")]
        end
        body += series.each_with_index.flat_map { |(name, list), index| curve(name, list, index, scale_x, scale_y) }
        document(title, subtitle, 338 + series.size * 20, body)
      end

      def curve(name, list, index, scale_x, scale_y)
        places = list.map { |x, y| [scale_x.call(x), scale_y.call(y)].map { |at| round(at) } }
        y = 342 + index * 20
        [%(<polyline class="line s#{index}" points="#{places.map { |at| at.join(",") }.join(" ")}"/>),
         *places.map { |x, at| %(<circle class="f#{index}" cx="#{x}" cy="#{at}" r="3"/>) },
         %(<rect class="f#{index}" x="56" y="#{y - 8}" width="14" height="4"/>), text(78, y, name)]
      end

      # Bars that are divided. rows: [[label, {part => share}], ...]; shares add up to 1.
      def shares(title, subtitle, rows)
        parts = rows.flat_map { |_, shares| shares.keys }.uniq
        width = WIDTH - LEFT - 16
        body = rows.each_with_index.flat_map do |(label, shares), index|
          divided(label, shares, parts, 60 + index * 26, width)
        end
        y = 60 + rows.size * 26 + 8
        legend = parts.each_with_index.flat_map do |part, index|
          x = 12 + (index % 2) * 232
          at = y + (index / 2) * 22
          [%(<rect class="f#{index}" x="#{x}" y="#{at}" width="12" height="12" rx="2"/>), text(x + 18, at + 11, part)]
        end
        document(title, subtitle, y + (parts.size / 2.0).ceil * 22 + 6, body + legend)
      end

      def divided(label, shares, parts, y, width)
        x = LEFT
        [text(LEFT - 8, y + 15, label, nil, "end")] + shares.map do |part, share|
          at, x = x, x + share * width
          %(<rect class="f#{parts.index(part)}" x="#{round(at)}" y="#{y + 2}" width="#{round(x - at)}" height="18"/>)
        end
      end

      def scale(values, from, to)
        low, high = values.minmax.map { |value| Math.log10(value) }
        high += 1 if low == high
        ->(value) { from + (Math.log10(value) - low) / (high - low) * (to - from) }
      end

      def document(title, subtitle, height, body)
        size = %(viewBox="0 0 #{WIDTH} #{height}" width="#{WIDTH}" height="#{height}")
        <<~SVG
          <svg xmlns="http://www.w3.org/2000/svg" #{size} role="img">
          <title>#{escape(title)}</title>
          <style>
          #{STYLE}</style>
          <rect class="paper" width="#{WIDTH}" height="#{height}" rx="6"/>
          #{text(12, 24, title, "title")}
          #{text(12, 43, subtitle, "quiet")}
          #{body.join("\n")}
          </svg>
        SVG
      end

      def text(x, y, content, css = nil, anchor = nil)
        attributes = [%(x="#{round(x)}" y="#{round(y)}")]
        attributes << %(class="#{css}") if css
        attributes << %(text-anchor="#{anchor}") if anchor
        "<text #{attributes.join(" ")}>#{escape(content)}</text>"
      end

      def line(x1, y1, x2, y2, css)
        %(<line class="#{css}" x1="#{round(x1)}" y1="#{round(y1)}" x2="#{round(x2)}" y2="#{round(y2)}"/>)
      end

      def with_commas(number) = number.gsub(/(?<=\d)(?=(\d{3})+\z)/, ",")

      # "100k" of 100,000: below an axis there is little room.
      def short(number)
        return "#{number / 1_000_000}M" if number >= 1_000_000

        number >= 1000 ? "#{number / 1000}k" : number.to_s
      end

      # "0.05", "200"
      def decimal(number) = number < 1 ? number.to_f.to_s : with_commas(number.to_i.to_s)

      def round(number) = number.round(1)

      def escape(text) = text.gsub("&", "&amp;").gsub("<", "&lt;")
    end
  end
end
