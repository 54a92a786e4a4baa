# frozen_string_literal: true

module Katsu
  module Caching
    # Whether each change of what a plan writes of a model's records is noticed, here and below. The outermost plan's
    # class may say so by touch:.
    class Checks
      # rule: the Serializer::CacheRule of the outermost plan, otherwise nil. varies: true if the outermost plan's says
      # vary:.
      def initialize(plan, model, rule, varies, met = {})
        @plan = plan
        @model = model
        @rule = rule
        @varies = varies
        @met = met
      end

      # Raises Error for the first thing that may change without a change of any version.
      def run
        return if @met[[@plan, @model]]

        @met[[@plan, @model]] = true
        check_version
        check_touched if @rule
        check_variables unless @varies
        @plan.steps.zip(Source.bind(@plan, @model)[2]).each do |step, access|
          step.plan ? check_association(step, access) : check_column(step, access)
        end
      end

      # Raises Error for a variable of the objects, here and below.
      def run_variables
        return if @met[[@plan, @model, :variables]]

        @met[[@plan, @model, :variables]] = true
        check_variables
        @plan.steps.each { |step| check_variables_below(step) if step.plan }
      end

      # True if a change of what that association leads to changes the record.
      def touches?(name)
        @rule ? @rule.touches?(name) : false
      end

      # True if the step's records stand in the key, false if touch: or needs: says what does.
      def watched?(step)
        !touches?(step.name) && (step.call.nil? || step.call.itself?)
      end

      private

      def check_version
        return if RecordVersion.new(@model).any?

        advice = if @rule then "leave cache out"
                 else "write cache touch: with the name of the association that leads to it, if each change of one " \
                      "changes updated_at of the record"
                 end
        refuse("#{@model} has no updated_at by which a change is noticed", advice)
      end

      def check_column(step, access)
        return if (step.call && !step.ruled?) || access.how == Source::METHOD
        return if @model.columns_hash.key?(access.column)

        refuse_misspelt(step) if step.conditions.empty?
        refuse("#{step.name} is no column or method of #{@model}, so that its version says nothing of it",
               "leave it out, or write cache false")
      end

      # An attr_reader of the model reads what a controller set, such as whether the viewer likes the record.
      def check_variables
        step = Plan::ModelDigest.variable(@plan, @model)
        return unless step

        refuse("#{step.name} is a variable of each #{@model}, an attr_reader, so that its version says nothing of it",
               "say by vary: what it depends on, vary: nil if that is the record alone, or leave it out")
      end

      # Of the objects that touch: leaves out of the key.
      def check_variables_below(step)
        return if @varies || !step.plan.is_a?(Plan)

        model = step.call&.itself? ? @model : model_below(step)
        Checks.new(step.plan, model, nil, false, @met).run_variables if model
      end

      # The model of a step's objects; nil if it is not known before they are loaded.
      def model_below(step)
        reflection = Source::RecordSource.reflection(@model, step.name) unless step.call
        reflection.klass if reflection && !reflection.polymorphic?
      end

      # Raises the error that the serializer raises if it is not cached.
      def refuse_misspelt(step)
        return if @model.attribute_names.include?(step.name.name)
        return if NearestName.hint(step.name, @model.attribute_names).empty?

        raise UnknownAttributeError.new(@plan.serializer, step.name, @model.allocate)
      end

      def check_association(step, access)
        return check_variables_below(step) if touches?(step.name)
        return below(step.plan, @model) if step.call&.itself?

        refuse_code(step) if step.call ? !needed?(step) : access.how == Source::DYNAMIC
        return if step.call || access.how != Source::ASSOCIATION || !step.plan.is_a?(Plan)

        model = model_below(step)
        below(step.plan, model) if model
      end

      # True if needs: names all records that the step writes.
      def needed?(step)
        step.needs && step.plan.is_a?(Plan) && step.plan.steps.none? { |inner| inner.plan || inner.needs }
      end

      def below(plan, model)
        Checks.new(plan, model, nil, @varies, @met).run
      end

      def check_touched
        known = @plan.serializer.description.names + @plan.steps.flat_map { |step| step.needs&.keys || [] }
        @rule.touched.each do |name|
          next if known.include?(name) || Source::RecordSource.reflection(@model, name)

          refuse("touch: names #{name.inspect}, which is no association of it or of #{@model}." \
                 "#{NearestName.hint(name, known)}", nil)
        end
      end

      def refuse_code(step)
        refuse("the objects of #{step.name} come from Ruby code of the serializer, so that a change of them is not " \
               "noticed", "say which associations it reads by needs:, or write cache touch: [#{step.name.inspect}] " \
                          "if each change of one changes updated_at of the record")
      end

      def refuse(why, instead)
        raise Error, "#{@plan.serializer} is cached, or written by a cached serializer: #{why}" \
                     "#{"; #{instead}" if instead}"
      end
    end
  end
end
