# frozen_string_literal: true

module Benchmarks
  # Documents in the shapes of real ones, made from a seed: nothing is downloaded and every run measures the same.
  module Documents
    WORDS = %w[lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et
               dolore magna aliqua enim minim veniam quis nostrud exercitation ullamco laboris nisi].freeze
    SCRIPTS = %w[これは日本語の文章です Привет мир 안녕하세요 مرحبا العالم 你好世界 Γειά σου Κόσμε हिन्दी].freeze

    class << self
      # name => document
      def all
        @all ||= {"escapes" => escapes, "short keys" => short_keys, "deep" => deep, "coordinates" => coordinates,
                  "logs" => logs, "non-Latin" => non_latin, "records" => records}
      end

      private

      def random = Random.new(20_261_121)

      def sentence(random, count) = Array.new(count) { WORDS[random.rand(WORDS.size)] }.join(" ")

      # Source code in strings: a line break or a quote in every line, 165 kB.
      def escapes
        r = random
        Array.new(60) do |i|
          {"path" => "lib\\file_#{i}.rb", "source" => Array.new(60) do
            "\tputs \"#{sentence(r, 5)}\""
          end.join("\n")}
        end
      end

      # Objects of one- and two-letter keys, 170 kB.
      def short_keys
        r = random
        Array.new(2500) do |i|
          {"i" => i, "a" => r.rand(100), "b" => r.rand(2) == 1, "cd" => "x#{r.rand(1000)}", "e" => nil,
           "fg" => {"h" => r.rand(10), "j" => "k"}}
        end
      end

      # Trees of 60 levels, 70 kB.
      def deep
        Array.new(100) do |i|
          (0...60).inject({"leaf" => i}) do |inner, level|
            level.odd? ? [inner] : {"level" => level, "node" => inner}
          end
        end
      end

      # A polygon layer: pairs of floats with six decimals, 840 kB.
      def coordinates
        r = random
        {"type" => "FeatureCollection", "features" => Array.new(60) do |i|
          {"type" => "Feature", "id" => i, "geometry" => {"type" => "Polygon", "coordinates" => [Array.new(600) do
            [(r.rand * 360 - 180).round(6), (r.rand * 180 - 90).round(6)]
          end]}}
        end}
      end

      # Log events of an application, 320 kB.
      def logs
        r = random
        Array.new(1800) do |i|
          {time: "2026-01-02T03:04:#{format("%02d", i % 60)}.#{format("%03d", r.rand(1000))}Z",
           level: %w[INFO WARN DEBUG][r.rand(3)], pid: r.rand(30_000),
           message: "Completed 200 OK in #{r.rand(400)}ms", tags: ["req-#{r.rand(10**9)}", "web"],
           duration: r.rand.round(3), user: r.rand(3).zero? ? nil : {id: r.rand(10**6), admin: false}}
        end
      end

      # Messages in scripts of two and three bytes a letter, 210 kB.
      def non_latin
        r = random
        Array.new(1500) do |i|
          {"id" => i, "text" => Array.new(5) do
            SCRIPTS[r.rand(SCRIPTS.size)]
          end.join(" "), "lang" => "xx", "url" => "https://example.test/#{i}/#{r.rand(10**6)}"}
        end
      end

      # What an API answers, 1.1 MB.
      def records
        r = random
        Array.new(2500) do |i|
          {"id" => i, "uuid" => format("%08x-%04x-4%03x-8000-%012x", r.rand(2**32), r.rand(2**16), r.rand(2**12),
                                       r.rand(2**48)), "name" => sentence(r, 3), "email" => "user#{i}@example.test",
           "active" => i.odd?, "score" => r.rand(1000) / 10.0, "created_at" => "2026-01-02T03:04:05.678Z",
           "bio" => sentence(r, 25), "address" => {"street" => sentence(r, 2), "zip" => r.rand(99_999).to_s},
           "roles" => %w[reader writer]}
        end
      end
    end
  end
end
