# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "tmpdir"
require_relative "areas"

module Benchmarks
  module Instructions
    # Counts the rows of counted_rows.rb in one process under callgrind.
    #
    # What could make two runs differ is fixed: Ruby's random seed (callgrind/fixed_seed.c), addresses (setarch -R), the
    # environment, the number of calls, and no collection falls into what is counted. What any change of code moves is
    # not: the numbers of Symbols and the addresses of classes. That is what layouts are for (layout.rb).
    class Count
      WORKER = File.expand_path("../counted_rows.rb", __dir__)
      LAYOUT = File.expand_path("layout.rb", __dir__)
      SOURCES = File.expand_path("../callgrind", __dir__)
      TRIGGER = /\Adesc: Trigger: Client Request: (\d+) (.+)$/
      KEPT = /\A(PATH|HOME|LANG|GEM_HOME|GEM_PATH|BUNDLE\w*|RUBYLIB|RUBYOPT|KATSU_VARIANT)\z/

      # Slots enough from the start, so that Ruby asks for no memory while a row is counted; and large results are
      # always mapped, so that whether they grow by a copy does not hang on what lies behind them.
      MEMORY = {"RUBY_GC_HEAP_INIT_SLOTS" => "600000", "MALLOC_MMAP_THRESHOLD_" => "65536",
                "MALLOC_MMAP_MAX_" => "65536",
                **(0..4).to_h { |size| ["RUBY_GC_HEAP_#{size}_INIT_SLOTS", size < 2 ? "300000" : "100000"] }}.freeze

      # lib: the folder of the Katsu that is counted. layout: a number, see layout.rb. options: what else is given to
      # the Ruby that counts.
      def initialize(backend, layout: 0, lib: File.expand_path("../../../lib", __dir__), options: [], worker: WORKER)
        @backend = backend
        @layout = layout
        @lib = lib
        @options = options
        @worker = worker
      end

      # {"table, name" => {area => share of its instructions}}, after rows.
      attr_reader :areas

      # {"table, name" => instructions of one call}
      def rows(*names)
        Dir.mktmpdir("katsu-instructions") do |folder|
          library = build(folder)
          log = "#{folder}/log"
          system(environment(library), *command(folder), *names, unsetenv_others: true, %i[out err] => log) or
            raise "the rows could not be counted:\n#{File.read(log)}"
          dumps = Dir["#{folder}/dump.*"].sort_by { |file| Integer(file[/\d+\z/], 10) }
          @areas = {}
          dumps.filter_map { |file| row(file) }.group_by(&:first).transform_values { |counts| counts.map(&:last).min }
        end
      end

      private

      def command(folder)
        ["setarch", "-R", "valgrind", "--tool=callgrind", "--instr-atstart=no", "--dump-line=no",
         "--callgrind-out-file=#{folder}/dump", RbConfig.ruby, "-r", LAYOUT, "-I", @lib, "-I", folder, *@options,
         @worker]
      end

      def environment(library)
        ENV.select { |name, _| KEPT.match?(name) }
           .merge(MEMORY, "KATSU_BACKEND" => @backend, "KATSU_LAYOUT" => @layout.to_s, "LD_PRELOAD" => library)
      end

      # Compiles callgrind.so for this Ruby, and what is preloaded; returns the latter's path.
      def build(folder)
        headers = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").map { |path| "-I#{path}" }
        compile("#{SOURCES}/callgrind.c", "#{folder}/callgrind.so", *headers)
        compile("#{SOURCES}/fixed_seed.c", "#{folder}/fixed_seed.so")
      end

      def compile(source, result, *options)
        system("cc", "-O1", "-shared", "-fPIC", "-w", *options, "-o", result,
               source) or raise "#{source} does not compile"
        result
      end

      def shares(sums)
        sums.sort_by { |_, count| -count }.to_h { |area, count| [area, count.fdiv(sums.values.sum).round(3)] }
      end

      # Each dump says what asked for it, and the sum.
      def row(file)
        lines = File.readlines(file)
        calls, name = lines.filter_map { |line| line.match(TRIGGER)&.captures }.first
        return if calls.nil?

        @areas[name] ||= shares(Areas.of(lines))
        [name, Integer(lines.grep(/\Asummary: /).first[/\d+/]) / Integer(calls)]
      end
    end
  end
end
