# frozen_string_literal: true

module Katsu
  class Plan
    # In the place of a plan, for a collection that is written as a Hash: each object under its own key. An object may
    # have the key of an earlier one, so all keys are known before the first is written.
    class Keyed
      # plan: that of each object. key: a Serializer::ObjectKey.
      def initialize(plan, key)
        @plan = plan
        @key = key.of_document
      end

      def serializer = @plan.serializer

      # The JSON object of objects: an Array, a Stream or what has to_a.
      def generate_all(objects, context, scope)
        text = +"{"
        each_text(objects, context, scope) { |batch| text << batch }
        text << "}"
      end

      # The same to io, in chunks.
      def write_all(objects, context, scope, io)
        text = +"{"
        each_text(objects, context, scope) do |batch|
          FullWrite.call(io, text << batch)
          text = +""
        end
        FullWrite.call(io, text << "}")
        io
      end

      # A Hash of Hashes.
      def build_all(objects, context, scope)
        instances = Plan.instances
        pairs = pairs(objects, context, scope, instances)
        built = placed(pairs.keys) { hashes(objects, pairs.values, context, scope, instances) }
        pairs.keys.zip(built).to_h
      end

      private

      # Yields the text of many objects at a time, with their keys.
      def each_text(objects, context, scope)
        comma = nil
        instances = Plan.instances
        pairs = pairs(objects, context, scope, instances)
        each_batch(objects, pairs, context, scope, instances) do |keys, texts|
          written = keys.zip(texts).map { |key, text| "#{::Katsu.generate(key)}:#{text}" }
          yield "#{comma}#{written.join(",")}"
          comma = ","
        end
      end

      # Yields keys and as many texts.
      def each_batch(_objects, pairs, context, scope, instances)
        pairs.each_slice(Limits::BATCH) do |batch|
          keys, chosen = batch.transpose
          yield keys, placed(keys) { @plan.texts(chosen, context, scope, instances) }
        end
      end

      def hashes(_objects, chosen, context, scope, instances)
        @plan.build_sharing(chosen, context, scope, instances)
      end

      # {key => object}
      def pairs(objects, context, scope, instances)
        single = Source.single?(objects) || !objects.respond_to?(:to_a)
        Source.refuse_single(serializer, nil, objects) if single || objects.nil?
        @key.pairs(@plan, objects.to_a, context, scope, instances)
      end

      # An error of the object at an index is one of the object under its key.
      def placed(keys, &)
        Place.moving(->(path) { path.sub(/\A\[(\d+)\]/) { Path.join([keys[$1.to_i]]) } }, &)
      end
    end
  end
end
