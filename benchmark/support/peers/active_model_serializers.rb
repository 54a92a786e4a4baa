# frozen_string_literal: true

require "logger"
require "active_model_serializers"
ActiveModelSerializers.logger = Logger.new(nil)

module Benchmarks
  module Peers
    # Without its log: by its attributes adapter, to_json or a Hash that json writes; and a collection without an
    # adapter, which spares it the inflections of each record's name.
    module ActiveModelSerializers
      class Author < ActiveModel::Serializer
        attributes :id, :name
      end

      class Comment < ActiveModel::Serializer
        attributes :id, :body
      end

      class Simple < ActiveModel::Serializer
        attributes :id, :body, :title, :author_id, :created_at

        def created_at = ISO.call(object.created_at)
      end

      class Full < Simple
        has_one :author, serializer: Author
        has_many :comments, serializer: Comment
      end

      class HasOne < ActiveModel::Serializer
        attributes :id, :body, :title, :author_id
        has_one :author, serializer: Author
      end

      class HasMany < ActiveModel::Serializer
        attributes :id, :name
        has_many :posts, serializer: Simple
      end

      def self.contenders(serializer, &records)
        each = const_get(serializer)
        [Harness.calling { resource(records.call, each).to_json },
         Harness.calling { JSON.generate(resource(records.call, each).serializable_hash) },
         Harness.calling do
           JSON.generate(ActiveModel::Serializer::CollectionSerializer.new(records.call, serializer: each).as_json)
         end]
      end

      def self.resource(records, each)
        ::ActiveModelSerializers::SerializableResource.new(records, each_serializer: each, adapter: :attributes)
      end
    end
  end
end
