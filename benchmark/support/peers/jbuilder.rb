# frozen_string_literal: true

require "jbuilder"

module Benchmarks
  module Peers
    # Without templates and partials, which would only add to it: by encode, and its attributes written by json.
    module Jbuilder
      POST = %i[id body title author_id].freeze
      AUTHOR = %i[id name].freeze
      COMMENT = %i[id body].freeze

      def self.contenders(serializer, &records)
        write = :"write_#{serializer}"
        [Harness.calling { ::Jbuilder.encode { |json| public_send(write, json, records.call) } },
         Harness.calling do
           JSON.generate(::Jbuilder.new { |json| public_send(write, json, records.call) }.attributes!)
         end]
      end

      class << self
        # rubocop:disable Naming/MethodName
        def write_Simple(json, posts)
          json.array!(posts) { |post| write_post(json, post) }
        end

        def write_HasOne(json, posts)
          json.array!(posts) do |post|
            json.extract!(post, *POST)
            json.set!(:author, post.author, *AUTHOR)
          end
        end

        def write_HasMany(json, authors)
          json.array!(authors) do |author|
            json.extract!(author, *AUTHOR)
            json.set!(:posts, author.posts) { |post| write_post(json, post) }
          end
        end

        def write_Full(json, posts)
          json.array!(posts) do |post|
            write_post(json, post)
            json.set!(:author, post.author, *AUTHOR)
            json.set!(:comments, post.comments, *COMMENT)
          end
        end
        # rubocop:enable Naming/MethodName

        private

        def write_post(json, post)
          json.extract!(post, *POST)
          json.set!(:created_at, ISO.call(post.created_at))
        end
      end
    end
  end
end
