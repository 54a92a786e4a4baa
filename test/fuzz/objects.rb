# frozen_string_literal: true

require "json"
require "set"
require "date"
require "bigdecimal"
require "katsu"

# Objects that do in to_json what users' objects do, and what they should not. Random sources name them.
class Own
  def initialize(value) = @value = value
  def to_json(*state) = @value.to_json(*state)
  def to_s = "own"
end

class ByState < Own
  def to_json(state = nil, *) = state.respond_to?(:generate) ? state.generate(@value) : JSON.generate(@value)
end

class Raw < Own
  def to_json(*) = @value
end

class Raiser < Own
  def to_json(*) = raise(KeyError, "mine")
end

class Text < String; end
class List < Array; end
class Table < Hash; end

Point = Struct.new(:x) do
  def initialize(x) = super
  def to_s = "point"
end

def itself_of(key) = key

module Fuzz
  # What came of a call, as text that can be compared.
  module Outcome
    KINDS = {"Katsu::GeneratorError" => "GeneratorError", "JSON::GeneratorError" => "GeneratorError",
             "Katsu::NestingError" => "NestingError", "JSON::NestingError" => "NestingError"}.freeze

    class << self
      def of
        text(yield)
      rescue SystemStackError, StandardError => e
        error(e)
      end

      def error(error) = "error #{KINDS.fetch(error.class.name, error.class.name)}"

      # json, and to_json methods that go through it, print a few floats with more digits than they need; see
      # docs/generator.md. So floats are compared as numbers, everything else as bytes.
      def with_floats(text) = text.gsub(/-?\d+\.\d+(?:e[+-]?\d+)?/) { |float| float.to_f.to_s }

      # A String whose flags are not those of its bytes says so.
      def text(value)
        return value.inspect unless value.is_a?(String)

        fresh = value.b.force_encoding(value.encoding)
        flags = [fresh, value].map { |string| [string.ascii_only?, string.valid_encoding?] }
        wrong = " with wrong flags" if flags.uniq.size > 1
        "#{value.b.inspect} #{value.encoding}#{wrong}"
      end
    end
  end
end
