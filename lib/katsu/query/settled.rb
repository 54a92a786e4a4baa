# frozen_string_literal: true

module Katsu
  module Query
    # Tells whether the objects that records have loaded, and that a document reads, are as the database has them. Each
    # is looked at once, as associations may lead back.
    class Settled
      # Which objects the records have loaded, perhaps a part of those that there are: [[association, *ids], ...], in
      # the order in which they are looked at.
      attr_reader :loaded

      def initialize
        @met = {}.compare_by_identity
        @loaded = []
      end

      # False if an object was built or changed in an association that the plan reads. source: a record, or an Array or
      # a relation of them.
      def plan?(plan, source)
        return source.all? { |record| plan?(plan, record) } if source.is_a?(::Array)
        return !source.loaded? || plan?(plan, source.to_a) if Query.relation?(source)

        !plan.is_a?(Plan) || met?(plan, source) || plan.steps.all? { |step| step?(step, source) }
      end

      private

      # True from the second time on.
      def met?(read, record)
        records = @met[read] ||= {}.compare_by_identity
        records.key?(record) || !(records[record] = true)
      end

      def step?(step, record)
        return plan?(step.plan, record) if step.call&.itself?
        return false if step.plan && !targets?(step.name, record) { |target| plan?(step.plan, target) }

        step.needs.nil? || needs?(step.needs, record)
      end

      # tree: of the names that Ruby code reads.
      def needs?(tree, record)
        met?(tree, record) ||
          tree.all? { |name, below| targets?(name, record) { |target| needs?(below, target) } }
      end

      # False of an object with methods of its own, too.
      def settled?(target)
        target.persisted? && !target.changed? && target.singleton_methods.empty?
      end

      def targets?(name, record)
        return true unless Source::RecordSource.reflection(record.class, name) && record.association_cached?(name)

        association = record.association(name)
        targets = Reflections.targets(association)
        @loaded << [name, *targets.map(&:id)] if association.loaded?
        targets.all? { |target| settled?(target) && yield(target) }
      end
    end
  end
end
