# frozen_string_literal: true

require "json"
require "oj"
require "blueprinter"

module Benchmarks
  module Peers
    # Hashes by Blueprinter, written by Oj or by json. Oj as its generator (config.generator = Oj) would call
    # Oj.generate, which puts Oj in the place of JSON.generate in the whole process.
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
        [Harness.calling { Oj.dump(blueprint.render_as_hash(records), mode: :strict) },
         Harness.calling { blueprint.render(records) }]
      end
    end
  end
end
