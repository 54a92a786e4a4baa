# frozen_string_literal: true

require_relative "record_version"
require_relative "checks"
require_relative "touched"

module Katsu
  module Caching
    # What is found out once about the keys of a plan's records of one model.
    class Shape
      LIMIT = 256
      private_constant :LIMIT

      @kept = Findings.new(LIMIT)

      class << self
        # rule: the Serializer::CacheRule if the plan is the outermost one, otherwise nil. varies: true if the outermost
        # one says vary:. Raises Error if what the plan writes may change without a change of any version.
        def of(plan, model, rule, varies)
          key = [model, rule ? true : false, varies]
          found = @kept.find(plan, key)
          found&.fresh? ? found : @kept.store(plan, key, new(plan, model, rule, varies))
        end

        # Forgets all.
        def forget
          @kept.clear
        end
      end

      # The serializer in which the conditions of steps run.
      attr_reader :serializer

      # The associations whose records stand in the key, as steps; and trees of names that Ruby code reads. touched: a
      # Touched, or nil.
      attr_reader :steps, :needs, :touched

      def initialize(plan, model, rule, varies)
        checks = Checks.new(plan, model, rule, varies)
        checks.run
        @serializer = plan.serializer
        @model = model
        @types = model.attribute_types
        @serial = AsJson::Overrides.serial
        @record_version = RecordVersion.new(model)
        @steps = plan.steps.select { |step| step.plan && checks.watched?(step) }.freeze
        @needs = plan.steps.filter_map(&:needs).map { |tree| tree.reject { |name, _| checks.touches?(name) } }
        @needs.select! { |tree| tree.any? { |name, _| Source::RecordSource.reflection(model, name) } }
        @touched = Touched.new(plan, model, rule) if rule&.touch?
        @code = Plan::ModelDigest.own(plan, model) + touched_code(plan, checks)
      end

      # False after a change of the model's columns, and after any that plans depend on, such as a method of a model.
      def fresh?
        @model.attribute_types.equal?(@types) && @serial == AsJson::Overrides.serial
      end

      # True if other records stand in the key.
      def below?
        !@steps.empty? || !@needs.empty?
      end

      # What comes before the id in the version of a record, what comes after updated_at, the names of the two columns,
      # and those of columns of text; nil if versions are made one by one.
      def parts
        before, names, texts = @record_version.parts
        [before, "/#{@code}", names, texts] if before
      end

      # What tells this state of the record from every other; nil if nothing does.
      def version(record)
        version = @record_version.of(record)
        "#{version}/#{@code}" if version
      end

      private

      # The records of what touch: names stand in no key; what is written in their models' files does.
      def touched_code(plan, checks)
        steps = plan.steps.select { |step| step.plan && checks.touches?(step.name) }
        steps.map { |step| "-#{Plan::ModelDigest.below(step, @model)}" }.join
      end
    end
  end
end
