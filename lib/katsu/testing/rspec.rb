# frozen_string_literal: true

require_relative "../testing"

module Katsu
  module Testing
    # Matchers of RSpec, in every example once katsu/testing/rspec is required.
    module Matchers
      # A matcher. The block gives the lines that tell what is wrong, and is given what expect was.
      class Matcher
        include ::RSpec::Matchers::Composable if defined?(::RSpec::Matchers::Composable) # and, or

        def initialize(description, block: false, &differences)
          @description = description
          @block = block
          @differences = differences
        end

        # True if actual is as it was described.
        def matches?(actual)
          @lines = @differences.call(actual)
          @lines.empty?
        end

        # What RSpec prints after a failure.
        def failure_message
          "expected it to #{@description}:\n  #{@lines.join("\n  ")}"
        end

        # The same after not_to.
        def failure_message_when_negated
          "expected it not to #{@description}"
        end

        # The matcher in words.
        attr_reader :description

        # True if expect takes a block.
        def supports_block_expectations? = @block
      end

      # Matches an object (or a collection) that with: writes in that way; see Assertions#assert_serialized.
      #
      #   expect(post).to be_serialized_as({id: Integer, title: "Hello"}, with: PostSerializer)
      #
      # Returns a Matcher; as, with, options: as there. Raises ArgumentError when it is used.
      def be_serialized_as(as, with: nil, **options)
        Matcher.new("be serialized#{" by #{with}" if with}") do |object|
          Difference.new(as, Testing.written(object, with, options)).lines
        end
      end

      # Matches a serializer that writes these keys, and no others; see Assertions#assert_serialized_keys.
      #
      #   expect(PostSerializer).to have_serialized_keys(:id, :title, author: [:name])
      #   expect(PostSerializer).to have_serialized_keys(:id).in(view: :index)
      #
      # Returns a Matcher with in, which takes view:, only: and so on. names: as there.
      def have_serialized_keys(*names)
        KeysMatcher.new(names)
      end

      # The Matcher of have_serialized_keys.
      class KeysMatcher < Matcher
        def initialize(names)
          @options = {}
          super("have these keys") { |serializer| KeyDifference.lines(names, serializer, @options) }
        end

        # Says the view and the filters, and returns the matcher.
        def in(**options)
          @options = options
          self
        end
      end

      # Matches a document, or a block that renders, that makes so many queries.
      #
      #   expect(PostSerializer.many(Post.all)).to use_queries(2)
      #
      # Returns a Matcher; count: how many. Raises ArgumentError for a count that is none, and when it is used for
      # what is neither.
      def use_queries(count)
        Queries.check(count)
        Matcher.new("use #{count} queries", block: true) do |document|
          Queries.differences(count, document)
        end
      end
    end
  end
end

RSpec.configure { |config| config.include(Katsu::Testing::Matchers) } if defined?(RSpec.configure)
