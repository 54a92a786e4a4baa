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
      expected = Outcome.of { JSON.generate(value, options) }
      {katsu: Outcome.with_floats(bytes), reference: Outcome.with_floats(expected), bytes: bytes}
    rescue EncodingError
      {katsu: "no case"}
    rescue ScriptError, StandardError => e
      {broken: e.message}
    end

    private

    def generate(value, options) = [value, options]
  end
end
