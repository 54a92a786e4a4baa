# frozen_string_literal: true

require "stringio"
require "timeout"
require "support/stored_notes"

# Documents that are interrupted leave their connection usable, the pool as it was and no result in memory. The class
# that includes this extends StoredNotes and gives
#   slow(relation)     the relation, with a condition that takes longer than threads take turns
#   results            the class of what a driver's query gives, or nil
# KATSU_INTERRUPTIONS=10000 for the long run, which says what it found.
module QueryInterruptions
  TIMES = Integer(ENV.fetch("KATSU_INTERRUPTIONS", TestCase::GC_MODE == "normal" ? "200" : "4"))
  # What a connection and Ruby's heap may grow by; a leak of each document's rows would be more than this in 10,000.
  ALLOWED_KB = 24 * 1024
  ALLOWED_RESULTS_KB = 300

  # An io that is full after some bytes.
  class Full
    def initialize(bytes) = @left = bytes

    def write(text)
      raise IOError, "full" if (@left -= text.bytesize).negative?

      text.bytesize
    end
  end

  def self.raising = ->(id) { id == 30 ? raise("stop") : id }
  def self.throwing = ->(id) { id == 30 ? throw(:out, :out) : id }
  def self.dying = ->(id) { id == 30 ? Thread.current.kill : id }
  def self.late = ->(id) { id == 30 ? sleep(5) : id }

  def many(context = nil, relation = self.class::Note.order(:id))
    StoredNotes::NoteSerializer.many(relation, context: context)
  end

  # Each interrupts a document and asserts that it was.
  KINDS = {
    exception: -> { assert_raises(RuntimeError) { many(QueryInterruptions.raising).to_json } },
    exception_of_hashes: -> { assert_raises(RuntimeError) { many(QueryInterruptions.raising).to_a } },
    exception_of_lines: lambda {
      assert_raises(RuntimeError) { many(QueryInterruptions.raising).write_to(StringIO.new, format: :ndjson) }
    },
    throw: -> { assert_equal(:out, catch(:out) { many(QueryInterruptions.throwing).to_json }) },
    break: -> { assert_equal(:out, many.each { break :out }) },
    io: -> { assert_raises(IOError) { many.write_to(Full.new(100)) } },
    io_of_lines: -> { assert_raises(IOError) { many.write_to(Full.new(100), format: :ndjson) } },
    timeout: -> { assert_raises(Timeout::Error) { Timeout.timeout(0.01) { many(QueryInterruptions.late).to_json } } },
    thread: -> { refute Thread.new { many(QueryInterruptions.dying).to_json }.value },
    fiber: -> { assert Fiber.new { many(->(_) { Fiber.yield true }).to_json }.resume },
    timeout_of_a_query: lambda {
      assert_raises(*timeouts) { Timeout.timeout(0.01) { many(nil, slow(self.class::Note.order(:id))).to_json } }
    },
    thread_in_a_query: lambda {
      thread = Thread.new { many(nil, slow(self.class::Note.order(:id))).to_json }
      sleep 0.005
      assert_nil thread.kill.value
    }
  }.freeze

  # Those that wait until a thread is interrupted.
  WAITING = %i[timeout timeout_of_a_query thread_in_a_query].freeze

  KINDS.each do |name, kind|
    define_method(:"test_documents_that_are_interrupted_by_#{name}") do
      skip left_out.fetch(name) if left_out.key?(name)

      expected = many.to_json
      (WAITING.include?(name) ? 2 : [TIMES / 20, 2].max).times { instance_exec(&kind) }
      assert_equal expected, many.to_json
      assert_equal records, expected
    end
  end

  # What a query may raise that is interrupted by a timeout.
  def timeouts = [Timeout::Error]

  # Kinds after which ActiveRecord's own loading finds the connection unusable, too, and why.
  def left_out = {}

  def records
    Katsu::ArraySerializer.new(self.class::Note.order(:id).preload(:tags).to_a,
                               each_serializer: StoredNotes::NoteSerializer).to_json
  end

  def test_many_interrupted_documents
    expected = many.to_json
    kinds = KINDS.except(*left_out.keys).to_a
    interrupt(kinds, 50)
    before = state
    interrupt(kinds, TIMES)
    after = state
    puts "#{self.class}: #{TIMES} interrupted documents: #{before} before, #{after} after" if ENV["KATSU_INTERRUPTIONS"]
    assert_equal before.slice(:connections, :busy), after.slice(:connections, :busy)
    assert_operator after[:results_kb], :<=, before[:results_kb] + ALLOWED_RESULTS_KB
    assert_operator after[:kb], :<=, before[:kb] + ALLOWED_KB if normal_run?
    assert_equal expected, many.to_json
  end

  private

  # Each kind in turn; those that wait are seldom.
  def interrupt(kinds, times)
    quick = kinds.reject { |name, _| WAITING.include?(name) }
    times.times do |i|
      name, kind = (i % 25).zero? ? kinds[i / 25 % kinds.size] : quick[i % quick.size]
      instance_exec(&kind)
      flunk "the connection is not usable after #{name}" unless self.class::Note.where(id: 1).pick(:id) == 1
    end
  end

  # Resident memory, the pool, and the memory of living results.
  def state
    3.times { GC.start }
    pool = self.class::Note.connection_pool
    pool.reap
    status = File.exist?("/proc/self/status") ? File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i : 0
    {kb: status, connections: pool.connections.size, busy: pool.stat[:busy],
     results_kb: results ? memory_of(results) / 1024 : 0}
  end
end
