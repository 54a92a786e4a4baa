# frozen_string_literal: true

require "support/test_case"
require "open3"
require "tmpdir"

# A document that is written to a file takes no more memory for ten times the rows. Each case runs in a process of its
# own, which notes its peak after forty documents of 10,000 rows and after one of all rows. The forty are four times as
# many bytes: the collector waits longer and longer, up to 32 MB of garbage, and has then reached what it stays at.
#
# KATSU_ROWS=1000000 bin/test test/memory/streaming_test.rb for the long run, which says what it measured: the peaks,
# and the processor's time beside that of a String of all rows.
class StreamingTest < TestCase
  ROWS = Integer(ENV.fetch("KATSU_ROWS", "100000"))
  FEW = 10_000
  DOCUMENTS = 40
  ALLOWED_KB = 20 * 1024
  KEPT = 6

  # The database's file is not mapped: its pages would count.
  PRELUDE = <<~'RUBY'
    require "active_record"
    require "katsu"
    ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ARGV.fetch(0))
    ActiveRecord::Base.connection.execute("PRAGMA mmap_size = 0")
    class Post < ActiveRecord::Base; end
    class PostSerializer < Katsu::Serializer
      attributes :id, :title, :body, :author_id, :created_at
    end
    class RecordSerializer < PostSerializer
      attribute(:twice) { object.id * 2 }
    end
    def peak = File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]
    def seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  RUBY

  CREATE = <<~RUBY
    ActiveRecord::Base.connection.create_table(:posts) do |t|
      t.string :title
      t.text :body
      t.bigint :author_id
      t.datetime :created_at
    end
    ActiveRecord::Base.connection.execute(<<~SQL)
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < #{ROWS})
      INSERT INTO posts (title, body, author_id, created_at)
      SELECT 'title of the post ' || n || ' xyz xyz xyz', 'something about a body, ' || n || ' abc abc abc abc abc abc',
             n % 1000, '2026-01-02 03:04:05.678' FROM numbers
    SQL
  RUBY

  CASES = {
    "rows_in_lines" => "PostSerializer.many(posts).write_to(io, format: :ndjson)",
    "rows_in_an_array" => "PostSerializer.many(posts).write_to(io)",
    "records_in_lines" => "RecordSerializer.many(posts).write_to(io, format: :ndjson)",
    "records_in_an_array" => "RecordSerializer.many(posts).write_to(io)",
    "a_stream" => "Katsu::ArraySerializer.new(Katsu::Stream.new(posts.find_each), each_serializer: PostSerializer)" \
                  ".write_to(io)",
    "values" => "Katsu.dump(Katsu::Stream.new((1..posts.count).lazy.map { |id| {id: id, body: 'x' * 60} }), io)"
  }.freeze

  Minitest.after_run { FileUtils.remove_entry(@folder) if @folder }

  class << self
    # The file of the database, which is made once.
    def database
      @database ||= File.join(@folder = Dir.mktmpdir("katsu-streaming"), "rows.sqlite3").tap do |file|
        output, status = Open3.capture2e(*ruby("#{PRELUDE}\n#{CREATE}", file))
        raise output unless status.success?
      end
    end

    def ruby(script, *arguments)
      [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", script, *arguments]
    end
  end

  CASES.each do |name, code|
    define_method(:"test_#{name}") do
      few, all, seconds = measured(code)
      tell("#{name}, #{FEW} rows: %.1f MB, #{ROWS} rows: %.1f MB, %.2f s", few / 1024, all / 1024, seconds)
      assert_operator all - few, :<, ALLOWED_KB
    end
  end

  # Strings that are kept take more: the bound is one that can be exceeded. How much one String takes depends on what
  # was freed before it.
  def test_strings_of_all_rows
    few, all, seconds = measured("strings = Array.new(#{KEPT}) { PostSerializer.many(posts).to_json }",
                                 documents: DOCUMENTS / KEPT)
    tell("#{KEPT} Strings, #{FEW} rows: %.1f MB, #{ROWS} rows: %.1f MB, %.2f s for each", few / 1024, all / 1024,
         seconds / KEPT)
    assert_operator all - few, :>, ALLOWED_KB
  end

  private

  def tell(text, *figures)
    puts format(text, *figures) if ENV.key?("KATSU_ROWS")
  end

  # Kilobytes after documents of FEW rows and after all rows, and the processor's seconds for all.
  def measured(code, documents: DOCUMENTS)
    skip "memory is read from /proc, in the plain run" unless File.exist?("/proc/self/status") && normal_run?

    script = <<~RUBY
      #{PRELUDE}
      File.open(File::NULL, "w") do |io|
        posts = Post.where(id: ..#{FEW})
        #{documents}.times { #{code} }
        puts peak
        posts = Post.all
        start = seconds
        #{code}
        puts peak, seconds - start
      end
    RUBY
    output, warnings, status = Open3.capture3(*self.class.ruby(script, self.class.database))
    assert_predicate status, :success?, warnings
    output.lines.map { |line| Float(line) }
  end
end
