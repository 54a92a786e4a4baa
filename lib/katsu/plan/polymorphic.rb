# frozen_string_literal: true

module Katsu
  class Plan
    # The plan of a polymorphic association, whose objects' classes decide which serializer writes them.
    #
    #   has_one :subject, serializer: {"Post" => PostSerializer, "Author" => "AuthorSerializer"}
    #
    # Plans are looked up when an object is met: to compile all that could be nested in each other would never end. So
    # depth counts the nesting of objects, and without a depth Limits::POLYMORPHIC_DEPTH limits it.
    class Polymorphic
      # An object that is the association's in all plans.
      attr_reader :identity

      # targets: a Hash of [serializer, only, except, view, key transform] by the names of the objects' classes; they
      # hold for subclasses too.
      def initialize(owner, association, targets)
        @owner = owner
        @name = association.name
        @kind = association.kind
        @identity = association.identity
        @targets = Filters.frozen_copy(targets)
        freeze
      end

      # The plan for an object. Raises SerializerNotFoundError for a class that is not named, NumberError for a
      # collection.
      def plan_for(object, context, scope)
        klass = Source.class_of(object)
        klass = klass.superclass until klass.nil? || (target = @targets[klass.name])
        refuse(object) unless target

        plan_of(target, context, scope)
      end

      # The plans for all classes that are named.
      def plans(context, scope)
        @targets.each_value.map { |target| plan_of(target, context, scope) }
      end

      # The serializer that declares the association.
      def serializer
        @owner
      end

      # All that may be chosen.
      def serializers
        @targets.each_value.map(&:first)
      end

      # The same, or their forms.
      def forms
        @targets.each_value.map { |serializer, _, _, *form| serializer.form(*form) }
      end

      # The choice as text, the same in each process. keys: those that the serializers declare; what a callable makes of
      # them stands for it.
      def inspect_targets(keys)
        @targets.map do |name, (*target, transform)|
          transform ||= Serializer::KeyTransform.default
          transform = keys.map { |key| transform.call(key) } if transform.respond_to?(:call)
          "#{name} => #{[*target, transform].inspect}"
        end.join(",")
      end

      private

      def plan_of(target, context, scope)
        serializer, only, except, *form = target
        serializer.form(*form).plan(only, except, context, scope)
      end

      def refuse(object)
        klass = Source.class_of(object)
        Source.refuse_collection(@owner, @name, object) if @kind == :has_one && Source.collection?(klass)
        raise SerializerNotFoundError.by_class(@owner, @name, klass, @targets.keys)
      end
    end
  end
end
