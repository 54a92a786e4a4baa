# frozen_string_literal: true

# Finding what filters leave of a serializer class that was seen before, against building Panko's descriptor.
module Benchmarks
  module Filters
    FILTERS = {"none" => {}, "only: Array" => {only: %i[id title]},
               "only: nested" => {only: {instance: %i[id author], author: [:name]}}}.freeze

    PANKO = "begin; Panko::SerializationDescriptor.build(document, options, nil); nil; end"

    module_function

    def rows
      require_relative "support/blog"
      FILTERS.map do |name, filter|
        Harness::Row.new(table: "filters", name: name, target: Katsu.backend == :native ? 10 : nil,
                         katsu: Harness.contender("begin; document.plan(options); nil; end", Blog::KATSU::HasOne,
                                                  filter[:only]),
                         peers: [Harness::Peer.new("panko",
                                                   Harness.contender(PANKO, Blog::PANKO::HasOne, filter))])
      end
    end
  end

  table("filters") { Filters.rows }
end
