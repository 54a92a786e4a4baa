# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "timeout"
require "tmpdir"

# A copy of the application of ../config under Puma, in a process of its own on a port of its own.
class Server
  ROOT = File.expand_path("../../..", __dir__)
  FILES = %w[app config config.ru db].map { |name| File.expand_path("../#{name}", __dir__) }.freeze
  LISTENING = %r{Listening on http://127\.0\.0\.1:(\d+)}
  STOP_SECONDS = 10
  BOOT_SECONDS = 120
  private_constant :FILES, :LISTENING, :STOP_SECONDS, :BOOT_SECONDS

  @servers = {}
  @lock = Mutex.new

  class << self
    # The server of that environment, started when it is first asked for and stopped after the tests.
    def of(environment)
      server = @lock.synchronize { @servers[environment] ||= begun(environment) }
      server.is_a?(Server) ? server : raise(server)
    end

    private

    # The server, or why there is none: it is not tried for each test.
    def begun(environment)
      new(environment)
    rescue StandardError => e
      e
    end
  end

  attr_reader :port

  def initialize(environment)
    @folder = Dir.mktmpdir("katsu-blog")
    @output = File.join(@folder, "output")
    FileUtils.cp_r(FILES, @folder)
    start(environment)
    Minitest.after_run { stop }
    @port = wait_for_port
  end

  # What the application logged of a request: its lines, without their time and the request's id.
  def log(request_id)
    whole_log.lines.grep(/\[#{request_id}\]/).map { |line| line[/\[#{request_id}\] ?(.*)/m, 1] }
  end

  def whole_log = File.read(File.join(@folder, "log"), encoding: "UTF-8")

  # What the server's process printed.
  def output = File.read(@output, encoding: "UTF-8")

  # The application has another text in a file while the block runs.
  def with_file(path, text)
    file = File.join(@folder, path)
    before = File.read(file)
    File.write(file, text)
    yield
  ensure
    File.write(file, before)
  end

  # Ruby 3.4 can wait for ever when a listening socket is closed, so a server that does not end is killed.
  def stop
    Process.kill(:TERM, @process)
    Timeout.timeout(STOP_SECONDS) { Process.wait(@process) }
  rescue Timeout::Error
    Process.kill(:KILL, @process)
    Process.wait(@process)
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  ensure
    FileUtils.rm_rf(@folder)
  end

  private

  def start(environment)
    # From Ruby 3.4 on threads take turns ten times as often.
    variables = {"RUBY_THREAD_TIMESLICE" => "10", "RAILS_ENV" => environment, "KATSU_APP_FOLDER" => @folder,
                 "RAILS_LOG_TO_STDOUT" => nil, "DATABASE_URL" => nil, "PORT" => nil, "WEB_CONCURRENCY" => nil}
    command = [RbConfig.ruby, "-w", "-I", File.join(ROOT, "lib"), "-e", 'load Gem.bin_path("puma", "puma")', "--",
               "-C", "config/puma.rb", "config.ru"]
    @process = Process.spawn(variables, *command, chdir: @folder, in: File::NULL, out: @output, err: %i[child out])
  end

  def wait_for_port
    limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + BOOT_SECONDS
    until (found = output[LISTENING, 1])
      ended = Process.wait(@process, Process::WNOHANG)
      late = Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
      raise "the application #{ended ? "ended" : "does not listen"}: #{output[0, 2000]}" if ended || late

      sleep 0.02
    end
    Integer(found)
  end
end
