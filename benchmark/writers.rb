# frozen_string_literal: true

# ObjectWriter against Panko's, Writer against Oj's: the same calls.
module Benchmarks
  module Writers
    DOCUMENTS = {
      "1 property" => 'w.push_object; w.push_value("value1", "key1"); w.pop',
      "2 properties" => 'w.push_object; w.push_value("value1", "key1"); w.push_value(2, "key2"); w.pop',
      "push_key and push_value" => 'w.push_object; w.push_key("key1"); w.push_value("value1"); w.pop',
      "nested" => 'w.push_object; w.push_value("value1", "key1"); w.push_object("inner"); ' \
                  'w.push_value(2, "key2"); w.pop; w.push_array("list"); w.push_object; ' \
                  'w.push_value("four", "key3"); w.pop; w.pop; w.pop'
    }.freeze

    module_function

    def rows
      require "active_support/json"
      require "panko_serializer"
      require "oj"
      Oj.default_options = {mode: :rails} # once, not for each writer
      DOCUMENTS.flat_map do |name, calls|
        [row("ObjectWriter, #{name}", contender("Katsu::ObjectWriter.new", calls, "w.output"), "panko",
             contender("Panko::ObjectWriter.new", calls, "w.output")),
         row("Writer, #{name}", contender("Katsu::Writer.new", calls, "w.to_s"), "oj",
             contender("Oj::StringWriter.new", calls, "w.to_s"))]
      end
    end

    def row(name, ours, peer, theirs)
      Harness::Row.new(table: "writers", name: name, target: Katsu.backend == :native ? 1.5 : 1, katsu: ours,
                       peers: [Harness::Peer.new(peer, theirs)])
    end

    def contender(made, calls, result)
      Harness.contender("begin; w = #{made}; #{calls}; #{result}; end", nil)
    end
  end

  table("writers") { Writers.rows }
end
