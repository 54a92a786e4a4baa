# frozen_string_literal: true

module Katsu
  class Plan
    # Turns a description and filters into a plan.
    class Compiler
      # outer: the serializers that are being compiled around this one, outermost first; depths: how often
      # an association may still lead into its own serializer; asked: what the filters_for of nested serializers
      # answered, by serializer.
      def initialize(serializer, only, except, context, scope, outer = [], depths = {}, asked = {})
        @serializer = serializer
        @only = only
        @except = except
        @context = context
        @scope = scope
        @outer = outer + [serializer]
        @depths = depths
        @asked = asked
        @generation = Plan.generation # a declaration from now on, in another thread, may be missed
      end

      # The plan, kept for the next time where it stands for itself.
      def plan
        @filters = Serializer::Filters.new(@serializer, @only, @except)
        steps = (attribute_steps + association_steps).each_with_index.sort_by { |step, index| [step.rank, index] }
        plan = Plan.new(@serializer, steps.map(&:first))
        Cache.store(@serializer, @only, @except, plan, @generation, @asked) if @outer.size == 1 || (!tied? && @asked.empty?)
        plan
      end

      # True where the plan would be another one elsewhere in the tree: a serializer in it contains one around it.
      def tied?
        @tied || !@depths.empty?
      end

      private

      def attribute_steps
        kept = @serializer.description.attributes.each_value.select { |attribute| @filters.keep?(attribute.key.to_sym) }
        kept.map do |attribute|
          Step.new(key: attribute.key, kind: attribute.kind, name: attribute.name,
                   block: attribute.block, condition: attribute.condition)
        end
      end

      def association_steps
        kept = @serializer.description.associations.each_value.select do |association|
          @filters.keep?(association.name, association.key.to_sym)
        end
        kept.filter_map do |association|
          plan = association_plan(association)
          next unless plan

          Step.new(key: association.key, kind: association.kind, name: association.name,
                   condition: association.condition, plan: plan)
        end
      end

      # nil where the association's depth is used up.
      def association_plan(association)
        return choice(association) if association.serializer.is_a?(Hash)

        target = Serializer::Resolver.resolve(association)
        depths = @depths
        if @outer.include?(target)
          @tied = true
          left = depths.fetch(association, association.depth)
          raise Error, recursion_message(association, target) unless left
          return if left.zero?

          depths = depths.merge(association => left - 1)
        end
        nested_plan(association, target, depths)
      end

      def choice(association)
        serializers = association.serializer.to_h { |klass, given| [klass.to_s, Serializer::Resolver.resolve(association, given)] }
        targets = serializers.transform_values do |serializer|
          only, except = Serializer::Filters.of_one(serializer, serializers.values, *declared_filters(association))
          # Refuse now what none of them declares, below them too.
          Serializer::Filters.new(serializer, only, except)
          serializer.plan(only, except, @context, @scope) if @filters.nested(association).any?(Hash)
          [serializer, only, except]
        end
        Choice.new(@serializer, association, targets)
      end

      def nested_plan(association, target, depths)
        only, except = nested_filters(association, target)
        found = Cache.shared(target, only, except) if depths.empty? && !contextual?(target)
        return found if found && (found.serializers & @outer).empty?

        compiler = Compiler.new(target, only, except, @context, @scope, @outer, depths, @asked)
        plan = compiler.plan
        @tied ||= compiler.tied?
        plan
      end

      # Filters given from outside replace those of the declaration.
      def declared_filters(association)
        only, except = @filters.nested(association)
        only.nil? && except.nil? ? [association.only, association.except] : [only, except]
      end

      # filters_for of the nested class, where there is one, sees the context and has the last word.
      def nested_filters(association, target)
        only, except = declared_filters(association)
        return [only, except] unless contextual?(target)

        filters = @asked[target] = target.filters_for(@context, @scope) || {}
        [filters.fetch(:only, only), filters.fetch(:except, except)]
      end

      def contextual?(target) = target.respond_to?(:filters_for)

      def recursion_message(association, target)
        chain = (@outer + [target]).join(" > ")
        "#{@serializer}: #{association.name.inspect} leads back into #{target} (#{chain}); say how often it may: " \
          "#{association.kind} #{association.name.inspect}, depth: 3"
      end
    end
  end
end
