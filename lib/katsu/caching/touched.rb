# frozen_string_literal: true

module Katsu
  module Caching
    # The associations that touch: names. The version of the record says all of what they lead to, but not of objects
    # that were built or changed and are not saved.
    class Touched
      # reads: what is read of the record, [[name, a plan or a tree of names], ...].
      def initialize(reads, context, scope)
        @reads = reads
        @context = context
        @scope = scope
      end

      # What a plan reads of an object's associations, as for new.
      def self.reads(plan)
        plan.steps.flat_map do |step|
          nested = step.plan && step.call&.itself? # what it declares is read from the same record
          below = [[step.name, step.plan]] if step.plan
          [*(nested ? reads(step.plan) : below), *step.needs]
        end
      end

      # False if something that is written of the record may differ from what the database has.
      def saved?(record, reads = @reads)
        reads.all? do |name, inner|
          targets(record, name).all? do |target|
            target.persisted? && !target.has_changes_to_save? && below?(inner, target)
          end
        end
      end

      private

      # As saved?. Associations may lead back.
      def below?(inner, target)
        met = @met ||= {}.compare_by_identity
        return true if met[target]

        met[target] = true
        inner = inner.plan_for(target, @context, @scope) if inner.is_a?(Plan::Polymorphic)
        saved?(target, inner.is_a?(Hash) ? inner : Touched.reads(inner))
      end

      # What is loaded or built.
      def targets(record, name)
        return [] unless record.class.reflect_on_association(name) && record.association_cached?(name)

        Array(record.association(name).target)
      end
    end
  end
end
