# frozen_string_literal: true

# Reads cases, a line each ("VALUE\tOPTIONS", Ruby source), and answers each with a line: what Katsu and what
# json make of it, bytes in hex or the kind of error. Killed by its parent.
require "json"
require "set"
require "date"
require "bigdecimal"
require "katsu"

# Objects that do in to_json what users' objects do, and what they should not.
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
Point = Struct.new(:x) { def initialize(x) = super; def to_s = "point" }

def itself_of(key) = key

KINDS = {"Katsu::GeneratorError" => "GeneratorError", "JSON::GeneratorError" => "GeneratorError",
         "Katsu::NestingError" => "NestingError", "JSON::NestingError" => "NestingError"}.freeze

def outcome
  text = yield
  "#{text.b.unpack1("H*")}:#{text.encoding}"
rescue SystemStackError, StandardError => e
  "error #{KINDS.fetch(e.class.name, e.class.name)}"
end

# The case's two values; a text that its encoding cannot hold makes no case.
def read(line)
  line.chomp.split("\t").map { |source| eval(source, TOPLEVEL_BINDING) } # rubocop:disable Security/Eval
rescue ScriptError, StandardError
  [nil, {}]
end

$stdout.sync = true
while (line = $stdin.gets)
  value, options = read(line)
  puts "#{outcome { Katsu.generate(value, options) }}\t#{outcome { JSON.generate(value, options) }}"
end
