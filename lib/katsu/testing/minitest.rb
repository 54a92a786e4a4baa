# frozen_string_literal: true

require "minitest"
require_relative "../testing"

module Katsu
  module Testing
    # Assertions of Minitest, in every test once katsu/testing/minitest is required.
    module Assertions
      # Fails unless with: writes object (or each of a collection) as as: says. as: a Hash, or an Array of them; its
      # keys may be Symbols, and its values a Class, a Regexp, a Range or a Proc that matches. with: a serializer, or a
      # Hash of them by the objects' classes; it is left out for a document, such as PostSerializer.many(posts).
      # options: those of Serializer.render.
      #
      #   assert_serialized post, with: PostSerializer, as: {id: Integer, title: "Hello"}
      #
      # message: what stands before the differences. Returns true. Raises ArgumentError for options without a meaning.
      def assert_serialized(object, as:, with: nil, message: nil, **options)
        differences = Difference.new(as, Testing.written(object, with, options)).lines
        assert(differences.empty?, message(message) { "#{with || object.class} wrote:\n  #{differences.join("\n  ")}" })
      end

      # Fails unless the serializer writes these keys, and no others. keys: names, with a Hash for associations.
      # options: only:, view: and so on. No object is needed.
      #
      #   assert_serialized_keys [:id, :title, {author: [:name]}], with: PostSerializer, view: :index
      #
      # message: what stands before the differences. Returns true. Raises ArgumentError for options without a meaning.
      def assert_serialized_keys(keys, with:, message: nil, **options)
        differences = KeyDifference.lines(keys, with, options)
        assert(differences.empty?, message(message) { "#{with} has keys:\n  #{differences.join("\n  ")}" })
      end

      # Fails unless the document, or what the block renders, makes so many queries as count says. message: what stands
      # before their list.
      #
      #   assert_serialized_queries 2, PostSerializer.many(Post.all)
      #
      # Returns true. Raises ArgumentError without ActiveSupport, for a count that is none, for what is no document, and
      # unless there is either a document or a block.
      def assert_serialized_queries(count, document = nil, message: nil, &block)
        Queries.check(count)
        raise ArgumentError, "Katsu::Testing: give a document or a block, not both" if document && block

        differences = Queries.differences(count, block || document)
        assert(differences.empty?, message(message) { differences.first })
      end
    end
  end
end

Minitest::Assertions.include(Katsu::Testing::Assertions)
