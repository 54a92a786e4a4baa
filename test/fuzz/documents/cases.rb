# frozen_string_literal: true

require "json"
require_relative "../values"

module Fuzz
  # Documents: the calls of writers, and values given to what writes them.
  class Cases < Values
    OPTIONS = ["script_safe: true", "ascii_only: true", "indent: '  '", "object_nl: \"\\n\"", "array_nl: \"\\n\"",
               "space: ' '", "max_nesting: 4", "sort_keys: true", "allow_duplicate_key: true", "allow_nan: true"].freeze
    IOS = ["memory", "memory", "memory", "takes(1)", "takes(30)", "takes(1000)", "fails"].freeze
    JSON_TEXTS = ["[1, {}]", "\\\"ü\\\"", "{\\\"a\\\" : 1}", "null", " 1.50 "].freeze
    CODER_BLOCKS = ["{ |object, key| key ? object.to_s : [object.class.name] }", "{ |object| object.class.name }",
                    "{ |object| object }", "{ |object| raise IndexError }", "{ |object| throw :out }",
                    "{ |object, key| key ? \"k\" : {x: object.class.name, \"y\" => nil} }"].freeze
    STEP_KEYS = ["\"a\"", "\"b\"", ":c", "\"ü\"", "\"with \\\"\""].freeze
    SPECIALS = ["Throwing.new", "Raising.new", "[1, Raising.new]", "{a: [Throwing.new]}", "pushing(w, true)",
                "[1, pushing(w, false)]", "counting"].freeze
    RESPONSE_KEYS = ["a: ", "\"b\" => ", "ü: ", "1 => "].freeze

    def program
      [Tree.new(""), Array.new(50) { document }]
    end

    private

    def document
      @large = one_in?(25)
      case @random.rand(12)
      when 0, 1, 2, 3, 4 then writer
      when 5, 6 then object_writer
      when 7, 8 then call("dump(", [value(pick([1, 2, 3])), text(pick(["nil", *(@large ? ["memory"] : IOS)])), options])
      when 9 then call("generate(", [value(pick([1, 2, 3])), options])
      when 10 then coder
      else Tree.new("response { |r| ", [response_data(pick([1, 2, 3]))], " }", droppable: false)
      end
    end

    # An io that takes so many bytes tells floats for which json prints more digits than they need.
    def number
      text = super
      text.match?(/\de/) && JSON.generate(Float(text)).size > Float(text).to_s.size + 4 ? number : text
    end

    def text(source) = Tree.new(source)

    def call(before, arguments, after = ")") = Tree.new(before, arguments, after, droppable: false)

    def coder
      @no_lists = true
      call("coder(", [value(pick([1, 2, 3])), text(pick(["nil", "memory"])), options], ") #{pick(CODER_BLOCKS)}")
    ensure
      @no_lists = false
    end

    def options
      chosen = Array.new(pick([0, 0, 1, 2])) { pick(OPTIONS) }.uniq { |option| option[/\w+/] }
      Tree.new("{", chosen.map { |option| text(option) }, "}")
    end

    def writer
      io = pick(["nil", "nil", *(@large ? ["memory"] : IOS)])
      @quiet = @large && io != "nil"
      Tree.new("writer(#{io}, as_json: #{one_in?(2)}) { |w| ", steps(true), " }", separator: "; ")
    ensure
      @quiet = false
    end

    def object_writer = Tree.new("object_writer { |w| ", steps(false), " }", separator: "; ")

    # Mostly what makes a document; now and then what is refused.
    def steps(text)
      open = []
      steps = Array.new(pick([1, 3, 8, 20])) { step(open, text) }
      steps << text("w.freeze") if one_in?(60)
      steps += open.map { text("w.pop") } unless one_in?(8)
      steps << text(text ? "w.to_s" : "w.output") unless one_in?(8)
      steps
    end

    def step(open, text)
      keyed = one_in?(15) ? one_in?(2) : open.last == :object
      case @random.rand(12)
      when 0, 1 then opened(open, :object, keyed)
      when 2 then opened(open, :array, keyed)
      when 3 then open.pop && !one_in?(3) ? text("w.pop") : text("w.pop")
      when 4 then keyed ? call("w.push_key(", [step_key]) : push("push_value", value(1), false)
      when 5 then push("push_json", text("\"#{pick(JSON_TEXTS)}\""), keyed)
      when 6 then one_in?(4) ? push("push_json", value(1), keyed) : push("push_value", special, keyed)
      else push("push_value", value(pick([0, 0, 1, 2])), keyed)
      end
    end

    def opened(open, kind, keyed)
      open << kind
      keyed ? call("w.push_#{kind}(", [step_key]) : text("w.push_#{kind}")
    end

    def push(name, value, keyed) = call("w.#{name}(", keyed ? [value, step_key] : [value])

    def step_key = one_in?(20) ? key : literal(one_in?(60) ? "\"\\xFF\"" : pick(STEP_KEYS))

    def special = @quiet ? value(1) : literal(pick(SPECIALS))

    # Values that only documents have, among the others.
    def value(depth)
      return super unless one_in?(8)

      inner = [depth - 1, 0].max
      case @random.rand(7)
      when 0
        Tree.new("stream([", Array.new(@random.rand(4)) { value(inner) }, "], #{one_in?(2)})", simpler: ["1"])
      when 1 then literal("{\"a\" => 1, a: 2}")
      when 2
        Tree.new("{\"k\" => ", [value(inner), value(0)], "}", separator: ", b: ", droppable: false, simpler: ["1"])
      when 3 then literal("{\"s\" => 1, \"s\".dup => 2}.compare_by_identity")
      when 4
        literal(@large ? "{\"k\" => big(#{pick([20_000, 33_000, 70_000])}), k2: 1}" : "{1 => {b: 2, \"c\" => 3}}")
      when 5 then literal(@large ? "big(#{pick([1000, 32_760, 40_000])})" : "counting")
      when 6 then @no_lists ? super : Tree.new("list([", Array.new(@random.rand(3)) { item }, "])", simpler: ["1"])
      end
    end

    def item = Tree.new("{id: ", [value(0), value(0)], "}", separator: ", name: ", droppable: false)

    def response_data(depth)
      case depth.zero? ? 3 : @random.rand(7)
      when 0, 1 then Tree.new("{", RESPONSE_KEYS.select { one_in?(2) }.map { |key| response_pair(key, depth) }, "}")
      when 2 then Tree.new("[", Array.new(@random.rand(4)) { response_data(depth - 1) }, "]")
      when 3 then call("r.value(", [value(depth)])
      when 4 then text(pick(["r.json(\"#{pick(JSON_TEXTS)}\")", "1", "nil", "\"ü\""]))
      when 5 then call("r.array_serializer([", [item, item], "], ItemSerializer)")
      else call("r.serializer(", [item], ", ItemSerializer)")
      end
    end

    def response_pair(key, depth) = Tree.new(key, [response_data(depth - 1)], "", droppable: false)
  end
end
