# frozen_string_literal: true

# worker.rb KIND [NAME=VALUE ...]: reads programs, [source to begin with, sources of cases], and answers each with the
# outcomes of its cases. Both are Marshal's. The options are the world's. Killed by its parent.
require_relative "#{ARGV.shift}/world"

options = ARGV.to_h { |option| option.split("=", 2) }.transform_keys(&:to_sym)

$stdout.binmode
answers = $stdout.dup
$stdout.reopen(File::NULL)
loop do
  setup, cases = Marshal.load($stdin)
  world = begin
    Fuzz::World.new(setup, **options)
  rescue ScriptError, StandardError => e
    e
  end
  outcomes = cases.map { |source| world.is_a?(Exception) ? {broken: world.full_message} : world.outcome(source) }
  Marshal.dump(outcomes, answers)
  answers.flush
rescue EOFError
  break
end
