# frozen_string_literal: true

require_relative "columns"
require_relative "reasons"
require_relative "reflections"
require_relative "model_checks"
require_relative "needs_check"
require_relative "row_layout"
require_relative "owners"

module Katsu
  module Query
    # What plans read of the records of one model: columns, associations, and what only a record can answer.
    #
    # Made once for a plan and a model and kept; see Selection.of. It is of several plans if several associations of a
    # serializer read the same association of the model.
    class Selection
      # A step of the plans and how it is read. how: :column, :association, :nested (the same row once more), :needs (by
      # the columns that needs: names), or :model. why: what needs a model, nil for the others; advice: what would make
      # it faster; column: its name; fields: of what nested declares.
      Field = Struct.new(:step, :how, :why, :advice, :column, :fields, keyword_init: true)

      # An association that is read: its reflection, the steps that write it, and the trees of what needs: names below
      # it.
      Association = Struct.new(:name, :reflection, :steps, :needs)

      attr_reader :plans, :model, :fields, :columns, :associations, :key_queries

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
        @model = model
        @needs = needs
        @below = {}
        @needs_obstacles = []
        @layouts = {}
        @key_queries = {}
        @alike = {}
        @callbacks = ModelChecks.callbacks(model)
        @types = model.attribute_types
        @reflections = model._reflections
        @serial = AsJson::Overrides.serial
        @columns = Columns.new(model)
        @associations = {}
        @accesses = []
        @code = []
        @nested_fields = []
        @fields = plans.flat_map { |plan| fields_of(plan) }
        needs.each { |tree| take_needs(tree) }
        @columns.add(model.inheritance_column)
        @columns.add(model.primary_key) if !needs.empty? || all_fields.any? { |field| field.how == :needs }
      end

      # False after a change of the model's columns or associations, after a change of a method whose code was looked
      # at, or if model is another class of the same name. ActiveRecord makes another Hash of reflections when an
      # association is declared.
      def fresh?(model = @model)
        @model.equal?(model) && @model.attribute_types.equal?(@types) && @model._reflections.equal?(@reflections) &&
          @serial == AsJson::Overrides.serial && ModelChecks.callbacks?(@model, @callbacks) && @code.all?(&:fresh?)
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

      # Equal for Selections that read the same.
      def identity = [@model, @plans, @needs]

      # True if a JSON column is read.
      def json?
        all_fields.any? { |field| field.how == :column && json_column?(field) }
      end

      # True if records of klass, a subclass, are read in the same way.
      def alike?(klass)
        kept, alike = @alike[klass.name]
        return alike if kept&.fresh?(klass)

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

      # How the steps of the plans, and of objects nested in them, are read.
      attr_reader :accesses

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
        fields.map { |field| [field.step.key, field.why, field.advice] } + @needs_obstacles
      end

      def fields_of(plan)
        accesses = Source.bind(plan, @model)[2]
        @accesses << accesses
        plan.steps.zip(accesses).map do |step, access|
          needs = step.needs || needs_of_code(plan.serializer, step)
          NeedsCheck.call(plan.serializer, step, @model)
          take_needs(needs) if needs
          field(plan.serializer, step, access, needs)
        end
      end

      # The columns that a field's Ruby code reads; nil if it may read more, or if there is no code.
      def needs_of_code(serializer, step)
        return if step.plan || !runs_code?(step)

        code = CodeReads.new(serializer, step, @model, columns_only: true)
        columns = code.tree
        @code << code if columns
        columns
      end

      def runs_code?(step) = (step.call && !step.ruled?) || step.conditions.any?

      def field(serializer, step, access, needs)
        return nested(step) if step.call&.itself?

        return model_field(step, *Reasons.call(serializer, step, @model)) if runs_code?(step) && !needs
        return model_field(step, *Reasons::BLOCK_OF_ASSOCIATION) if step.call && step.plan
        return ruled(step, access) if step.ruled?
        return Field.new(step: step, how: :needs) if step.call
        return association(step, access) if step.plan

        column(step, access)
      end

      # What nested declares is read from the same row. Its fields are of the same model, so their columns and
      # associations are added to those of the plan.
      def nested(step)
        fields = fields_of(step.plan)
        @nested_fields.concat(fields)
        field = nested_field(step, fields.find { |inner| inner.how == :model })
        field.fields = fields
        field
      end

      # model: the field in it that needs a model, if there is one.
      def nested_field(step, model)
        return model_field(step, *Reasons::CONDITION_OF_NESTED) if step.conditions.any? && !step.needs
        return model_field(step, "#{model.step.key}: #{model.why}", model.advice) if model

        Field.new(step: step, how: step.conditions.any? ? :needs : :nested)
      end

      # Those of the plans, and those of objects nested in them.
      def all_fields = @fields + @nested_fields

      def json_column?(field) = Cast::Json.for?(@types[field.column])

      # A column that is read from a row object.
      def ruled(step, access)
        field = column(step, access)
        field.how == :column ? Field.new(step: step, how: :needs) : field
      end

      def column(step, access)
        return model_field(step, *Reasons.attribute(@model, step, access)) unless access.how == Source::COLUMN
        return model_field(step, *Reasons::NO_COLUMN) unless @columns.add(access.column)

        Field.new(step: step, how: :column, column: access.column)
      end

      def association(step, access)
        return model_field(step, *Reasons.attribute(@model, step, access)) unless access.how == Source::ASSOCIATION

        reflection = Reflections.of(@model, step.name)
        reflection.check_validity!
        return model_field(step, *Reasons.limited(reflection)) if Reflections.limited?(reflection)

        take_association(step.name, reflection).steps << step
        reason = Reflections.obstacle(@model, reflection)
        reason ? model_field(step, *reason) : Field.new(step: step, how: :association)
      end

      def take_association(name, reflection)
        Reflections.owner_keys(reflection).each { |key| @columns.add(key) }
        @associations[name] ||= Association.new(name, reflection, [], [])
      end

      def model_field(step, why, advice)
        Field.new(step: step, how: :model, why: why, advice: advice)
      end

      # tree: of what needs: names in this model.
      def take_needs(tree)
        tree.each do |name, below|
          next if Columns.composite_id?(@model, name.name)

          @needs_obstacles << [name, *Reasons::OWN_READER] unless Source::RecordSource.own_reader_of?(@model, name)
          next if below.empty? && @columns.add(@model.attribute_aliases[name.name] || name.name)

          reflection = Reflections.of(@model, name)
          take_needed(name, reflection, below) if reflection # a record of a polymorphic association may not have it
        end
      end

      def take_needed(name, reflection, below)
        limited = Reflections.limited?(reflection)
        why = limited ? Reasons.limited(reflection) : Reflections.obstacle(@model, reflection)
        why ||= Reasons::EXTENDED if Reflections.extended?(reflection)
        @needs_obstacles << [name, *why] if why
        take_association(name, reflection).needs << below unless limited
      end
    end
  end
end
