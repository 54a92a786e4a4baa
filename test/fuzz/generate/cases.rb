# frozen_string_literal: true

require_relative "../values"

module Fuzz
  # Values and options for Katsu.generate.
  class Cases < Values
    OPTIONS = ["script_safe: true", "ascii_only: true", "allow_nan: true", "strict: true", "indent: '  '", "space: ' '",
               "space_before: ' '", "object_nl: \"\\n\"", "array_nl: \"\\n\"", "max_nesting: 3", "max_nesting: 0",
               "depth: 2",
               "sort_keys: true", "allow_duplicate_key: true", "as_json: ->(o, k) { k ? o.to_s : [o.class.name] }",
               "buffer_initial_length: 5000"].freeze

    # A program: the source that comes first, and the cases.
    def program
      [Tree.new(""), Array.new(50) { call }]
    end

    private

    def call = Tree.new("generate(", [value(pick([1, 2, 3, 4])), options], ")", droppable: false)

    def options
      chosen = Array.new(pick([0, 0, 1, 2, 3])) { pick(OPTIONS) }.uniq { |option| option[/\w+/] }
      Tree.new("{", chosen.map { |option| Tree.new(option) }, "}")
    end
  end
end
