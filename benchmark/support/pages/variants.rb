# frozen_string_literal: true

require "json"

module Benchmarks
  module Pages
    # A committed result file: how fast Katsu is on one Ruby, with one compiler and backend.
    class Variant
      def initialize(file)
        @content = JSON.parse(File.read(file), symbolize_names: true)
        @rows = @content[:rows].to_h { |row| [row.values_at(:table, :row, :size), row] }
      end

      def rows = @rows.values

      def row(table, name, size = nil) = @rows[[table, name, size]]

      # The runs that its rows are of.
      def runs = @content[:taken_with].values

      def ruby = @content[:variant][:ruby]

      # "4.0 YJIT"
      def name
        variant = @content[:variant]
        return "JRuby" if jruby?

        words = [variant[:ruby][/\A\d+\.\d+/], variant[:jit] || "interpreter"]
        words << "unknown Ruby" if variant[:unknown_ruby]
        words << "ruby backend" if variant[:backend] == "ruby"
        words.join(" ")
      end

      # The main one first: the newest Ruby with YJIT, its other ways, then the Rubies before it.
      def order
        variant = @content[:variant]
        version = Gem::Version.new(variant[:ruby]).segments.first(2).join.to_i
        [jruby? ? 1 : 0, variant[:backend] == "ruby" ? 1 : 0, -version,
         variant[:unknown_ruby] ? 1 : 0, ["YJIT", nil, "ZJIT"].index(variant[:jit])]
      end

      def jruby? = @content[:variant][:engine] == "jruby"

      # The ratio against the fastest peer that makes the same document.
      def self.ratio(row) = slowest(row)[:ratio]

      def self.slowest(row)
        others = row[:other_document].map(&:to_sym)
        row[:peers].except(*others).each_value.min_by { |figures| figures[:ratio] }
      end
    end

    def self.variants(folder = File.expand_path("../../results", __dir__))
      Dir[File.join(folder, "*.json")].map { |file| Variant.new(file) }.sort_by(&:order)
    end
  end
end
