# frozen_string_literal: true

module Katsu
  # Finds the known name that is nearest to a wrong one.
  module NearestName
    LONGEST = 64
    private_constant :LONGEST

    def self.hint(name, known)
      name = name.to_s
      return "" if name.size > LONGEST

      candidates = known.map(&:to_s).reject { |candidate| candidate == name || candidate.size > LONGEST }
      nearest = candidates.min_by { |candidate| distance(name, candidate) }
      nearest && distance(name, nearest) <= [name.size / 2, 1].max ? " Did you mean #{nearest}?" : ""
    end

    # The Levenshtein distance of two short names.
    def self.distance(from, to)
      row = (0..to.size).to_a
      from.each_char.with_index(1) do |char, i|
        diagonal = row[0]
        row[0] = i
        to.each_char.with_index(1) do |other, j|
          cost = char == other ? diagonal : [diagonal, row[j], row[j - 1]].min + 1
          diagonal = row[j]
          row[j] = cost
        end
      end
      row.last
    end
  end
end
