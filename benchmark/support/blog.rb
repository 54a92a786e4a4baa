# frozen_string_literal: true

require "active_record"
require "active_support/json"
require "panko_serializer"

# Posts and authors in SQLite's memory, and the same serializers for Katsu and for Panko.
module Benchmarks
  module Blog
    class Author < ActiveRecord::Base
      self.table_name = "authors"
      has_many :posts, class_name: "Benchmarks::Blog::Post"
    end

    class Post < ActiveRecord::Base
      self.table_name = "posts"
      belongs_to :author, class_name: "Benchmarks::Blog::Author"
    end

    # Makes the database once, with count posts, each with its author. database: a file for several connections.
    def self.prepare(count, database: ":memory:")
      return if @prepared.to_i >= count

      @prepared = count
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: database, pool: 8)
      ActiveRecord::Schema.verbose = false
      ActiveRecord::Schema.define do
        create_table(:authors) { |t| t.string :name }
        create_table(:posts) do |t|
          t.text :body
          t.string :title
          t.references :author
          t.datetime :created_at
          t.json :data
        end
      end
      insert(count)
    end

    def self.insert(count)
      (1..count).each_slice(1000) do |ids|
        Author.insert_all!(ids.map { |id| {id: id, name: "Author #{id}"} })
        Post.insert_all!(ids.map do |id|
          {id: id, body: "something about a body, #{id} ".ljust(60, "abc "),
           title: "title of the post #{id} ".ljust(40, "xyz "),
           author_id: id, created_at: Time.utc(2026, 1, 1) + id, data: {a: 1, b: [id, "two"], c: {d: nil}}}
        end)
      end
    end
    private_class_method :insert

    # The same classes for Katsu::Serializer and Panko::Serializer.
    def self.serializers(base)
      Module.new do |mod|
        def mod.define(name, base, &body) = const_set(name, Class.new(base)).class_eval(&body)

        mod.define(:AuthorSerializer, base) { attributes :id, :name }
        author = mod::AuthorSerializer
        mod.define(:Simple, base) { attributes :id, :body, :title, :author_id, :created_at }
        simple = mod::Simple
        mod.define(:HasOne, base) do
          attributes :id, :body, :title, :author_id
          has_one :author, serializer: author
        end
        mod.define(:HasMany, base) do
          attributes :id, :name
          has_many :posts, serializer: simple
        end
        mod.define(:MethodCall, base) do
          attributes :id, :body, :title, :author_id, :method_call
          def method_call = object.id * 2
        end
        mod.define(:RecordCall, base) do
          attributes :id, :body, :title, :author_id, :record_call
          def record_call = object[:id] * 2
        end
        mod.define(:JsonColumn, base) { attributes :id, :data }
        mod.define(:Aliases, base) do
          aliases id: :key, body: :text, title: :headline, author_id: :writer, created_at: :at
        end
      end
    end

    KATSU = serializers(Katsu::Serializer)
    PANKO = serializers(Panko::Serializer)
  end
end
