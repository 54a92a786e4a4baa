# frozen_string_literal: true

require "json"
require "oj"
require "blueprinter"

module Benchmarks
  module Peers
    # Hashes by Blueprinter, written by Oj or by json.
    module Blueprinter
      class Author < ::Blueprinter::Base
        field :id
        field :name
      end

      class Simple < ::Blueprinter::Base
        fields :id, :body, :title, :author_id
        field(:created_at) { |post, _options| ISO.call(post.created_at) }
      end

      class HasOne < ::Blueprinter::Base
        fields :id, :body, :title, :author_id
        association :author, blueprint: Author
      end

      class HasMany < ::Blueprinter::Base
        fields :id, :name
        association :posts, blueprint: Simple
      end

      def self.contenders(serializer, records)
        blueprint = const_get(serializer)
        [Oj, JSON].map do |generator|
          Harness.calling do
            ::Blueprinter.configuration.generator = generator
            blueprint.render(records)
          end
        end
      end
    end
  end
end
