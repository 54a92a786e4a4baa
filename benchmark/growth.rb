# frozen_string_literal: true

require_relative "support/parallel"

# How time grows with the size of a document, and work done side by side. Run by name (bin/bench growth);
# GROWTH=full goes to 100,000 records and 50 MB.
module Benchmarks
  module Growth
    RECORDS = [1, 10, 100, 1000, 10_000].freeze
    BYTES = [10, 1000, 100_000, 5_000_000].freeze
    SIDE_BY_SIDE = [1, 2, 4, 8].freeze

    module_function

    def rows
      require_relative "support/blog"
      counts = full? ? [*RECORDS, 100_000] : RECORDS
      Blog.prepare(counts.max)
      records(counts) + (full? ? [*BYTES, 50_000_000] : BYTES).map { |bytes| document(bytes) } + side_by_side
    end

    def full? = ENV["GROWTH"] == "full"

    def records(counts)
      %i[Simple HasOne].product(counts).map do |serializer, count|
        records = ActiveRecordTable.records(serializer, count)
        ours, theirs = Blog::KATSU.const_get(serializer), Blog::PANKO.const_get(serializer)
        row("records, #{serializer}", count, "panko",
            Harness.calling { Katsu::ArraySerializer.new(records, each_serializer: ours).to_json },
            Harness.calling { Panko::ArraySerializer.new(records, {each_serializer: theirs}).to_json })
      end
    end

    # A document of about so many bytes, of the same parts.
    def document(bytes)
      part = {"id" => 1, "name" => "a name of some letters", "tags" => %w[one two], "score" => 1.5}
      size = JSON.generate(part).bytesize + 1
      document = bytes < size ? {"a" => 123} : Array.new(bytes / size, part)
      row("bytes", bytes, "json", Harness.contender("Katsu.generate(document)", document),
          Harness.contender("JSON.generate(document)", document))
    end

    # One call is a document of 100 records by each worker.
    def side_by_side
      document = Ractor.make_shareable(Documents.all.fetch("records").first(100))
      %i[threads ractors processes].product(SIDE_BY_SIDE).map do |way, workers|
        row(way.to_s, workers, "json", Parallel.contender(way, workers, Katsu, document),
            Parallel.contender(way, workers, JSON, document))
      end
    end

    def row(name, size, peer, ours, theirs)
      Harness::Row.new(table: "growth", name: name, size: size, katsu: ours, peers: [Harness::Peer.new(peer, theirs)])
    end
  end

  table("growth", on_request: true) { Growth.rows }
end
