# frozen_string_literal: true

# The checks of bin/lint that look at the loaded library. Prints what is wrong and exits with 1 if there is something.
require_relative "documentation"
require_relative "signatures"

entries = PublicAPI.entries
faults = {
  "neither public nor internal: name it in lint/public_api.rb" => PublicAPI.undecided,
  "signatures" => Signatures.new.faults(entries),
  "documentation" => Documentation.new.faults(entries)
}
faults.each { |what, list| puts "#{what}:", list.map { |fault| "  #{fault}" } if list.any? }
abort "#{faults.values.sum(&:size)} faults in #{entries.size} public methods" if faults.values.any?(&:any?)
puts "#{entries.size} public methods: all have a signature and say what they take, return and raise"
