# frozen_string_literal: true

# Finding what filters leave of a serializer class that was seen before, against building Panko's descriptor.
module Benchmarks
  module Filters
    FILTERS = {"none" => {}, "only: Array" => {only: %i[id title]}, "only: nested" => {only: {instance: %i[id author], author: [:name]}}}.freeze

    module_function

    def rows
      require_relative "support/blog"
      FILTERS.map do |name, filter|
        Harness::Row.new(table: "filters", name: name, target: Katsu.backend == :native ? 10 : nil,
                         katsu: Harness.calling { Blog::KATSU::HasOne.plan(filter[:only]); nil },
                         peers: [Harness::Peer.new("panko", Harness.calling { Panko::SerializationDescriptor.build(Blog::PANKO::HasOne, filter, nil); nil })])
      end
    end
  end

  table("filters") { Filters.rows }
end
