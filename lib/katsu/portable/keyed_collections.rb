# frozen_string_literal: true

module Katsu
  module Portable
    # What a Batch does with a collection that is written as a Hash. key: the step's Serializer::ObjectKey; name,
    # serializer, object: the association's name, the serializer that declares it, and the object that has it.
    module KeyedCollections
      # Writes an association's objects.
      def write_keyed(plan, key, objects, name, serializer, object)
        return @out << "null" if nil == objects

        opening = "{"
        each_keyed(plan, key, objects, name, serializer, object) do |text, one|
          @out << opening
          opening = ","
          @generator.value(text)
          @out << ":"
          write(plan, one)
        end
        @out << (opening == "{" ? "{}" : "}")
      end

      # Builds an association's objects.
      def build_keyed(plan, key, objects, name, serializer, object)
        return if nil == objects

        result = {}
        each_keyed(plan, key, objects, name, serializer, object) { |text, one| result[text] = build(plan, one) }
        result
      end

      private

      # Yields each key with its object.
      def each_keyed(plan, key, objects, name, serializer, object)
        elements = Source.elements(objects) || Source.refuse_single(serializer, name, objects, path_of(name))
        pairs = pairs(plan, key, elements, name, object)
        @path << name << nil
        pairs.each do |text, one|
          @path[-1] = text
          yield text, one
        end
        @path.pop(2)
      end

      def pairs(plan, key, objects, name, object)
        key.pairs(plan, objects, @context, @scope, @instances)
      rescue StandardError => e
        raise_placed(e, name, object)
      end
    end
  end
end
