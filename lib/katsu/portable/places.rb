# frozen_string_literal: true

module Katsu
  module Portable
    # The places of errors in a Batch, whose path is that of what is being written.
    module Places
      # The value of an attribute that the object has in no known way; see Source.read.
      def find(serializer, object, name)
        Source.read(serializer, object, name)
      rescue UnknownAttributeError => e
        Place.raise_at(e, path_of(name))
      end

      # The keys and indexes that lead to the step called name.
      def path_of(name) = [*@path, name]

      # Raises an error of the Ruby code of the step called name with its place.
      def raise_placed(error, name, object)
        FieldError.raise_copy(error, path_of(name), object)
      end

      private

      # The plan of an object of a polymorphic association.
      def chosen(plan, object)
        plan.plan_for(object, @context, @scope)
      rescue NumberError, SerializerNotFoundError => e
        Place.raise_at(e, @path)
      end

      # Raises the error again, with the association whose value is refused.
      def refuse(error, kind, value, name, serializer)
        raise error unless error.object.equal?(value)

        return Source.refuse_collection(serializer, name, value, @path) if kind == :has_one

        Source.refuse_single(serializer, name, value, @path)
      end
    end
  end
end
