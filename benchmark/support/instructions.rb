# frozen_string_literal: true

# bin/bench --instructions [--update]: counts the instructions of one call of each row in counted_rows.rb, on both
# backends, under valgrind's callgrind. The machine's load does not change them, so a small growth is a real one.
#
# The counts of each Ruby stand in benchmark/instructions/. Exits 1 if a row takes over 2 % more than its file says;
# --update writes the file.
require "fileutils"
require "json"
require "rbconfig"
require "tmpdir"

module Benchmarks
  class Instructions
    GROWTH = 1.02
    FOLDER = File.expand_path("../instructions", __dir__)
    WORKER = File.join(__dir__, "counted_rows.rb")

    # One process under callgrind, for one backend.
    class Count
      def initialize(backend, folder)
        @profile = File.join(folder, backend)
        @backend = backend
      end

      # {name => instructions of one call}
      def rows
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=#{@profile}", RbConfig.ruby, WORKER]
        IO.popen([{"KATSU_BACKEND" => @backend}, *command, err: "#{@profile}.log"], "r+") do |io|
          @io = io
          {}.tap { |rows| count_row(rows) until io.eof? }
        end.tap { raise "the rows could not be counted:\n#{File.read("#{@profile}.log")}" unless $?.success? }
      end

      private

      def count_row(rows)
        name = @io.gets[/\Aready (.*)/, 1] or return
        control("-z")
        @io.puts("go")
        times = Integer(@io.gets[/\d+/])
        control("-d")
        rows[name] = [rows[name], total / times].compact.min
        @io.puts("next")
      end

      def control(command)
        system("callgrind_control", command, @io.pid.to_s, out: File::NULL, err: File::NULL) or
          raise "callgrind_control #{command} failed"
      end

      # What was counted since the last "-z"; each dump is a file of its own.
      def total
        dump = Dir["#{@profile}.[0-9]*"].max_by { |file| Integer(file[/\d+\z/]) }
        Integer(File.foreach(dump).grep(/\A(totals|summary):/).last[/\d+/])
      end
    end

    def initialize(update:)
      @update = update
      @file = File.join(FOLDER, "#{RUBY_ENGINE}-#{RUBY_VERSION}.json")
    end

    # True if no row has grown.
    def run
      counts = count
      known = File.exist?(@file) ? JSON.parse(File.read(@file)) : {}
      grown = counts.flat_map { |backend, rows| rows.select { |name, now| report(backend, name, known.dig(backend, name), now) } }
      return grown.empty? unless @update

      FileUtils.mkdir_p(FOLDER)
      File.write(@file, "#{JSON.pretty_generate(counts)}\n")
      true
    end

    private

    def count
      Dir.mktmpdir("katsu-instructions") do |folder|
        backends = Katsu.backend == :native ? %w[native ruby] : %w[ruby]
        backends.to_h { |backend| [backend, Count.new(backend, folder).rows] }
      end
    end

    # True if the row has grown.
    def report(backend, name, before, now)
      grown = before && now > before * GROWTH
      change = before ? format("%+.1f %%", (now.fdiv(before) - 1) * 100) : "new"
      puts format("%-7s %-40s %12d  %s%s", backend, name, now, change, ("  GROWN" if grown))
      grown
    end
  end
end

require "katsu"
unknown = ARGV - ["--update"]
abort "usage: bin/bench --instructions [--update]" unless unknown.empty?
exit Benchmarks::Instructions.new(update: ARGV.include?("--update")).run
