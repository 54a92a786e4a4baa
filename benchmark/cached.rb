# frozen_string_literal: true

# What a cache costs and saves: 1,000 records by a serializer with `cache`, against the same one without. Cold: a store
# that keeps nothing, so each record is looked for, written and handed over. Run by name (bin/bench cached).
module Benchmarks
  module Cached
    COLD = 0.97

    module_function

    def rows
      require_relative "support/reports"
      uncached = writing(Reports::Uncached)
      [["cold", Reports::Cold, COLD], ["warm", Reports::Warm, nil]].map do |name, serializer, target|
        Harness::Row.new(table: "cached", name: name, size: Reports::COUNT, target: target, katsu: writing(serializer),
                         peers: [Harness::Peer.new("no cache", uncached)])
      end
    end

    # Records of their own: to read a column changes a record.
    def writing(serializer)
      records = Reports.loaded
      Harness.calling { serializer.many(records).to_json }
    end
  end

  table("cached", on_request: true) { Cached.rows }
end
