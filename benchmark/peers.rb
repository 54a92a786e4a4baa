# frozen_string_literal: true

# Records to JSON by every serializer that can make the same document, each called as its own manual says it is fastest.
# Run by name (bin/bench peers), with gems of its own: gemfiles/peers_*.gemfile.
module Benchmarks
  module PeersTable
    ROWS = {"Simple" => :Simple, "HasOne" => :HasOne, "HasMany" => :HasMany}.freeze

    module_function

    def rows
      require_relative "support/blog"
      require_relative "support/peers"
      Peers.load
      sizes = Benchmarks.sizes(50, 2300)
      Blog.prepare(sizes.max)
      sizes.flat_map { |size| ROWS.map { |name, serializer| row(name, serializer, size) } }
    end

    def row(name, serializer, size)
      records = ActiveRecordTable.records(serializer, size)
      ours = Blog::KATSU.const_get(serializer)
      panko = Blog::PANKO.const_get(serializer)
      Harness::Row.new(table: "peers", name: name, size: size,
                       katsu: Harness.calling { Katsu::ArraySerializer.new(records, each_serializer: ours).to_json },
                       peers: [Harness::Peer.new("panko", Harness.calling do
                         Panko::ArraySerializer.new(records, {each_serializer: panko}).to_json
                       end), *Peers.all(serializer, records)])
    end
  end

  table("peers", on_request: true) { PeersTable.rows }
end
