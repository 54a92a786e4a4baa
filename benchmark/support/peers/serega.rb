# frozen_string_literal: true

require "oj"
require "serega"

module Benchmarks
  module Peers
    # Plans kept between calls, as its manual offers; Hashes written by Oj or by json.
    module Serega
      class Base < ::Serega
        config.max_cached_plans_per_serializer_count = 50
      end

      class Author < Base
        attribute :id
        attribute :name
      end

      class Comment < Base
        attribute :id
        attribute :body
      end

      class Simple < Base
        %i[id body title author_id].each { |name| attribute name }
        attribute :created_at, value: ->(post) { ISO.call(post.created_at) }
      end

      class Full < Simple
        attribute :author, serializer: Author
        attribute :comments, serializer: Comment, many: true
      end

      class HasOne < Base
        %i[id body title author_id].each { |name| attribute name }
        attribute :author, serializer: Author
      end

      class HasMany < Base
        attribute :id
        attribute :name
        attribute :posts, serializer: Simple, many: true
      end

      def self.contenders(serializer, &records)
        each = const_get(serializer)
        [Harness.calling { Oj.dump(each.to_h(records.call), mode: :strict) },
         Harness.calling { JSON.generate(each.to_h(records.call)) }]
      end
    end
  end
end
