# frozen_string_literal: true

# Plain objects and Hashes to JSON, against Panko.
module Benchmarks
  module Plain
    Author = Struct.new(:id, :name)

    class Post
      attr_accessor :id, :body, :title, :author_id, :created_at, :author

      def initialize(**values) = values.each { |name, value| public_send(:"#{name}=", value) }
    end

    # name: [serializer, options, target]
    ROWS = {
      "Simple" => [:Simple, {}, 3], "HasOne" => [:HasOne, {}, 3], "MethodCall" => [:MethodCall, {}, 2.5],
      "Except" => [:HasOne, {except: [:title]}, 3], "Only" => [:HasOne, {only: %i[id body author_id author]}, 3]
    }.freeze

    # Panko calls methods for associations and for object.id, which Hashes have not.
    HASH_ROWS = {"Simple" => [:Simple, {}, 3], "Except" => [:Simple, {except: [:title]}, 3],
                 "Only" => [:Simple, {only: %i[id body author_id]}, 3]}.freeze

    module_function

    def rows
      require_relative "support/blog"
      Benchmarks.sizes(50, 2300).flat_map do |size|
        {"objects" => objects(size), "hashes" => hashes(size)}.flat_map do |kind, list|
          (kind == "hashes" ? HASH_ROWS : ROWS).map { |name, row| row(kind, list, name, *row) }
        end
      end
    end

    def values(id)
      {id: id, body: "something about a body, #{id} ".ljust(60, "abc "),
       title: "title of the post #{id} ".ljust(40, "xyz "), author_id: id, created_at: "2026-01-01 00:00:00"}
    end

    def objects(size)
      Array.new(size) { |id| Post.new(**values(id), author: Author.new(id, "Author #{id}")) }
    end

    def hashes(size)
      Array.new(size) { |id| values(id).transform_keys(&:name) }
    end

    def row(kind, list, name, serializer, options, target)
      ours = Blog::KATSU.const_get(serializer)
      theirs = Blog::PANKO.const_get(serializer)
      Harness::Row.new(table: "plain", name: "#{kind}, #{name}", size: list.size,
                       target: Katsu.backend == :native ? target : 1,
                       katsu: Harness.calling do
                         Katsu::ArraySerializer.new(list, each_serializer: ours, **options).to_json
                       end,
                       peers: [Harness::Peer.new("panko", Harness.calling do
                         Panko::ArraySerializer.new(list, {each_serializer: theirs, **options}).to_json
                       end)])
    end
  end

  table("plain") { Plain.rows }
end
