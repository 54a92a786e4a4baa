# frozen_string_literal: true

require "yaml"

module Mutation
  # The mutants that may survive, each with its reason: test/mutations.yml.
  #
  #   file, or a pattern of files:
  #     - reason: why no test can notice, or why none is worth it
  #       mutants: ["line as it is -> line as it becomes"]   as bin/mutate prints them
  #       lines: ["part of a line"]                          or all mutants of the lines that match
  class Accepted
    def initialize(path)
      @entries = (File.exist?(path) ? YAML.safe_load_file(path) : nil).to_h.flat_map do |pattern, groups|
        groups.flat_map { |group| entries(pattern, group) }
      end
      @of_path = Hash.new { |known, path| known[path] = @entries.select { |entry| of?(path, entry) } }
    end

    def accept?(mutant)
      printed = mutant.to_s
      found = @of_path[mutant.path].select do |entry|
        entry[:line] ? entry[:line].match?(mutant.before) : entry[:mutant] == printed
      end
      found.each { |entry| entry[:used] = true }
      found.any?
    end

    # Entries that none of the mutants of these files fit.
    def stale(paths)
      here = @of_path.values_at(*paths).flatten.uniq
      unused = here.reject { |entry| entry[:used] || entry[:pattern].match?(/[*{]/) }
      unused.map { |entry| "#{entry[:pattern]}: #{entry[:mutant] || entry[:line]}" }
    end

    private

    def entries(pattern, group)
      raise "test/mutations.yml: an entry of #{pattern} gives no reason" if group["reason"].to_s.strip.empty?

      group.fetch("mutants", []).map { |mutant| {pattern: pattern, mutant: mutant} } +
        group.fetch("lines", []).map { |line| {pattern: pattern, line: Regexp.new(line)} }
    end

    def of?(path, entry) = File.fnmatch(entry[:pattern], path, File::FNM_EXTGLOB)
  end
end
