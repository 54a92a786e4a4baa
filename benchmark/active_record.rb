# frozen_string_literal: true

# Loaded ActiveRecord records to JSON and to Hashes, against Panko.
module Benchmarks
  module ActiveRecordTable
    # name: [serializer, options, objects allocated at most, {table and backend => targets at 50 and at 2,300}]
    ROWS = {
      "Simple" => [:Simple, {}, 5, {json: [9, 8], hash: [3, 3], ruby_json: [1.41, 1.66], ruby_hash: [1.46, 1.64]}],
      "HasOne" => [:HasOne, {}, 5, {json: [7, 6], hash: [3, 3], ruby_json: [1.51, 1.68], ruby_hash: [1.54, 1.66]}],
      "HasMany" => [:HasMany, {}, 5, {json: [9, 7], hash: [3, 3], ruby_json: [1.13, 1.22]}],
      "MethodCall" => [:MethodCall, {}, 10, {json: [5, 4.5], hash: [3, 3], ruby_json: [1.10, 1.20]}],
      "JSON column" => [:JsonColumn, {}, 5, {json: [12, 10], hash: [3, 3], ruby_json: [1.18, 1.25]}],
      "Except" => [:HasOne, {except: [:title]}, 15,
                   {json: [7, 6], hash: [3, 3], ruby_json: [1.52, 1.65], ruby_hash: [1.50, 1.61]}],
      "Only" => [:HasOne, {only: %i[id body author_id author]}, 15,
                 {json: [7, 6], hash: [3, 3], ruby_json: [1.66, 2.01], ruby_hash: [1.65, 1.80]}],
      "Aliases" => [:Aliases, {}, 5, {json: [9, 8], hash: [3, 3], ruby_json: [1.44, 1.61], ruby_hash: [1.42, 1.64]}]
    }.freeze

    CALLS = {json: :to_json, hash: :to_a}.freeze

    module_function

    # kind: :json or :hash.
    def rows(table, kind, *sizes)
      require_relative "support/blog"
      sizes = Benchmarks.sizes(*sizes)
      Blog.prepare(sizes.max)
      sizes.flat_map { |size| ROWS.map { |name, row| row(table, kind, name, size, *row) } }
    end

    def row(table, kind, name, size, serializer, options, allocations, targets)
      records = records(serializer, size)
      small, large = targets[native? ? kind : :"ruby_#{kind}"]
      Harness::Row.new(table: table, name: name, size: size, target: size > 50 ? large : small,
                       allocations_target: kind == :json && native? ? allocations : nil,
                       katsu: katsu(CALLS.fetch(kind), records, Blog::KATSU.const_get(serializer), options),
                       peers: [Harness::Peer.new("panko",
                                                 panko(CALLS.fetch(kind), records, Blog::PANKO.const_get(serializer),
                                                       options))])
    end

    def native? = Katsu.backend == :native

    def katsu(call, records, serializer, options)
      return Harness.calling do
        Katsu::ArraySerializer.new(records, each_serializer: serializer, **options).to_json
      end if call == :to_json

      Harness.calling { Katsu::ArraySerializer.new(records, each_serializer: serializer, **options).to_a }
    end

    def panko(call, records, serializer, options)
      return Harness.calling do
        Panko::ArraySerializer.new(records, {each_serializer: serializer, **options}).to_json
      end if call == :to_json

      Harness.calling { Panko::ArraySerializer.new(records, {each_serializer: serializer, **options}).to_a }
    end

    def records(serializer, size)
      @records ||= {}
      @records[[serializer == :HasMany, size]] ||= loaded(serializer, size)
    end

    # Records that nobody has read.
    def loaded(serializer, size)
      if serializer == :HasMany
        Blog::Author.includes(:posts).order(:id).limit(size).to_a
      else
        Blog::Post.includes(:author).order(:id).limit(size).to_a
      end
    end

    # One record, its serializer made anew each time, as a controller does it.
    def single_rows
      persisted = records(:Simple, 50).first
      fresh = Blog::Post.new(id: 1, body: "b" * 60, title: "t" * 40, author_id: 3, created_at: Time.utc(2026))
      {"single, persisted" => persisted, "single, new" => fresh}.map do |name, record|
        Harness::Row.new(table: "active_record", name: name, size: 1, target: native? ? 8 : nil,
                         allocations_target: native? ? 4 : nil,
                         katsu: Harness.calling { Blog::KATSU::Simple.new.serialize_to_json(record) },
                         peers: [Harness::Peer.new("panko", Harness.calling do
                           Blog::PANKO::Simple.new.serialize_to_json(record)
                         end)])
      end
    end
  end

  table("active_record") { ActiveRecordTable.rows("active_record", :json, 50, 2300) + ActiveRecordTable.single_rows }
  table("to_hash") { ActiveRecordTable.rows("to_hash", :hash, 50, 2300) }
end
