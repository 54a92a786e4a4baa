# frozen_string_literal: true

require_relative "../katsu"
require_relative "testing/expected"
require_relative "testing/difference"
require_relative "testing/keys"
require_relative "testing/key_difference"
require_relative "testing/queries"

module Katsu
  # For the tests of applications: what serializers write. See katsu/testing/minitest and katsu/testing/rspec, and
  # docs/testing.md.
  module Testing
    class << self
      # Returns what is written of object, parsed. with: a serializer, or a Hash of them by the objects' classes; nil
      # for a document of Katsu's and for JSON text. options: those of Serializer::Rendering#render.
      def written(object, with, options)
        ::JSON.parse(without_serializer?(object, with, options) ? of_document(object) : text(object, with, options),
                     max_nesting: false, allow_duplicate_key: true)
      end

      # True for what many and one of a serializer give, an ArraySerializer and a Response.
      def document?(object)
        [Document, ArraySerializer, Response].any? { |one| one === object }
      end

      private

      def without_serializer?(object, with, options)
        unless with.nil?
          return false unless document?(object)

          raise ArgumentError, "Katsu::Testing: a #{object.class} is a document and needs no with:; leave it out"
        end

        known = document?(object) || object.is_a?(String)
        return true if known && options.empty?

        refuse("with: is missing#{", so there are no options (got #{options.keys.join(", ")})" if known}")
      end

      def of_document(object)
        object.is_a?(String) ? object : object.to_json
      end

      def text(object, with, options)
        return ArraySerializer.new(object, {each_serializer: with, **options}).to_json if with.is_a?(Hash)
        return with.render(object, {root: false, **options}) if with.is_a?(Class) && with < Serializer

        refuse("with: #{with.inspect} is no subclass of Katsu::Serializer")
      end

      def refuse(message)
        raise ArgumentError, "Katsu::Testing: #{message}; write with: PostSerializer"
      end
    end
  end
end
