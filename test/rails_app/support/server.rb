# frozen_string_literal: true

require "fileutils"
require "support/puma_process"
require "tmpdir"

# A copy of the application of ../config under Puma, in a process of its own on a port of its own.
class Server
  ROOT = File.expand_path("../../..", __dir__)
  FILES = %w[app config config.ru db].map { |name| File.expand_path("../#{name}", __dir__) }.freeze
  private_constant :FILES

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

  def initialize(environment)
    @folder = Dir.mktmpdir("katsu-blog")
    Minitest.after_run { stop }
    FileUtils.cp_r(FILES, @folder)
    @puma = start(environment)
  end

  def port = @puma.port

  # What the application logged of a request: its lines, without their time and the request's id.
  def log(request_id)
    whole_log.lines.grep(/\[#{request_id}\]/).map { |line| line[/\[#{request_id}\] ?(.*)/m, 1] }
  end

  def whole_log = File.read(File.join(@folder, "log"), encoding: "UTF-8")

  # What the server's process printed.
  def output = @puma.output

  # The application has another text in a file while the block runs.
  def with_file(path, text)
    file = File.join(@folder, path)
    before = File.read(file)
    File.write(file, text)
    yield
  ensure
    File.write(file, before)
  end

  private

  def stop
    @puma&.stop
  ensure
    FileUtils.rm_rf(@folder)
  end

  def start(environment)
    # From Ruby 3.4 on threads take turns ten times as often.
    variables = {"RUBY_THREAD_TIMESLICE" => "10", "RAILS_ENV" => environment, "KATSU_APP_FOLDER" => @folder,
                 "RAILS_LOG_TO_STDOUT" => nil, "DATABASE_URL" => nil, "PORT" => nil, "WEB_CONCURRENCY" => nil}
    PumaProcess.new(@folder, "config/puma.rb", ruby: ["-w", "-I", File.join(ROOT, "lib")], variables: variables)
  end
end
