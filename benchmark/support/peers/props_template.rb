# frozen_string_literal: true

require "active_support"
require "active_support/core_ext/module/delegation"
require "props_template"

module Benchmarks
  module Peers
    # Its builder without a view, by methods whose names it does not have to look up.
    module PropsTemplate
      def self.contenders(serializer, &records)
        [Harness.calling do
          json = Props::Template.new
          json.array!(records.call) { |record| public_send(:"write_#{serializer}", json, record) }
          json.result!
        end]
      end

      def self.write_Simple(json, post) # rubocop:disable Naming/MethodName
        json.extract!(post, :id, :body, :title, :author_id)
        json.set!(:created_at, ISO.call(post.created_at))
      end

      def self.write_Full(json, post) # rubocop:disable Naming/MethodName
        write_Simple(json, post)
        json.set!(:author) { json.extract!(post.author, :id, :name) }
        json.set!(:comments) { json.array!(post.comments) { |comment| json.extract!(comment, :id, :body) } }
      end

      def self.write_HasOne(json, post) # rubocop:disable Naming/MethodName
        json.extract!(post, :id, :body, :title, :author_id)
        json.set!(:author) { json.extract!(post.author, :id, :name) }
      end

      def self.write_HasMany(json, author) # rubocop:disable Naming/MethodName
        json.extract!(author, :id, :name)
        json.set!(:posts) { json.array!(author.posts) { |post| write_Simple(json, post) } }
      end
    end
  end
end
