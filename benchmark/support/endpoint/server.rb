# frozen_string_literal: true

require "fileutils"
require "net/http"
require "rbconfig"
require "timeout"
require "tmpdir"

module Benchmarks
  module Endpoint
    # The application of config.ru under Puma, in a process of its own.
    class Server
      LISTENING = %r{Listening on http://127\.0\.0\.1:(\d+)}
      BOOT_SECONDS = 120
      STOP_SECONDS = 10
      private_constant :LISTENING, :BOOT_SECONDS, :STOP_SECONDS

      # Yields a server, which is stopped afterwards.
      def self.run
        server = new
        yield server
      ensure
        server&.stop
      end

      def initialize
        @folder = Dir.mktmpdir("katsu-endpoint")
        @output = File.join(@folder, "output")
        start
        @port = wait_for_port
      end

      def url(path) = "http://127.0.0.1:#{@port}#{path}"

      # The body of an answer; aborts if there is none.
      def get(path)
        answer = Net::HTTP.get_response(URI(url(path)))
        abort "#{path} answers #{answer.code}: #{File.read(@output).lines.last(5).join}" unless answer.code == "200"
        answer.body
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

      def start
        load_path = $LOAD_PATH.grep(%r{/lib\z}).first(1).flat_map { |path| ["-I", path] }
        command = [RbConfig.ruby, *("--yjit" if defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?), *load_path,
                   "-e", 'load Gem.bin_path("puma", "puma")', "--", "-C", "puma.rb", "config.ru"]
        variables = {"KATSU_ENDPOINT_DATABASE" => File.join(@folder, "blog.sqlite3"), "RAILS_ENV" => "production"}
        @process = Process.spawn(variables, *command, chdir: __dir__, in: File::NULL, out: @output, err: %i[child out])
      end

      def wait_for_port
        limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + BOOT_SECONDS
        until (found = File.read(@output)[LISTENING, 1])
          if Process.wait(@process, Process::WNOHANG) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
            abort "the application does not listen: #{File.read(@output)[0, 2000]}"
          end
          sleep 0.05
        end
        Integer(found)
      end
    end
  end
end
