# frozen_string_literal: true

require "json"
require "oj"
require "blueprinter"
Blueprinter.configure { |config| config.sort_fields_by = :definition }

module Benchmarks
  module Peers
    # Hashes by Blueprinter, written by Oj or by json. Oj as its generator (config.generator = Oj) would call
    # Oj.generate, which puts Oj in the place of JSON.generate in the whole process.
    module Blueprinter
      class Author < ::Blueprinter::Base
        field :id
        field :name
      end

      class Comment < ::Blueprinter::Base
        field :id
        field :body
      end

      class Simple < ::Blueprinter::Base
        fields :id, :body, :title, :author_id
        field(:created_at) { |post, _options| ISO.call(post.created_at) }
      end

      class Full < Simple
        association :author, blueprint: Author
        association :comments, blueprint: Comment
      end

      class HasOne < ::Blueprinter::Base
        fields :id, :body, :title, :author_id
        association :author, blueprint: Author
      end

      class HasMany < ::Blueprinter::Base
        fields :id, :name
        association :posts, blueprint: Simple
      end

      def self.contenders(serializer, &records)
        blueprint = const_get(serializer)
        [Harness.calling { Oj.dump(blueprint.render_as_hash(records.call), mode: :strict) },
         Harness.calling { blueprint.render(records.call) }]
      end
    end
  end
end
