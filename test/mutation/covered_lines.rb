# frozen_string_literal: true

require "coverage"

module Mutation
  # What Coverage says of a file, as the numbers of the lines that were run.
  module CoveredLines
    def self.of(counts)
      counts[:lines].each_index.filter_map { |at| at + 1 if counts[:lines][at]&.positive? }
    end
  end
end
