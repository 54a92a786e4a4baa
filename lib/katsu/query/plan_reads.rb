# frozen_string_literal: true

require_relative "columns"
require_relative "reasons"
require_relative "reflections"
require_relative "needs_check"
require_relative "code_reads"

module Katsu
  module Query
    # What the steps of plans read of one model: how each field is read, and the columns and associations that all of
    # them need. See Selection, which keeps it.
    class PlanReads
      # A step of the plans and how it is read. how: :column, :association, :nested (the same row once more), :needs (by
      # the columns that needs: names), or :model. why: what needs a model, nil for the others; advice: what would make
      # it faster; column: its name; fields: of what nested declares.
      Field = Struct.new(:step, :how, :why, :advice, :column, :fields, keyword_init: true)

      # An association that is read: its reflection, the steps that write it, and the trees of what needs: names below
      # it.
      Association = Struct.new(:name, :reflection, :steps, :needs)

      # associations: by name. accesses: how the steps of each plan, and of each object nested in it, are read; see
      # Source.bind. code: the CodeReads of the fields whose code says what it reads. needs_obstacles: for what needs:
      # names, [[name, why, advice], ...].
      attr_reader :fields, :columns, :associations, :accesses, :code, :needs_obstacles

      # As for Selection.
      def initialize(plans, needs, model)
        @model = model
        @columns = Columns.new(model)
        @associations = {}
        @accesses = []
        @code = []
        @nested_fields = []
        @needs_obstacles = []
        @fields = plans.flat_map { |plan| fields_of(plan) }
        needs.each { |tree| take_needs(tree) }
        @columns.add(model.inheritance_column)
        @columns.add(model.primary_key) if !needs.empty? || all_fields.any? { |field| runs_on_row?(field) }
      end

      # Those of the plans, and those of objects nested in them.
      def all_fields = @fields + @nested_fields

      private

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

      # True if code is given a row object, of which errors tell the primary key.
      def runs_on_row?(field)
        field.how == :needs || (field.how != :model && field.step.conditions.any?)
      end

      def runs_code?(step) = (step.call && !step.ruled?) || step.conditions.any?

      def field(serializer, step, access, needs)
        return nested(step) if step.call&.itself?

        return model_field(step, *Reasons.call(serializer, step, @model)) if runs_code?(step) && !needs
        return model_field(step, *Reasons::BLOCK_OF_ASSOCIATION) if step.call && step.plan
        return ruled(step, access) if step.reads?
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

      # A column that is read from a row object, whether needs: of the rule's code names it or not.
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
          next take_id(name) if Columns.key_id?(@model, name.name)

          @needs_obstacles << [name, *Reasons::OWN_READER] unless Source::RecordSource.own_reader_of?(@model, name)
          reflection = Reflections.of(@model, name) # whose reader comes before that of a column of its name
          next if !reflection && below.empty? && @columns.add(@model.attribute_aliases[name.name] || name.name)

          take_needed(name, reflection, below) if reflection # a record of a polymorphic association may not have it
        end
      end

      # The key is read whatever needs: names.
      def take_id(name)
        own = Source::ReaderPatches.own?(@model.instance_method(:id))
        @needs_obstacles << [name, *Reasons::OWN_READER] unless own
      end

      def take_needed(name, reflection, below)
        reflection.check_validity!
        limited = Reflections.limited?(reflection)
        why = limited ? Reasons.limited(reflection) : Reflections.obstacle(@model, reflection)
        why ||= Reasons::EXTENDED if Reflections.extended?(reflection)
        @needs_obstacles << [name, *why] if why
        take_association(name, reflection).needs << below unless limited
      end
    end
  end
end
