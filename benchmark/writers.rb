# frozen_string_literal: true

# ObjectWriter against Panko's, Writer against Oj's: the same calls.
module Benchmarks
  module Writers
    DOCUMENTS = {
      "1 property" => ->(w) { w.push_object; w.push_value("value1", "key1"); w.pop },
      "2 properties" => ->(w) { w.push_object; w.push_value("value1", "key1"); w.push_value(2, "key2"); w.pop },
      "push_key and push_value" => ->(w) { w.push_object; w.push_key("key1"); w.push_value("value1"); w.pop },
      "nested" => ->(w) { w.push_object; w.push_value("value1", "key1"); w.push_object("inner"); w.push_value(2, "key2"); w.pop; w.push_array("list"); w.push_object; w.push_value("four", "key3"); w.pop; w.pop; w.pop }
    }.freeze

    module_function

    def rows
      require "active_support/json"
      require "panko_serializer"
      require "oj"
      DOCUMENTS.flat_map { |name, document| [object_writer(name, document), writer(name, document)] }
    end

    def target = Katsu.backend == :native ? 1.5 : 1

    def object_writer(name, document)
      Harness::Row.new(table: "writers", name: "ObjectWriter, #{name}", target: target,
                       katsu: Harness.calling { writer = Katsu::ObjectWriter.new; document.call(writer); writer.output },
                       peers: [Harness::Peer.new("panko", Harness.calling { writer = Panko::ObjectWriter.new; document.call(writer); writer.output })])
    end

    def writer(name, document)
      Harness::Row.new(table: "writers", name: "Writer, #{name}", target: target,
                       katsu: Harness.calling { writer = Katsu::Writer.new; document.call(writer); writer.to_s },
                       peers: [Harness::Peer.new("oj", Harness.calling { writer = Oj::StringWriter.new(mode: :rails); document.call(writer); writer.to_s.chomp })])
    end
  end

  table("writers") { Writers.rows }
end
