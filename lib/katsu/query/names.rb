# frozen_string_literal: true

module Katsu
  module Query
    # What a serializer reads, by names: see Serializer::Documents#preloads and #columns.
    class Names
      # model: an ActiveRecord class, or nil. filters: those of Serializer#initialize. Raises ArgumentError.
      def initialize(serializer, model, filters)
        unless model.nil? || (defined?(::ActiveRecord::Base) && model.is_a?(Class) && model < ::ActiveRecord::Base)
          raise ArgumentError, "#{serializer}: #{model.inspect} is no model; accepted is a subclass of " \
                               "ActiveRecord::Base"
        end

        Serializer::Keywords.check(serializer, filters, Serializer::Keywords::FILTERS)
        only, except, context, scope = filters.values_at(:only, :except, :context, :scope)
        read(Serializer::Form.of(serializer, filters).plan(only, except, context, scope), model)
      end

      # The same of a plan.
      def self.of_plan(plan, model)
        allocate.tap { |names| names.__send__(:read, plan, model) }
      end

      # [:author, {comments: [:author]}]
      def preloads
        as_includes(tree(@plan, @model, Depth::NONE))
      end

      def columns
        return Selection.of(@plan, @model).columns.names.map(&:to_sym) if @model

        read_of(@plan).uniq
      end

      private

      def read(plan, model)
        @plan = plan
        @model = model
      end

      # The names of columns, as far as they can be told without a model.
      def read_of(plan)
        plan.steps.flat_map do |step|
          next read_of(step.plan) if step.call&.itself?

          (own?(step) ? [step.name] : []) + leaves(step.needs)
        end
      end

      # True of what the object has under its name.
      def own?(step)
        !step.plan && (step.call.nil? || step.ruled?)
      end

      # {author: {}, comments: {author: {}}}
      def tree(plan, model, depth)
        return {} if plan.is_a?(Plan::Polymorphic)

        plan.steps.each_with_object({}) do |step, found|
          merge(found, needed(step.needs || {}, model))
          merge(found, tree(step.plan, model, depth)) if step.call&.itself?
          next unless step.plan && !step.call && depth.allows?(step) && association?(model, step.name)

          merge(found, step.name => tree(step.plan, below(model, step.name), depth.below(step)))
        end
      end

      # The associations among what needs: names. Without a model only what leads on can be told from columns.
      def needed(needs, model)
        chosen = needs.select { |name, below| model ? model.reflect_on_association(name) : !below.empty? }
        chosen.to_h { |name, inner| [name, needed(inner, below(model, name))] }
      end

      def leaves(needs)
        (needs || {}).select { |_, below| below.empty? }.keys
      end

      def association?(model, name)
        model.nil? || model.reflect_on_association(name)
      end

      # The model that the association leads to; nil if that is not one.
      def below(model, name)
        reflection = model&.reflect_on_association(name)
        reflection.klass if reflection && !reflection.polymorphic?
      end

      def merge(found, more)
        found.merge!(more) { |_, one, other| merge(one, other) }
      end

      def as_includes(tree)
        simple, nested = tree.partition { |_, below| below.empty? }
        names = simple.map(&:first)
        nested.empty? ? names : [*names, nested.to_h { |name, below| [name, as_includes(below)] }]
      end
    end
  end
end
