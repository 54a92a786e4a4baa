# frozen_string_literal: true

require "jsonapi/serializer"

module Benchmarks
  module Peers
    # It makes documents of the JSON:API format only: more bytes for the same values.
    module JsonapiSerializer
      class Author
        include JSONAPI::Serializer
        set_type :author
        attributes :name
      end

      class Comment
        include JSONAPI::Serializer
        set_type :comment
        attributes :body
      end

      class Simple
        include JSONAPI::Serializer
        set_type :post
        attributes :body, :title, :author_id, :created_at
      end

      class Full < Simple
        set_type :post
        belongs_to :author, serializer: Author
        has_many :comments, serializer: Comment
      end

      class HasOne
        include JSONAPI::Serializer
        set_type :post
        attributes :body, :title, :author_id
        belongs_to :author, serializer: Author
      end

      class HasMany
        include JSONAPI::Serializer
        set_type :author
        attributes :name
        has_many :posts, serializer: Simple
      end

      INCLUDE = {HasOne: [:author], HasMany: [:posts], Full: %i[author comments]}.freeze

      def self.other_document? = true

      def self.contenders(serializer, &records)
        resource = const_get(serializer)
        options = {include: INCLUDE.fetch(serializer, [])}
        [Harness.calling { resource.new(records.call, options).serializable_hash.to_json },
         Harness.calling { JSON.generate(resource.new(records.call, options).serializable_hash) }]
      end
    end
  end
end
