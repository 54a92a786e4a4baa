# frozen_string_literal: true

require "fileutils"
require "net/http"
require "tmpdir"
require_relative "../../../test/support/puma_process"

module Benchmarks
  module Endpoint
    # The application of config.ru under Puma, in a process of its own.
    class Server
      # Yields a server, which is stopped afterwards.
      def self.run
        server = new
        yield server
      ensure
        server&.stop
      end

      def initialize
        @folder = Dir.mktmpdir("katsu-endpoint")
        @puma = start
      end

      def url(path) = "http://127.0.0.1:#{@puma.port}#{path}"

      # The body of an answer; aborts if there is none.
      def get(path)
        answer = Net::HTTP.get_response(URI(url(path)))
        abort "#{path} answers #{answer.code}: #{@puma.output.lines.last(5).join}" unless answer.code == "200"
        answer.body
      end

      def stop
        @puma.stop
      ensure
        FileUtils.rm_rf(@folder)
      end

      private

      def start
        load_path = $LOAD_PATH.grep(%r{/lib\z}).first(1).flat_map { |path| ["-I", path] }
        yjit = ["--yjit"] if defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?
        variables = {"KATSU_ENDPOINT_DATABASE" => File.join(@folder, "blog.sqlite3"), "RAILS_ENV" => "production"}
        PumaProcess.new(__dir__, "puma.rb", ruby: [*yjit, *load_path], variables: variables)
      rescue RuntimeError => e
        FileUtils.rm_rf(@folder)
        abort e.message
      end
    end
  end
end
