# frozen_string_literal: true

module Benchmarks
  module Peers
    # ActiveRecord's own to_json, of the same columns and associations.
    module ActiveRecord
      AUTHOR = {only: %i[id name]}.freeze
      POST = {only: %i[id body title author_id created_at]}.freeze
      OPTIONS = {Simple: POST, HasOne: {only: %i[id body title author_id], include: {author: AUTHOR}},
                 HasMany: {**AUTHOR, include: {posts: POST}},
                 Full: {**POST, include: {author: AUTHOR, comments: {only: %i[id body]}}}}.freeze

      def self.contenders(serializer, &records)
        options = OPTIONS.fetch(serializer)
        [Harness.calling { records.call.to_json(options) }]
      end
    end
  end
end
