# frozen_string_literal: true

require_relative "codegen"
require_relative "keyed_collections"
require_relative "places"
require_relative "settings"
require_relative "texts"
require_relative "row_runs"
require_relative "batch"

module Katsu
  module Portable
    # The ruby backend's methods of Katsu::Plan.
    module Plan
      attr_reader :serializer, :steps, :codes

      # object's JSON; "null" for nil.
      def generate(object, context, scope)
        batch = Batch.new(context, scope)
        batch.write(self, object)
        batch.out
      end

      # The JSON array of objects, an Array or what has to_a.
      def generate_all(objects, context, scope)
        batch = Batch.new(context, scope)
        batch.write_all(self, objects)
        batch.out
      end

      # The same to io, in chunks.
      def write_all(objects, context, scope, io)
        batch = Batch.new(context, scope, io)
        batch.write_all(self, objects)
        batch.flush
        io
      end

      # Fills those of texts that are nil with the JSON of the objects at their places. first: the index of the first
      # object, for errors. instances: the serializers by plan, a Hash that calls share, or nil. Returns texts.
      def generate_missing(objects, context, scope, texts, first, instances)
        Batch.new(context, scope, instances: instances).write_missing(self, objects, texts, first)
      end

      # The JSON array of objects, an Array. Those of texts that are nil are filled, the others are taken.
      def generate_filling(objects, context, scope, texts)
        "[#{generate_missing(objects, context, scope, texts, 0, nil).join(",")}]"
      end

      # object as a Hash; nil for nil.
      def build(object, context, scope)
        Batch.new(context, scope).build(self, object)
      end

      # An Array of Hashes.
      def build_all(objects, context, scope)
        Batch.new(context, scope).build_all(self, objects)
      end

      # The same of an Array. instances: see generate_missing.
      def build_sharing(objects, context, scope, instances)
        Batch.new(context, scope, instances: instances).build_all(self, objects)
      end

      private

      # The plan's code is generated with the first object of a class.
      def link(serializer, steps)
        @serializer = serializer
        @steps = steps
        @codes = Codegen::CompiledCodes.new
      end
    end
  end
end
