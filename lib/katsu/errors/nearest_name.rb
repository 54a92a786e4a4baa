# frozen_string_literal: true

module Katsu
  # Finds the known name that is nearest to a wrong one.
  module NearestName
    LONGEST = 64
    # At most so many names are compared letter by letter: those that have the most letters in common, which are counted
    # of at most so many: those of about the same length.
    MAX_COMPARED = 200
    MAX_COUNTED = 2000
    private_constant :LONGEST, :MAX_COMPARED, :MAX_COUNTED

    def self.hint(name, known)
      name = name.to_s
      return "" if name.size > LONGEST

      limit = [name.size / 2, 1].max
      nearest = alike(name, known, limit).map { |candidate| [distance(name, candidate), candidate] }.min
      nearest && nearest[0] <= limit ? " Did you mean #{nearest[1]}?" : ""
    end

    # Those of the names that may be so near.
    def self.alike(name, known, limit)
      names = known.map(&:to_s).select { |other| other != name && (other.size - name.size).abs <= limit }
      names.reject! { |other| other.size > LONGEST || other.end_with?("=") }
      return names if names.size <= MAX_COMPARED

      names = names.min_by(MAX_COUNTED) { |other| (other.size - name.size).abs } if names.size > MAX_COUNTED
      letters = name.chars.tally
      names.min_by(MAX_COMPARED) { |other| least_distance(letters, other) }
    end

    # The distance is at least this: how many letters have to be replaced, wherever they stand. letters: a name's tally.
    def self.least_distance(letters, other)
      left = letters.dup
      left.default = 0
      added = other.each_char.count { |letter| (left[letter] -= 1).negative? }
      removed = left.each_value.sum { |count| [count, 0].max }
      [added, removed].max
    end
    private_class_method :alike, :least_distance

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
