# frozen_string_literal: true

require "active_support/core_ext/string"
require "oj"
# What the gem sets if it is loaded with Rails; set before, it needs no Rails.
Oj.default_options = {mode: :rails, use_raw_json: true}
require "oj_serializers"

module Benchmarks
  module Peers
    # Straight to JSON by Oj's writer, and by Hashes that Oj or json dumps: its own measurements favour now one, now the
    # other.
    module OjSerializers
      class AuthorSerializer < ::Oj::Serializer
        attributes :id, :name
      end

      class CommentSerializer < ::Oj::Serializer
        attributes :id, :body
      end

      class SimpleSerializer < ::Oj::Serializer
        attributes :id, :body, :title, :author_id
        attribute(:created_at) { ISO.call(@object.created_at) }
      end

      class FullSerializer < SimpleSerializer
        has_one :author, serializer: AuthorSerializer
        has_many :comments, serializer: CommentSerializer
      end

      class HasOneSerializer < ::Oj::Serializer
        attributes :id, :body, :title, :author_id
        has_one :author, serializer: AuthorSerializer
      end

      class HasManySerializer < ::Oj::Serializer
        attributes :id, :name
        has_many :posts, serializer: SimpleSerializer
      end

      def self.contenders(serializer, &records)
        each = const_get(:"#{serializer}Serializer")
        [Harness.calling { each.many_as_json(records.call).to_json },
         Harness.calling { Oj.dump(each.many_as_hash(records.call), mode: :strict) },
         Harness.calling { JSON.generate(each.many_as_hash(records.call)) }]
      end
    end
  end
end
