# frozen_string_literal: true

# Counts what Katsu finds out and makes.
module Counting
  COUNTS = Hash.new(0)

  # How objects of a class are read by a plan.
  module Binding
    def bind(*)
      COUNTS[:bind] += 1 if Ractor.current == MAIN
      super
    end
  end

  # Plans that are compiled.
  module Compiling
    def initialize(*)
      COUNTS[:plan] += 1 if Ractor.current == MAIN
      super
    end
  end

  MAIN = Ractor.current
  [Katsu::Source::RecordSource, Katsu::Source::ObjectSource, Katsu::Source::HashSource].each do |source|
    source.singleton_class.prepend(Binding)
  end
  Katsu::Plan.prepend(Compiling)

  # How often that was done in the block.
  def counted(what)
    before = COUNTS[what]
    yield
    COUNTS[what] - before
  end

  # Keys of a WeakMap that are alive when garbage has been collected. Give each key itself as its value: Ruby 3.1
  # crashes when memory is compacted while many keys have one value (Ruby's bug 19529).
  def alive(weak)
    Array.new(3) { |i| i.zero? ? nil : Object.new } # what the stack still held
    3.times { GC.start }
    weak.keys.size
  end
end
