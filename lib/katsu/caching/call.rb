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
        @store = Store.new(plan.serializer, rule)
        @keys = Keys.new(plan, rule, context, scope)
      end

      # The JSON of each of objects. The block is given an Array in which those that were found are, and fills the rest.
      def texts(objects, &block)
        keys = objects.map { |object| @keys.of(object) }
        asked = keys.compact
        found = @store.read(asked)
        texts = found.empty? ? Array.new(keys.size) : keys.map { |key| text(found[key]) if key }
        missing = texts.each_index.select { |index| texts[index].nil? }
        Hits.add(objects.size - missing.size, asked.size)
        fill(texts, missing, keys, &block) unless missing.empty?
        texts
      end

      private

      def fill(texts, missing, keys)
        failed = Failures.of(texts) { yield texts }
        kept = {}
        missing.each do |index|
          key = keys[index]
          kept[key.freeze] = texts[index].freeze if key && !failed.include?(index)
        end
        @store.write(kept)
      end

      # What is no text is not there. Some stores forget the encoding.
      def text(found)
        return unless found.is_a?(String)

        found.encoding == Encoding::UTF_8 ? found : found.dup.force_encoding(Encoding::UTF_8)
      end
    end
  end
end
