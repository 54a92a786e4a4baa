# frozen_string_literal: true

require "io/wait"
require "json"
require "minitest"
require_relative "recorder"

module Mutation
  # Runs the tests of a tree in a process of its own, forked so that Rails is loaded once, until one fails.
  class Judge
    Verdict = Struct.new(:noticed, :by, :failed, :measured, :raised, :ended)

    SILENCE = 120 # seconds without a word from the process
    MEMORY = 8 << 30

    # backend: native or ruby.
    def initialize(tree, backend)
      @tree = tree
      @backend = backend
    end

    # Runs the tests of files without a fault: which fail as they are, and of each its name, file, CPU time in seconds
    # and the lines that it runs; without a name, what is run to load a file; without a file, to load the library.
    # blocks: as Extension#blocks gives them.
    def baseline(files, blocks)
      ask do |output|
        recorder = Recorder.new(@tree, blocks)
        run_all(output, files, recorder)
      end
    end

    # tests: as Measured has them, those most likely to notice first.
    def judge(tests)
      ask { |output| run_until_failure(output, tests) }
    end

    private

    def ask
      [STDOUT, STDERR].each(&:flush)
      reader, writer = IO.pipe
      child = fork do
        reader.close
        become_test_process
        yield writer
      rescue Exception => e # what a fault raises, SystemExit too, must not run on in this process
        writer.puts "raised\t#{e.class}:#{e.message.inspect}"
      ensure
        writer.flush
        exit!(0)
      end
      writer.close
      read(reader, child)
    end

    # What the process says: "run NAME", "measured JSON", "failed NAME", "raised ERROR", "done", with tabs between.
    def read(reader, child)
      verdict = Verdict.new(true, nil, [], [])
      while (line = read_line(reader, child))
        word, name = line.chomp.split("\t", 2)
        case word
        when "run" then verdict.by = name
        when "measured" then verdict.measured << JSON.parse(name)
        when "failed" then verdict.failed << name
        when "raised" then verdict.raised = line
        when "done"
          verdict.ended = true
          verdict.noticed = !verdict.failed.empty?
          break # another worker's process may hold the pipe open
        end
      end
      verdict
    ensure
      Process.wait(child)
      reader.close
    end

    def read_line(reader, child)
      return reader.gets if reader.wait_readable(SILENCE)

      Process.kill(:KILL, child)
      nil
    end

    # Nothing of the tree that bin/mutate itself runs from may be found.
    def become_test_process
      $stdout = STDOUT.reopen(File::NULL, "w")
      $stderr = STDERR.reopen(File::NULL, "w")
      Process.setrlimit(:AS, MEMORY)
      Process.setrlimit(:CORE, 0)
      Minitest.seed ||= 1
      $LOAD_PATH.unshift(*%w[native lib test].map { |name| @tree.path(name) })
      gemfile = @tree.path("gemfiles/#{File.basename(ENV.fetch("BUNDLE_GEMFILE", ""))}")
      ENV.update("KATSU_BACKEND" => @backend, "RUBYLIB" => "#{@tree.path("native")}:#{ENV["RUBYLIB"]}",
                 "KATSU_ROWS" => "5",
                 "BUNDLE_GEMFILE" => gemfile)
      Dir.chdir(@tree.folder)
    end

    # The names of a file's tests.
    def load_tests(file)
      before = Minitest::Runnable.runnables.dup
      require @tree.path(file)
      suites = Minitest::Runnable.runnables - before
      suites.flat_map { |suite| suite.runnable_methods.map { |name| "#{suite}##{name}" } }
    end

    def run_all(output, files, recorder)
      require "support/test_case" if File.exist?(@tree.path("test/support/test_case.rb"))
      put = ->(*found) { output.puts "measured\t#{JSON.generate([*found, recorder.take])}" }
      put.call(nil, nil, 0)
      names = files.flat_map { |file| load_tests(file).map { |name| [name, file] }.tap { put.call(nil, file, 0) } }
      names.each do |name, file|
        output.puts "run\t#{name}"
        before = Process.times.sum
        output.puts "failed\t#{name}" unless passes?(name)
        put.call(name, file, (Process.times.sum - before).round(3))
      end
      output.puts "done"
    end

    # Files are loaded as they are needed: mostly one.
    def run_until_failure(output, tests)
      tests.each do |test|
        output.puts "run\t#{test.name}"
        output.flush
        limit((test.time * 4) + 2)
        load_tests(test.file)
        next if passes?(test.name)

        output.puts "failed\t#{test.name}"
        break
      end
      output.puts "done"
    end

    # More seconds of CPU time than this, from now on, end the process.
    def limit(seconds)
      used = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      Process.setrlimit(:CPU, (used + seconds).ceil, Process::RLIM_INFINITY)
    end

    def passes?(test)
      suite, name = test.split("#", 2)
      result = Object.const_get(suite).new(name).run
      result.passed? || result.skipped?
    end
  end
end
