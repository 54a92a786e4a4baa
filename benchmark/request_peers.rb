# frozen_string_literal: true

# Whole requests by every serializer that can make the same document: the query, and its records as JSON. Run by name
# (bin/bench request_peers, with --databases on PostgreSQL and MariaDB too), with the gems of gemfiles/peers_*.gemfile.
module Benchmarks
  module RequestPeers
    # Row => [serializer, associations]
    ROWS = {"posts" => [:Simple, []], "has_one, has_many" => [:Full, %i[author comments]]}.freeze

    module_function

    def rows
      require_relative "support/blog"
      require_relative "support/peers"
      Peers.load
      databases = Requests.databases
      databases.product(Benchmarks.sizes(50, 2300)).flat_map do |database, size|
        ROWS.map { |name, (serializer, associations)| row(database, name, size, serializer, associations) }
      end
    end

    def row(database, name, size, serializer, associations)
      models = Requests::Models.of(database)
      posts = models::Post.order(:id).limit(size)
      query = associations.empty? ? posts : posts.includes(*associations)
      loaded = -> { query.dup.to_a }
      ours, panko = [[Blog::KATSU, models::KATSU], [Blog::PANKO, models::PANKO]].map do |simple, full|
        serializer == :Full ? full::Full : simple::Simple
      end
      Harness::Row.new(table: "request_peers", name: "#{database}: #{name}", size: size,
                       katsu: Harness.calling { ours.many(posts.dup).to_json },
                       peers: [Harness::Peer.new("panko", Harness.calling do
                         Panko::ArraySerializer.new(loaded.call, each_serializer: panko).to_json
                       end), *Peers.all(serializer, &loaded)])
    end
  end

  table("request_peers", on_request: true) { RequestPeers.rows }
end
