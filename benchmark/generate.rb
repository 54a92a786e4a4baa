# frozen_string_literal: true

require "date"
require_relative "support/documents"

# Katsu.generate against json and Oj: the rows of one document each. The ruby backend is measured against json's
# generator in Ruby, and has to be as fast in each.
module Benchmarks
  module Generate
    NAME_OF_JSON = if Katsu.backend == :native then "json"
                   else RUBY_ENGINE == "jruby" ? "JRuby's json" : "json in Ruby"
                   end

    module_function

    def documents
      {
        "small mixed" => [1.5, [1, "string", {a: 1, b: 2}, [3, 4, 5]]],
        "small nested array" => [1.8, [[1, 2, 3, 4, 5]] * 10],
        "small hash" => [1.4, {"username" => "jhawthorn", "id" => 123, "event" => "wrote json serializer"}],
        "mixed utf8" => [2.5, Array.new(500) { |i| "#{"text #{i} " * 1200}漢字#{"x" * 200}"[0, 10_000] }],
        "mostly utf8" => [2.5, Array.new(500) { |i| "漢字かな€#{i}" * 555 }],
        "integers" => [1.4, (999_500..1_000_500).to_a],
        "floats, full mantissa" => [2.0, random_floats],
        "floats, 2 decimals" => [2.0, random_floats.map { |float| (float * 1000).round(2) }]
      }
    end

    def random_floats
      random = Random.new(42)
      Array.new(100_000) { random.rand }
    end

    # Katsu prints the shortest digits of a float; json in one of a thousand cases longer ones.
    def rows
      options_of_oj
      documents.map do |name, (target, document)|
        row(name, target, document, allocations_target: native? ? 1 : nil)
      end + real_documents + [many_to_json, own_to_json, *one_shot, *coders] + with_options
    end

    # Set once, as its fastest users do: options that are given to each call take as long as a small document.
    def options_of_oj
      return unless native?

      require "oj"
      Oj.default_options = {mode: :compat}
    end

    def real_documents
      Documents.all.map do |name, document|
        row(name, 1.3, document, size: JSON.generate(document).bytesize)
      end
    end

    def native? = Katsu.backend == :native

    # The ruby backend has to be as fast as json in Ruby; JRuby's json, which is Java, is only reported.
    def goal(native)
      return native if native?

      1 unless RUBY_ENGINE == "jruby"
    end

    def row(name, target, document, **more)
      peers = [json(document)]
      peers << oj(document) if native?
      Harness::Row.new(table: "generate", name: name, target: goal(target), peers: peers,
                       katsu: Harness.contender("Katsu.generate(document)", document), **more)
    end

    def json(document, options = nil)
      call = options ? "JSON.generate(document, options)" : "JSON.generate(document)"
      Harness::Peer.new(NAME_OF_JSON, Harness.contender(call, document, options))
    end

    OPTIONS = {"pretty" => {indent: "  ", space: " ", object_nl: "\n", array_nl: "\n"},
               "script_safe" => {script_safe: true},
               "ascii_only" => {ascii_only: true}, "sort_keys" => {sort_keys: true},
               "allow_nan" => {allow_nan: true}}.freeze

    # All the real documents in one, with each option.
    def with_options
      document = Documents.all
      OPTIONS.map do |name, options|
        Harness::Row.new(table: "generate", name: "real documents, #{name}", target: goal(1.2),
                         peers: [json(document, options)],
                         katsu: Harness.contender("Katsu.generate(document, options)", document, options))
      end
    end

    def oj(document)
      Harness::Peer.new("oj", Harness.contender("Oj.dump(document)", document))
    end

    def many_to_json
      object = Object.new
      document = Array.new(20) do
        {object: object, int: 12, float: 54.3, class: Array, time: Time.at(1_700_000_000).utc,
         date: Date.new(2026, 1, 2)}
      end
      Harness::Row.new(table: "generate", name: "many to_json", target: goal(1.2), peers: [json(document)],
                       katsu: Harness.contender("Katsu.generate(document)", document))
    end

    # Objects with a to_json of their own, which is called for each.
    class Written
      def initialize(id) = @id = id
      def to_json(*) = "{\"id\":#{@id}}"
    end

    def own_to_json
      row("own to_json", 1, Array.new(1000) { |id| Written.new(id) }, size: 1000)
    end

    # The small documents by a Coder that is used again.
    def coders
      return [] unless JSON.const_defined?(:Coder)

      documents.first(3).map do |name, (_, document)|
        Harness::Row.new(table: "generate", name: "Coder, #{name}",
                         katsu: Harness.contender("options.dump(document)", document, Katsu::Coder.new),
                         peers: [Harness::Peer.new(NAME_OF_JSON,
                                                   Harness.contender("options.dump(document)", document,
                                                                     JSON::Coder.new))])
      end
    end

    # Katsu against itself: a call without a State and one with a State that is used again.
    def one_shot
      documents.first(3).map do |name, (_, document)|
        state = Katsu::State.new
        Harness::Row.new(table: "generate", name: "one-shot, #{name}", target: (0.97 if goal(1)),
                         katsu: Harness.contender("Katsu.generate(document)", document),
                         peers: [Harness::Peer.new("reused State",
                                                   Harness.contender("options.generate(document)", document, state))])
      end
    end
  end

  table("generate") { Generate.rows }
end
