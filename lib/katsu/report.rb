# frozen_string_literal: true

module Katsu
  # The short cuts past Ruby's public interface. Each is on if Ruby, ActiveRecord and the
  # processor are as it expects, and otherwise off, which costs speed and changes no result.
  module Report
    # The versions of Ruby that the tests run on. Each must have all short cuts.
    TESTED = %w[3.1 3.4 4.0].freeze

    NAMES = {places: "places", rows: "rows", pairs: "pairs", small_hashes: "small Hashes", simd: "SIMD"}.freeze
    MEANINGS = {
      places: "instance variables are read by their place",
      rows: "records are read where ActiveRecord keeps their values",
      pairs: "rows that are Hashes are read by position",
      small_hashes: "Hashes of up to 8 pairs are copied, not walked"
    }.freeze
    private_constant :NAMES, :MEANINGS

    class << self
      # {name => true, or a String that says why it is off}
      def short_cuts
        return NAMES.to_h { |name, _| [name, name == :rows ? rows : "the ruby backend has none"] } if ruby?

        found = Native.short_cuts
        NAMES.to_h { |name, _| [name, name == :rows ? rows : found[name]] }
      end

      def to_s
        lines = short_cuts.map { |name, state| format("  %-13s %s", NAMES[name], describe(name, state)) }
        ["Katsu #{VERSION}, #{Katsu.backend} backend, json #{::JSON::VERSION}, #{RUBY_DESCRIPTION}", *lines].join("\n")
      end

      private

      def ruby? = Katsu.backend == :ruby

      def rows
        return "ActiveRecord is not loaded" unless defined?(::ActiveRecord::Base)

        (ruby? ? Portable::RecordRow.available? : Source::RecordSource.rows?) ||
          "ActiveRecord #{::ActiveRecord.version} keeps a record's values in a way that is not known"
      end

      def describe(name, state)
        return "off: #{state}" unless state == true

        "on: #{name == :simd ? "strings are copied by #{Native.simd}" : MEANINGS[name]}"
      end
    end
  end

  # A text that tells which short cuts are on, a line each, and why one is off.
  #
  #   puts Katsu.report
  def self.report = Report.to_s
end
