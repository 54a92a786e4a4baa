# frozen_string_literal: true

require_relative "../objects"

module Fuzz
  # Katsu.generate beside JSON.generate.
  class World
    def initialize(_setup) = nil

    # source: a call of generate. A text that its encoding cannot hold makes no case.
    def outcome(source)
      value, options = instance_eval(source)
      bytes = Outcome.of { Katsu.generate(value, options) }
      {katsu: comparable(bytes), reference: comparable(Outcome.of { JSON.generate(value, options) }), bytes: bytes}
    rescue EncodingError
      {katsu: "no case"}
    rescue ScriptError, StandardError => e
      {broken: e.message}
    end

    private

    def generate(value, options) = [value, options]

    # json, and to_json methods that go through it, print a few floats with more digits than they need; see
    # docs/generator.md. So floats are compared as numbers, everything else as bytes.
    def comparable(text)
      text.gsub(/-?\d+\.\d+(?:e[+-]?\d+)?/) { |float| float.to_f.to_s }
    end
  end
end
