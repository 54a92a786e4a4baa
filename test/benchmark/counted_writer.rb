# frozen_string_literal: true

# Counted by instructions_test.rb: one row, of an ObjectWriter.
require "katsu"
require "callgrind"

def write
  writer = Katsu::ObjectWriter.new
  writer.push_object
  writer.push_value("value", "key")
  writer.pop
  writer.output
end

10.times { write }
GC.start
GC.disable
Callgrind.instrument
2.times { Callgrind.count("50 writer") { 50.times { write } } }
