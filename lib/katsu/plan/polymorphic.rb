# frozen_string_literal: true

module Katsu
  class Plan
    # The plan of a polymorphic association: which serializer writes an object is decided by the object's class.
    #
    #   has_one :subject, serializer: {"Post" => PostSerializer, "Author" => "AuthorSerializer"}
    #
    # Plans are looked up when an object comes: to compile all that could come within each other takes time and memory
    # without end. So it is the objects' nesting that depth counts, and without a depth MAX_NESTED bounds it.
    class Polymorphic
      # As katsu_run_choice has it.
      MAX_NESTED = 100

      # What tells the association in all plans it is in.
      attr_reader :identity

      # targets: Hash of [serializer, only, except, view, key transform] by the names of the objects' classes, whose subclasses they serve too.
      def initialize(owner, association, targets)
        @owner = owner
        @name = association.name
        @kind = association.kind
        @identity = association.identity
        @targets = Filters.frozen_copy(targets)
        freeze
      end

      # The plan for an object. Raises SerializerNotFoundError for a class that is not named.
      def plan_for(object, context, scope)
        klass = object.class
        klass = klass.superclass until klass.nil? || (target = @targets[klass.name])
        refuse(object) unless target

        serializer, only, except, *form = target
        return serializer.form(*form).plan(only, except, context, scope) if Ractors.main? || serializer.respond_to?(:filters_for)

        kept_plans[target] ||= serializer.form(*form).plan(only, except)
      end

      # That declares the association.
      def serializer
        @owner
      end

      # All that may be chosen.
      def serializers
        @targets.each_value.map(&:first)
      end

      # The choice as text, the same in each process.
      def inspect_targets
        @targets.map { |name, target| "#{name} => #{target.inspect}" }.join(",")
      end

      private

      def refuse(object)
        Source.refuse_collection(@owner, @name, object) if @kind == :has_one && Source.collection?(object.class)
        raise SerializerNotFoundError.by_class(@owner, @name, object.class, @targets.keys)
      end

      # Other Ractors than the first cannot keep plans with their classes.
      def kept_plans
        plans = Ractors.local(:katsu_polymorphic_plans)
        plans.clear unless plans[:generation] == Serializer::Declarations.generation
        plans[:generation] = Serializer::Declarations.generation
        kept = plans[:kept] ||= BoundedCache.new(Cache::LIMIT)
        kept[self] ||= {}.compare_by_identity
      end
    end
  end
end
