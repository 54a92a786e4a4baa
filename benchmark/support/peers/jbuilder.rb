# frozen_string_literal: true

require "jbuilder"

module Benchmarks
  module Peers
    # Without templates and partials, which would only add to it.
    module Jbuilder
      SIMPLE = %i[id body title author_id created_at].freeze
      HAS_ONE = %i[id body title author_id].freeze
      AUTHOR = %i[id name].freeze

      def self.contenders(serializer, records)
        [public_send(serializer.name.gsub(/(?<=[a-z])[A-Z]/, '_\0').downcase, records)]
      end

      def self.simple(records)
        Harness.calling do
          ::Jbuilder.encode { |json| json.array!(records) { |post| json.extract!(post, *SIMPLE) } }
        end
      end

      def self.has_one(records)
        Harness.calling do
          ::Jbuilder.encode do |json|
            json.array!(records) do |post|
              json.extract!(post, *HAS_ONE)
              json.author { json.extract!(post.author, *AUTHOR) }
            end
          end
        end
      end

      def self.has_many(records)
        Harness.calling do
          ::Jbuilder.encode do |json|
            json.array!(records) do |author|
              json.extract!(author, *AUTHOR)
              json.posts(author.posts) { |post| json.extract!(post, *SIMPLE) }
            end
          end
        end
      end
    end
  end
end
