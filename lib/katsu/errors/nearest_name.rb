# frozen_string_literal: true

module Katsu
  # Finds the known name that is nearest to a wrong one.
  module NearestName
    LONGEST = 64
    # At most so many names are compared letter by letter: those of about the same length and the same first letter.
    MAX_COMPARED = 200
    private_constant :LONGEST, :MAX_COMPARED

    def self.hint(name, known)
      name = name.to_s
      return "" if name.size > LONGEST

      limit = [name.size / 2, 1].max
      nearest = alike(name, known, limit).map { |candidate| [distance(name, candidate), candidate] }.min_by(&:first)
      nearest && nearest[0] <= limit ? " Did you mean #{nearest[1]}?" : ""
    end

    # Those of the names that may be so near.
    def self.alike(name, known, limit)
      names = known.map(&:to_s).select { |other| other != name && (other.size - name.size).abs <= limit }
      names.reject! { |other| other.size > LONGEST }
      return names if names.size <= MAX_COMPARED

      names.min_by(MAX_COMPARED) { |other| (other.size - name.size).abs + (other[0] == name[0] ? 0 : 1) }
    end
    private_class_method :alike

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
