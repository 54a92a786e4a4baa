# frozen_string_literal: true

module Katsu
  class Plan
    # The plan of a polymorphic association: which serializer writes an object is decided by the object's class.
    #
    #   has_one :subject, serializer: {"Post" => PostSerializer, "Author" => "AuthorSerializer"}
    class Choice
      # plans: Hash of plans by the names of the objects' classes, whose subclasses they serve too; nil where the association's
      # depth is used up.
      def initialize(owner, association, plans)
        @owner = owner
        @association = association.name
        @plans = plans.freeze
        freeze
      end

      # The plan for an object, or nil. Raises SerializerNotFoundError for a class that is not named.
      def plan_for(object)
        klass = object.class
        klass = klass.superclass until klass.nil? || @plans.key?(klass.name)
        raise SerializerNotFoundError.by_class(@owner, @association, object.class, @plans.keys) unless klass

        @plans[klass.name]
      end

      # The serializers of all its plans.
      def serializers
        @plans.each_value.flat_map { |plan| plan ? plan.serializers : [] }
      end
    end
  end
end
