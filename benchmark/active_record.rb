# frozen_string_literal: true

# Loaded ActiveRecord records to JSON, against Panko.
module Benchmarks
  module ActiveRecordTable
    # name: [serializer, options, target at 50, at 2,300, objects allocated at most]
    ROWS = {
      "Simple" => [:Simple, {}, 9, 8, 5],
      "HasOne" => [:HasOne, {}, 7, 6, 5],
      "HasMany" => [:HasMany, {}, 9, 7, 5],
      "MethodCall" => [:MethodCall, {}, 5, 4.5, 10],
      "JSON column" => [:JsonColumn, {}, 12, 10, 5],
      "Except" => [:HasOne, {except: [:title]}, 7, 6, 15],
      "Only" => [:HasOne, {only: %i[id body author_id author]}, 7, 6, 15],
      "Aliases" => [:Aliases, {}, 9, 8, 5]
    }.freeze

    module_function

    def rows
      require_relative "support/blog"
      sizes = Benchmarks.sizes(50, 2300)
      Blog.prepare([2300, *sizes].max)
      sizes.flat_map { |size| ROWS.map { |name, row| row(name, size, *row) } }
    end

    def row(name, size, serializer, options, small, large, allocations)
      records = records(serializer, size)
      ours = Blog::KATSU.const_get(serializer)
      theirs = Blog::PANKO.const_get(serializer)
      Harness::Row.new(table: "active_record", name: name, size: size, target: size > 50 ? large : small,
                       allocations_target: allocations,
                       katsu: Harness.calling { Katsu::ArraySerializer.new(records, each_serializer: ours, **options).to_json },
                       peers: [Harness::Peer.new("panko", Harness.calling { Panko::ArraySerializer.new(records, {each_serializer: theirs, **options}).to_json })])
    end

    def records(serializer, size)
      @records ||= {}
      @records[[serializer == :HasMany, size]] ||=
        if serializer == :HasMany
          Blog::Author.includes(:posts).order(:id).limit(size).to_a
        else
          Blog::Post.includes(:author).order(:id).limit(size).to_a
        end
    end
  end

  table("active_record") { ActiveRecordTable.rows }
end
