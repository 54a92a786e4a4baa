# frozen_string_literal: true

# worker.rb KIND: reads programs, [source to begin with, sources of cases], and answers each with the outcomes of its
# cases. Both are Marshal's. Killed by its parent.
require_relative "#{ARGV.fetch(0)}/world"

$stdout.binmode
answers = $stdout.dup
$stdout.reopen(File::NULL)
loop do
  setup, cases = Marshal.load($stdin)
  world = begin
    Fuzz::World.new(setup)
  rescue ScriptError, StandardError => e
    e
  end
  outcomes = cases.map { |source| world.is_a?(Exception) ? {broken: world.full_message} : world.outcome(source) }
  Marshal.dump(outcomes, answers)
  answers.flush
rescue EOFError
  break
end
