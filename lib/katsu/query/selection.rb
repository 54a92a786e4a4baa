# frozen_string_literal: true

require_relative "plan_reads"
require_relative "reasons"
require_relative "reflections"
require_relative "model_checks"
require_relative "row_layout"
require_relative "owners"

module Katsu
  module Query
    # What plans read of the records of one model: columns, associations, and what only a record can answer.
    #
    # Made once for a plan and a model and kept; see Selection.of. It is of several plans if several associations of a
    # serializer read the same association of the model.
    class Selection
      attr_reader :plans, :model, :fields, :columns, :associations, :key_queries, :statements

      # The first of the plans that is cached, or nil.
      attr_reader :cached

      # As many plans as are kept; each with the models that it was used for.
      LIMIT = 256
      private_constant :LIMIT

      @kept = Findings.new(LIMIT)

      class << self
        # The Selection of a plan for a model, made or found.
        def of(plan, model)
          return new([plan], [], model) unless Ractors.main?

          found = @kept.find(plan, model.name)
          found&.fresh?(model) ? found : @kept.store(plan, model.name, new([plan], [], model))
        end

        # Forgets all.
        def forget
          @kept.clear
        end
      end

      # needs: an Array of trees; see Serializer::Needs. Raises ArgumentError for a name in them that model does not
      # have.
      def initialize(plans, needs, model)
        Source::ModelWatch.watch(model)
        @plans = plans
        @cached = plans.find { |plan| plan.is_a?(Plan::Cached) }
        @model = model
        @needs = needs
        @below = {}
        @layouts = {}
        @key_queries = {}
        @statements = RelationQuery.new_kept
        @alike = {}
        @callbacks = ModelChecks.callbacks(model)
        @types = model.attribute_types
        @inheritance_column = model.inheritance_column
        @reflections = model._reflections
        @serial = AsJson::Overrides.serial
        @reads = PlanReads.new(plans, needs, model)
        @fields = @reads.fields
        @columns = @reads.columns
        @associations = @reads.associations
        models = @associations.each_value.flat_map { |one| Reflections.models(one.reflection) }.uniq
        @key_types = models.map { |one| [one, one.attribute_types] }
      end

      # False after a change of the columns of the model, or of a model that an association leads to: keys are compared
      # by their types. Also after a change of the model's associations or of the column that names classes, after a
      # change of a method whose code was looked at, or if model is another class of the same name. ActiveRecord makes
      # another Hash of reflections when an association is declared.
      def fresh?(model = @model)
        @model.equal?(model) && @model.attribute_types.equal?(@types) && @model._reflections.equal?(@reflections) &&
          @model.inheritance_column.equal?(@inheritance_column) && @serial == AsJson::Overrides.serial &&
          ModelChecks.callbacks?(@model, @callbacks) &&
          @key_types.all? { |one, types| one.attribute_types.equal?(types) } && @reads.code.all?(&:fresh?)
      end

      # The Selection of what an association leads to. steps: those of its steps that are written here.
      def below(association, steps = association.steps, klass = association.reflection.klass)
        below = @below[association.name] ||= {}
        key = steps.size == association.steps.size ? klass.name : [steps, klass.name]
        found = below[key]
        return found if found&.fresh?(klass)

        below[key] = Selection.new(steps.map(&:plan).uniq, association.needs, klass)
      end

      # Why rows of the model itself do not serve: [[path, why, advice], ...].
      def obstacles
        return @obstacles if @obstacles && @owners.fresh?

        @owners = Owners.new(self)
        @obstacles = own_obstacles + obstacles_of_owners
      end

      # Those of the model and of its own fields, without those of its associations.
      def own_obstacles
        @own_obstacles ||= obstacles_of_model + obstacles_of_steps
      end

      # True if only ActiveRecord's own code makes records of the model; see Loading.
      def own_records?
        return @own_records if defined?(@own_records)

        @own_records = Loading.own?(@model)
      end

      # Equal for Selections that read the same.
      def identity = [@model, @plans, @needs]

      # True if a JSON column is read.
      def json?
        @reads.all_fields.any? { |field| field.how == :column && Cast::Json.for?(@types[field.column]) }
      end

      # True if records of klass, a subclass, are read in the same way.
      def alike?(klass)
        kept, alike = @alike[klass.name]
        return alike if kept&.fresh?(klass)

        @layouts.each_value(&:forget_classes) if kept # klass may have replaced another one
        other = Selection.new(@plans, @needs, klass)
        @alike[klass.name] = [other, reads_as?(other)].freeze
        @alike[klass.name].last
      end

      # What is found out once about rows with these columns.
      def row_layout(names, key_types = {})
        @layouts[names] ||= RowLayout.new(self, names, key_types)
      end

      protected

      def reads_as?(other)
        other.obstacles.empty? && other.accesses == accesses && other.columns.types_alike?(@columns) &&
          other.polymorphic_names == polymorphic_names &&
          other.associations.transform_values(&:reflection) == @associations.transform_values(&:reflection)
      end

      def accesses = @reads.accesses

      # What the model is called in the rows of associations that are read: of those with as:.
      def polymorphic_names
        @associations.each_value.filter_map { |one| @model.polymorphic_name if Reflections.type?(one.reflection) }
      end

      private

      def obstacles_of_owners
        @owners.known(self).map do |association, inverse|
          [association.steps.first&.key || association.name, *Reasons.inverse(inverse)]
        end
      end

      def obstacles_of_model
        ModelChecks.obstacles(@model).map { |why| [nil, *why] }
      end

      def obstacles_of_steps
        fields = @fields.select { |field| field.how == :model }
        fields.map { |field| [field.step.key, field.why, field.advice] } + @reads.needs_obstacles
      end
    end
  end
end
