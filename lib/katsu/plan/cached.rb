# frozen_string_literal: true

module Katsu
  class Plan
    # The plan of a serializer that declares `cache`: the JSON of records that is in the store is taken from there. For
    # Hashes, and nested in another plan, it is a plan like any other.
    class Cached < Plan
      # See Plan.
      def generate(object, context, scope)
        caching = Caching::Call.of(self, context, scope)
        return super unless caching && Query.record?(object)

        caching.texts([object]) { |texts| texts[0] = super }.first.dup
      end

      # See Plan.
      def generate_all(objects, context, scope)
        caching = collection?(objects) && Caching::Call.of(self, context, scope)
        return super unless caching

        elements = objects.to_a.dup # a method field may change it
        document = nil
        texts = caching.texts(elements) { |found| document = generate_filling(elements, context, scope, found) }
        document || (+"[" << texts.join(",") << "]")
      end

      # See Plan.
      def write_all(objects, context, scope, io)
        caching = collection?(objects) && Caching::Call.of(self, context, scope)
        return super unless caching

        text = +"["
        comma = nil
        each_text(caching, objects, context, scope, 0) do |json|
          text << comma if comma
          text << json
          comma = ","
          text = flush(text, io) if text.bytesize >= Limits::CHUNK
        end
        flush(text << "]", io)
        io
      end

      # See Plan.
      def texts(objects, context, scope, instances = nil)
        caching = Caching::Call.of(self, context, scope)
        return super unless caching

        caching.texts(objects) { |missing| generate_missing(objects, context, scope, missing, 0, instances) }
      end

      # See Plan.
      def each_json(objects, context, scope, first, &block)
        caching = collection?(objects) && Caching::Call.of(self, context, scope)
        caching ? each_text(caching, objects, context, scope, first, &block) : super
      end

      # False of a relation whose records may have other values than those of their version, and of one that may load a
      # part of what touch: names.
      def keeps?(source)
        Query.versioned?(source) && !partial?(source)
      end

      private

      # False for what is no collection, for which Plan raises, and for one that is not kept, which Plan writes.
      def collection?(objects)
        objects.respond_to?(:to_a) && !Source.single?(objects) && keeps?(objects)
      end

      # True of a relation that may load a part of what touch: names, by a condition on it.
      def partial?(source)
        relation = source.is_a?(Stream) ? source.relation : source
        return false unless serializer.cache_rule.touch? && Query.relation?(relation) && relation.eager_loading?

        joined = relation.eager_load_values | relation.includes_values
        joined = joined.flat_map { |one| one.is_a?(::Hash) ? one.keys : one }
        joined.map(&:to_sym).intersect?(Caching::Touched.names(relation.klass, serializer.cache_rule))
      end

      # Yields the JSON of each of objects. first: the index of the first.
      def each_text(caching, objects, context, scope, first, &block)
        instances = Plan.instances
        each_batch(objects) do |batch|
          texts = caching.texts(batch) do |missing|
            generate_missing(batch, context, scope, missing, first, instances)
          end
          texts.each(&block)
          first += batch.size
        end
      end

      # Elements of a Stream that are no records are not held back.
      def each_batch(objects, &block)
        return objects.to_a.dup.each_slice(Limits::BATCH, &block) unless objects.is_a?(Stream)

        batch = []
        Portable::StreamWalk.each(objects) do |object|
          batch << object
          next unless batch.size == Limits::BATCH || !Query.record?(object)

          yield batch
          batch = []
        end
        yield batch unless batch.empty?
      end

      def flush(text, io)
        FullWrite.call(io, text)
        +""
      end
    end
  end
end
