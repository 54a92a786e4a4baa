# frozen_string_literal: true

module Benchmarks
  module Instructions
    # What became of the committed counts: {backend => {row => instructions}} before and now.
    #
    # A row that takes more than 2 % more is a loss. One that takes more than 2 % less, or that only one side has, means
    # that the file is out of date: from then on it would let a loss of the same size pass.
    class Comparison
      LIMIT = 2 # percent
      Change = Struct.new(:backend, :row, :before, :now) do
        def share = now.fdiv(before) - 1

        def verdict
          return :new if before.nil?
          return :gone if now.nil?
          return :grown if now * 100 > before * (100 + LIMIT)
          return :shrunk if now * 100 < before * (100 - LIMIT)

          :same
        end

        def to_s
          text = {new: "NEW", gone: "GONE", grown: "GROWN", shrunk: "SHRUNK"}[verdict]
          change = before && now ? format("%+.2f %%", share * 100) : ""
          format("%-7s %-36s %12s %12s %9s  %s", backend, row, before || "-", now || "-", change, text).rstrip
        end
      end

      # Of the backends that were counted now.
      def initialize(before, now)
        @changes = now.flat_map do |backend, rows|
          known = before.fetch(backend, {})
          (known.keys | rows.keys).map { |row| Change.new(backend, row, known[row], rows[row]) }
        end
      end

      attr_reader :changes

      # {backend => names of the rows that take more}
      def grown = names { |change| change.verdict == :grown }

      # {backend => names of the rows that were counted and are not what they were}
      def changed = names { |change| %i[new grown shrunk].include?(change.verdict) }

      def passed? = changes.all? { |change| change.verdict == :same }

      def to_s
        lines = changes.map(&:to_s)
        verdicts = changes.map(&:verdict).tally
        lines << "#{changes.size} rows, none changed by more than #{LIMIT} %" if passed?
        lines << "#{verdicts[:grown]} rows take more instructions than the file says" if verdicts[:grown]
        if %i[new gone shrunk].any? { |verdict| verdicts[verdict] }
          lines << "the file is out of date: commit what bin/bench --instructions --update writes"
        end
        lines.join("\n")
      end

      private

      def names(&chosen)
        changes.select(&chosen).group_by(&:backend).transform_values { |rows| rows.map(&:row) }
      end
    end
  end
end
