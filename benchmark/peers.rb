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

    # Each library has records of its own: what one has read is not left for another, which would make Katsu look for
    # changes in values that another library read.
    def row(name, serializer, size)
      own = -> { ActiveRecordTable.loaded(serializer, size).then { |records| -> { records } } }
      Harness::Row.new(table: "peers", name: name, size: size, katsu: katsu(serializer, own.call),
                       peers: [Harness::Peer.new("panko", panko(serializer, own.call)),
                               *Peers.with_own(serializer, &own)])
    end

    def katsu(serializer, records)
      ours = Blog::KATSU.const_get(serializer)
      Harness.calling { Katsu::ArraySerializer.new(records.call, each_serializer: ours).to_json }
    end

    def panko(serializer, records)
      theirs = Blog::PANKO.const_get(serializer)
      Harness.calling { Panko::ArraySerializer.new(records.call, {each_serializer: theirs}).to_json }
    end
  end

  table("peers", on_request: true) { PeersTable.rows }
end
