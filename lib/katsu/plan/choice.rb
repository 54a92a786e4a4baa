# frozen_string_literal: true

module Katsu
  class Plan
    # The plan of a polymorphic association: which serializer writes an object is decided by the object's class.
    #
    #   has_one :subject, serializer: {"Post" => PostSerializer, "Author" => "AuthorSerializer"}
    class Choice
      # serializers: Hash of serializer classes by the names of the objects' classes, whose subclasses they serve too.
      def initialize(owner, association, serializers, only, except)
        @owner = owner
        @association = association.name
        @serializers = serializers.freeze
        @only = only
        @except = except
        freeze
      end

      # object's JSON. Raises SerializerNotFoundError for a class that is not named.
      def generate(object, context, scope)
        plan_for(object, context, scope).generate(object, context, scope)
      end

      # object as a Hash.
      def build(object, context, scope)
        plan_for(object, context, scope).build(object, context, scope)
      end

      private

      def plan_for(object, context, scope)
        klass = object.class
        klass = klass.superclass until klass.nil? || (found = @serializers[klass.name])
        raise SerializerNotFoundError.by_class(@owner, @association, object.class, @serializers.keys) unless found

        found.plan(@only, @except, context, scope)
      end
    end
  end
end
