# frozen_string_literal: true

# Rows of a table of factors, so few as it goes, in which each value of a factor meets each value of every other one.
#
#   AllPairs.rows({source: [:record, :hash], sink: [:text, :io], zone: [:utc, :berlin]})
#   # => [{source: :record, sink: :text, zone: :utc}, ...]
#
# Greedy, and the same rows each time: a row begins with the first pair that no row has yet, and each other factor then
# takes the value that adds most pairs.
module AllPairs
  class << self
    # factors: {name => values}. Without the block every combination is possible; with it those that it is true for. It
    # gets a row, of which not every factor may be decided yet, and must not depend on what is missing.
    def rows(factors, &possible)
      possible ||= ->(_row) { true }
      missing = pairs(factors).select { |pair| possible.call(pair.to_h) }.to_h { |pair| [pair, true] }
      rows = []
      until missing.empty?
        row = complete(missing.first[0].to_h, factors, missing, possible)
        raise "no row can have #{missing.first[0]}" unless row

        row.to_a.combination(2) { |pair| missing.delete(pair) }
        rows << row
      end
      rows
    end

    # Every pair of values of two factors: [[name, value], [name, value]].
    def pairs(factors)
      factors.to_a.combination(2).flat_map do |(one, values), (other, others)|
        values.product(others).map { |value, with| [[one, value], [other, with]] }
      end
    end

    private

    # The row with a value for each factor, in the order of the factors; nil if there is none.
    def complete(row, factors, missing, possible)
      name = factors.each_key.find { |candidate| !row.key?(candidate) }
      return factors.to_h { |factor, _| [factor, row[factor]] } unless name

      ranked = factors[name].each_with_index.sort_by do |value, index|
        [-gain(row, name, value, factors, missing), index]
      end
      ranked.each do |value, _|
        longer = row.merge(name => value)
        found = possible.call(longer) && complete(longer, factors, missing, possible)
        return found if found
      end
      nil
    end

    # How many pairs the value adds that no row has yet.
    def gain(row, name, value, factors, missing)
      order = factors.keys
      row.count do |other, with|
        pair = [[other, with], [name, value]]
        missing.key?(order.index(other) < order.index(name) ? pair : pair.reverse)
      end
    end
  end
end
