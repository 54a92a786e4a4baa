# frozen_string_literal: true

module Katsu
  module Caching
    # One call of a cached plan: finds the JSON of records in the store, and keeps that of the others there.
    class Call
      # nil if the call cannot be cached; see Caching.usable?. Raises Error if there is no store, or for a vary: that
      # gives what has no version.
      def self.of(plan, context, scope)
        new(plan, context, scope) if Caching.usable?(plan.serializer, context, scope)
      end

      def initialize(plan, context, scope)
        rule = plan.serializer.cache_rule
        @store = Store.new(plan.serializer, rule, Rules.of(plan).expires_in)
        @keys = Keys.new(plan, rule, context, scope)
      end

      # The JSON of each of objects. Yields an Array with the texts found and nil for the others, if there are any; the
      # block replaces each nil.
      def texts(objects, &block)
        keys = @keys.all(objects)
        looked_up = keys.all? ? keys : keys.compact
        found = @store.read(looked_up)
        texts = found.empty? ? Array.new(keys.size) : keys.map { |key| text(found[key]) if key }
        missing = found.empty? ? keys.size : texts.count(nil)
        Hits.add(objects.size - missing, looked_up.size)
        fill(texts, missing < keys.size ? to_keep(texts, keys) : keys, &block) if missing.positive?
        texts
      end

      private

      # The keys of the texts that are missing.
      def to_keep(texts, keys)
        keys.each_with_index.map { |key, index| key unless texts[index] }
      end

      def fill(texts, keys)
        failed = Failures.of(texts) { yield texts }
        kept = pairs(keys, texts)
        failed.each { |index| kept.delete(keys[index]) }
        @store.write(kept)
      end

      # {key => text}, both frozen. Of those that have no key nothing is kept.
      def pairs(keys, texts)
        return Native.cached_pairs(keys, texts) if defined?(Native)

        keys.each_with_index.with_object({}) { |(key, index), pairs| pairs[key.freeze] = texts[index].freeze if key }
      end

      # What is no text is not there. Some stores forget the encoding.
      def text(found)
        return unless found.is_a?(String) && !found.empty?

        found.encoding == Encoding::UTF_8 ? found : found.dup.force_encoding(Encoding::UTF_8)
      end
    end
  end
end
