# frozen_string_literal: true

require "alba"
require "oj"

module Benchmarks
  module Peers
    # With the Oj and with the json backend; its manual recommends Oj, on Ruby 4.0 json is the faster one.
    module Alba
      ENCODERS = {oj: ->(hash) { Oj.dump(hash, mode: :strict) }, json: ->(hash) { JSON.generate(hash) }}.freeze

      class Author
        include ::Alba::Resource
        attributes :id, :name
      end

      class Comment
        include ::Alba::Resource
        attributes :id, :body
      end

      class Simple
        include ::Alba::Resource
        attributes :id, :body, :title, :author_id
        attribute(:created_at) { |post| ISO.call(post.created_at) }
      end

      class Full < Simple
        one :author, resource: Author
        many :comments, resource: Comment
      end

      class HasOne
        include ::Alba::Resource
        attributes :id, :body, :title, :author_id
        one :author, resource: Author
      end

      class HasMany
        include ::Alba::Resource
        attributes :id, :name
        many :posts, resource: Simple
      end

      def self.contenders(serializer, &records)
        resource = const_get(serializer)
        ENCODERS.keys.map do |backend|
          Harness.calling do
            ::Alba.backend = backend unless ::Alba.backend == backend
            resource.new(records.call).serialize
          end
        end
      end
    end
  end
end
