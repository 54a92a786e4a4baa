# frozen_string_literal: true

require "logger"
require "active_model_serializers"
ActiveModelSerializers.logger = Logger.new(nil)

module Benchmarks
  module Peers
    # By its attributes adapter, without its log.
    module ActiveModelSerializers
      class Author < ActiveModel::Serializer
        attributes :id, :name
      end

      class Simple < ActiveModel::Serializer
        attributes :id, :body, :title, :author_id, :created_at
      end

      class HasOne < ActiveModel::Serializer
        attributes :id, :body, :title, :author_id
        has_one :author, serializer: Author
      end

      class HasMany < ActiveModel::Serializer
        attributes :id, :name
        has_many :posts, serializer: Simple
      end

      def self.contenders(serializer, records)
        each = const_get(serializer)
        [Harness.calling do
          ::ActiveModelSerializers::SerializableResource.new(records, each_serializer: each,
                                                             adapter: :attributes).to_json
        end]
      end
    end
  end
end
