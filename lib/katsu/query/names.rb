# frozen_string_literal: true

module Katsu
  module Query
    # What a serializer reads, by names: see Serializer::Documents#preloads and #columns.
    class Names
      # How many places the names of one serializer may lead to, with the depths that are left in each.
      LIMIT = 2000
      private_constant :LIMIT

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
        @places = 0
        @trees = {}
        @includes = {}.compare_by_identity
        as_includes(tree({@plan => Depth::NONE}, [], @model))
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
        !step.plan && (step.call.nil? || step.reads?)
      end

      # {author: {}, comments: {author: {}}}. A name is followed once, even if several plans have it.
      #
      # Kept for equal arguments: if associations lead to each other, many paths end in the same tree.
      #
      # places: {plan => Depth}, the plans of an object. needs: trees of what Ruby code reads of it.
      def tree(places, needs, model)
        reached = places.map { |plan, depth| [plan, depth.key] }
        key = [reached, needs.map(&:object_id), model]
        @trees[key] || begin
          raise Error, "#{@plan.serializer}: preloads has over #{LIMIT} places" if (@places += 1) > LIMIT

          @trees[key] = new_tree(places, needs, model)
        end
      end

      def new_tree(places, needs, model)
        below = Hash.new { |found, name| found[name] = [{}.compare_by_identity, []] }
        places.each { |plan, depth| collect(plan, depth, model, below) }
        needs.each { |tree| collect_needs(tree, model, below) }
        below.to_h { |name, (inner, needed)| [name, tree(inner, needed, model_below(model, name))] }
      end

      # below: {name => [places, needs]}
      def collect(plan, depth, model, below)
        return if plan.is_a?(Plan::Polymorphic)

        plan.steps.each do |step|
          collect_needs(step.needs, model, below) if step.needs
          collect(step.plan, depth, model, below) if step.call&.itself?
          next unless step.plan && !step.call && depth.allows?(step) && association?(model, step.name)

          places = below[step.name].first
          places[step.plan] = depth.below(step).or(places[step.plan])
        end
      end

      # The associations among what needs: names. Without a model only what leads on can be told from columns.
      def collect_needs(needs, model, below)
        needs.each do |name, inner|
          below[name].last << inner if model ? Source::RecordSource.reflection(model, name) : !inner.empty?
        end
      end

      def leaves(needs)
        (needs || {}).select { |_, below| below.empty? }.keys
      end

      def association?(model, name)
        model.nil? || Source::RecordSource.reflection(model, name)
      end

      # The model that the association leads to; nil if that is not one. Raises ActiveRecord's error if it is through an
      # association that does not exist.
      def model_below(model, name)
        reflection = Source::RecordSource.reflection(model, name) if model
        reflection.check_validity! if reflection&.through_reflection?
        reflection.klass if reflection && !reflection.polymorphic?
      end

      def as_includes(tree)
        @includes[tree] ||= new_includes(tree)
      end

      def new_includes(tree)
        simple, nested = tree.partition { |_, below| below.empty? }
        names = simple.map(&:first)
        nested.empty? ? names : [*names, nested.to_h { |name, below| [name, as_includes(below)] }]
      end
    end
  end
end
