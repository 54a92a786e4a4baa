# frozen_string_literal: true

module Fuzz
  # A random value as a tree of Ruby source: [before, children, between, after]. Trees can be made smaller.
  class Cases
    STRINGS = ["", "a", "key", "with \\\"", "\\\\", "\\n\\t\\u0001", "ü€漢😀", "\\u2028/</", "x" * 15, "x" * 16, "x" * 33, "é" + "y" * 63, "z" * 200 + "\\\"", "\\xFF", "ab\\xC3"].freeze
    ENCODINGS = ["", "", "", "", ".encode('UTF-16LE')", ".b", ".encode('ISO-8859-1')", ".dup.force_encoding('US-ASCII')", ".dup.force_encoding('Windows-1252')"].freeze
    OPTIONS = ["script_safe: true", "ascii_only: true", "allow_nan: true", "strict: true", "indent: '  '", "space: ' '", "space_before: ' '", "object_nl: \"\\n\"",
               "array_nl: \"\\n\"", "max_nesting: 3", "max_nesting: 0", "depth: 2", "sort_keys: true", "allow_duplicate_key: true", "as_json: ->(o, k) { k ? o.to_s : [o.class.name] }",
               "buffer_initial_length: 5000"].freeze

    def initialize(seed)
      @random = Random.new(seed)
    end

    # [tree, options source]
    def next
      options = Array.new(pick([0, 0, 1, 2, 3])) { pick(OPTIONS) }.uniq { |option| option[/\w+/] }
      [tree(pick([1, 2, 3, 4])), "{#{options.join(", ")}}"]
    end

    def self.source(tree)
      return tree if tree.is_a?(String)

      before, children, after = tree
      "#{before}#{children.map { |child| source(child) }.join(", ")}#{after}"
    end

    # Trees that are a little smaller: a child in place of the whole, one child less, a child made smaller.
    def self.smaller(tree)
      return tree == "1" ? [] : ["1"] if tree.is_a?(String)

      before, children, after = tree
      fewer = children.each_index.map { |index| [before, children[0...index] + children[(index + 1)..], after] }
      inner = children.each_with_index.flat_map do |child, index|
        smaller(child).map { |other| [before, children[0...index] + [other] + children[(index + 1)..], after] }
      end
      children.reject { |child| child.is_a?(Array) && child[0] == "" } + (before.end_with?("(") || before == "" ? [] : fewer) + inner
    end

    private

    def pick(list) = list[@random.rand(list.size)]

    def tree(depth)
      case depth.zero? ? 0 : @random.rand(8)
      when 0, 1 then leaf
      when 2, 3 then [pick(["[", "[", "List["]), Array.new(@random.rand(5)) { tree(depth - 1) }, "]"]
      when 4, 5, 6 then [pick(["{", "{", "Table[{"]).dup, Array.new(@random.rand(5)) { ["", [pair(depth)], ""] }, ""].then { |t| [t[0], t[1], t[0] == "{" ? "}" : "}]"] }
      else [pick(["Own.new(", "ByState.new(", "Point.new("]), [tree(depth - 1)], ")"]
      end
    end

    def pair(depth)
      # As an argument, because Ruby 3.1 dies of some literals that repeat a literal key.
      ["itself_of(#{key}) => ", [tree(depth - 1)], ""]
    end

    def key
      case @random.rand(8)
      when 0, 1, 2 then string
      when 3, 4, 5 then pick([":a", ":key", ":\"with \\\"\"", ":ü"])
      when 6 then pick(%w[1 nil 2.5 true Object])
      else "Own.new(1)"
      end
    end

    def leaf
      case @random.rand(14)
      when 0, 1, 2, 3 then string
      when 4, 5 then (@random.rand(2**63) >> @random.rand(63)).to_s
      when 6 then "-#{@random.rand(2**70)}"
      when 7, 8 then "#{@random.rand(-10**6..10**6)}e#{@random.rand(-9..9)}"
      when 9 then pick(%w[nil true false 0 -1 0.0 -0.0])
      when 10 then pick(%w[Float::NAN Float::INFINITY -Float::INFINITY])
      when 11 then pick([":sym", "(1..2)", "Object", "Date.new(2026,1,2)", "3/4r", "Set[1]", "BigDecimal('1.5')", "Time.at(0).utc"])
      when 12 then pick(["Raw.new(\"[1, 2]\")", "Raw.new(5)", "Raiser.new(1)", "Text.new(\"t\")"])
      else pick(["JSON::Fragment.new(\"{}\")", "[].freeze", "{}.freeze", "Own.new(Own.new(:x))"])
      end
    end

    def string = "\"#{pick(STRINGS)}\"#{pick(ENCODINGS)}"
  end
end
