# frozen_string_literal: true

module Katsu
  class Plan
    # The plan of a polymorphic association: which serializer writes an object is decided by the object's class.
    #
    #   has_one :subject, serializer: {"Post" => PostSerializer, "Author" => "AuthorSerializer"}
    #
    # Plans are looked up when an object comes: to compile all that could come within each other takes time and memory
    # without end. So it is the objects' nesting that depth counts, and without a depth MOST_NESTED bounds it.
    class Choice
      # As katsu_run_choice has it.
      MOST_NESTED = 100

      # What tells the association in all plans it is in; how often it may stand within itself, or nil.
      attr_reader :identity, :depth

      # targets: Hash of [serializer, only, except] by the names of the objects' classes, whose subclasses they serve too.
      def initialize(owner, association, targets)
        @owner = owner
        @name = association.name
        @identity = association.identity
        @depth = association.depth
        @targets = Cache.frozen_copy(targets)
        freeze
      end

      # The plan for an object. Raises SerializerNotFoundError for a class that is not named.
      def plan_for(object, context, scope)
        klass = object.class
        klass = klass.superclass until klass.nil? || (target = @targets[klass.name])
        raise SerializerNotFoundError.by_class(@owner, @name, object.class, @targets.keys) unless target

        serializer, only, except = target
        return serializer.plan(only, except, context, scope) if Ractors.main? || serializer.respond_to?(:filters_for)

        kept_plans[target] ||= serializer.plan(only, except)
      end

      private

      # Other Ractors than the first cannot keep plans with their classes.
      def kept_plans
        kept = Ractors.local(:katsu_choices)
        kept.clear if kept.size >= Cache::LIMIT || kept[Plan] != Plan.generation
        kept[Plan] = Plan.generation
        kept[self] ||= {}.compare_by_identity
      end
    end
  end
end
