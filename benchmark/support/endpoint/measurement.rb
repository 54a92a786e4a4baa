# frozen_string_literal: true

require "json"
require "open3"
require_relative "server"

module Benchmarks
  module Endpoint
    PEERS = %w[panko alba blueprinter oj_serializers jbuilder to_json_of_rails].freeze
    SIZES = [50, 2300].freeze
    # Against Panko, at 2,300 posts.
    TARGET = 3
    CONNECTIONS = 4
    UNITS = {"us" => 0.001, "ms" => 1, "s" => 1000, "m" => 60_000}.freeze

    # What wrk says of a window: requests a second, and the milliseconds in which 99 of 100 were answered.
    Window = Struct.new(:requests, :p99) do
      # Of the text that wrk --latency prints; nil if none was answered, or one not, or not with success.
      def self.parse(text)
        return if text.match?(/Non-2xx|Socket errors|^ +0 requests/)

        number, unit = text.match(/^ +99% +([\d.]+)(us|ms|s|m) *$/)&.captures
        number && new(Float(text[%r{^Requests/sec: +([\d.]+)}, 1]), Float(number) * UNITS.fetch(unit))
      end
    end

    class << self
      # [{size:, name:, requests:, p99:, ratio:, low:, high:}, ...]. rounds: how often each takes its turn.
      def measure(rounds:, seconds:)
        Server.run do |server|
          SIZES.flat_map { |size| of_size(server, size, rounds, seconds) }
        end
      end

      private

      def of_size(server, size, rounds, seconds)
        names = ["katsu", *PEERS]
        compare(server, names, size)
        names.each { |name| window(server, name, size, 1) } # warms it up
        turns = Array.new(rounds) { names.to_h { |name| [name, window(server, name, size, seconds)] } }
        names.map { |name| row(name, size, turns) }
      end

      # Every serializer makes the same document.
      def compare(server, names, size)
        documents = names.to_h { |name| [name, JSON.parse(server.get("/#{name}/#{size}"))] }
        other = documents.reject { |_, document| document == documents["katsu"] && document.size == size }
        abort "another document at #{size}: #{other.keys.join(", ")}" if other.any?
      end

      def window(server, name, size, seconds)
        command = ["wrk", "-t1", "-c#{CONNECTIONS}", "-d#{seconds}s", "--latency", server.url("/#{name}/#{size}")]
        output, = Open3.capture2e(*command)
        Window.parse(output) || abort("wrk: #{output}")
      end

      def row(name, size, turns)
        ratios = turns.map { |turn| turn["katsu"].requests / turn[name].requests }.sort
        {size: size, name: name, requests: median(turns.map { |turn| turn[name].requests }).round(1),
         p99: median(turns.map { |turn| turn[name].p99 }).round(2), ratio: median(ratios).round(2),
         low: ratios.first.round(2), high: ratios.last.round(2)}
      end

      def median(values) = values.sort[values.size / 2]
    end
  end
end
