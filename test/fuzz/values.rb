# frozen_string_literal: true

require_relative "tree"

module Fuzz
  # Random Ruby values as source. The classes that it names are in objects.rb.
  class Values
    STRINGS = ["", "a", "key", "with \\\"", "\\\\", "\\n\\t\\u0001", "ü€漢😀", "\\u2028/</", "x" * 15, "x" * 16, "x" * 33,
               "é" + "y" * 63, "z" * 200 + "\\\"", "\\xFF", "ab\\xC3"].freeze
    ENCODINGS = ["", "", "", "", ".encode('UTF-16LE')", ".b", ".encode('ISO-8859-1')",
                 ".dup.force_encoding('US-ASCII')", ".dup.force_encoding('Windows-1252')"].freeze

    OTHERS = [":sym", "(1..2)", "Object", "Date.new(2026,1,2)", "3/4r", "Set[1]", "BigDecimal('1.5')", "Time.at(0).utc",
              "Raw.new(\"[1, 2]\")", "Raw.new(5)", "Raiser.new(1)", "Text.new(\"t\")", "JSON::Fragment.new(\"{}\")",
              "[].freeze", "{}.freeze", "Own.new(Own.new(:x))"].freeze

    def initialize(random)
      @random = random
    end

    def pick(list) = list[@random.rand(list.size)]

    # True once in that many times.
    def one_in?(count) = @random.rand(count).zero?

    def value(depth)
      case depth.zero? ? 0 : @random.rand(8)
      when 0, 1 then leaf
      when 2, 3 then array(depth)
      when 4, 5, 6 then hash(depth)
      else
        before = pick(["Own.new(", "ByState.new(", "Point.new("])
        Tree.new(before, [value(depth - 1)], ")", droppable: false, simpler: ["1"], hoist: true)
      end
    end

    def literal(source) = Tree.new(source, simpler: source == "1" ? [] : ["1"])

    def string = literal("\"#{pick(STRINGS)}\"#{pick(ENCODINGS)}")

    private

    def array(depth)
      elements = Array.new(@random.rand(5)) { value(depth - 1) }
      Tree.new(pick(["[", "[", "List["]), elements, "]", simpler: ["1"], hoist: true)
    end

    def hash(depth)
      opener, closer = pick([["{", "}"], ["{", "}"], ["Table[{", "}]"]])
      Tree.new(opener, Array.new(@random.rand(5)) { pair(depth) }, closer, simpler: ["1"])
    end

    # The key is an argument, because Ruby 3.1 dies of some literals that repeat a literal key.
    def pair(depth)
      Tree.new("itself_of(", [key, value(depth - 1)], "", separator: ") => ", droppable: false)
    end

    def key
      case @random.rand(8)
      when 0, 1, 2 then string
      when 3, 4, 5 then literal(pick([":a", ":key", ":\"with \\\"\"", ":ü"]))
      when 6 then literal(pick(%w[1 nil 2.5 true Object]))
      else literal("Own.new(1)")
      end
    end

    def leaf
      case @random.rand(14)
      when 0, 1, 2, 3 then string
      when 4, 5, 6, 7, 8, 9, 10 then literal(number)
      else literal(pick(OTHERS))
      end
    end

    def number
      case @random.rand(7)
      when 0, 1 then (@random.rand(2**63) >> @random.rand(63)).to_s
      when 2 then "-#{@random.rand(2**70)}"
      when 3, 4 then "#{@random.rand(-10**6..10**6)}e#{@random.rand(-9..9)}"
      when 5 then pick(%w[nil true false 0 -1 0.0 -0.0])
      else pick(%w[Float::NAN Float::INFINITY -Float::INFINITY])
      end
    end
  end
end
