# frozen_string_literal: true

module Katsu
  module Caching
    # The associations of a model that touch: names; all of the model if touch: names one that Ruby code gives. The
    # version of the record covers the objects of these associations, except those with changes that are not saved.
    class Touched
      # Their names. rule: a Serializer::CacheRule.
      def self.names(model, rule)
        all = model._reflections.keys.map(&:to_sym)
        (rule.touched - all).empty? ? all.select { |name| rule.touches?(name) } : all
      end

      # rule: the Serializer::CacheRule of plan.
      def initialize(plan, model, rule)
        @names = Touched.names(model, rule)
        @reads = reads(plan)
        @versions = Hash.new { |versions, klass| versions[klass] = RecordVersion.new(klass) }.compare_by_identity
      end

      # True if all objects that these associations have loaded, and what is read below them, are as the database has.
      def saved?(records, context, scope)
        met = {}.compare_by_identity
        choose = ->(plan, target) { plan.plan_for(target, context, scope) }
        @names.all? { |name| below?(targets(records, name), @reads.fetch(name, []), met, choose) }
      rescue SerializerNotFoundError
        false # when the object is written, the error is raised with its path
      end

      private

      # What a plan reads of an object's associations: {name => [a plan or a tree of names, ...]}.
      def reads(plan)
        found = Hash.new { |reads, name| reads[name] = [] }
        plan.steps.each do |step|
          nested = step.plan && step.call&.itself? # what it declares is read from the same record
          found[step.name] << step.plan if step.plan && !nested
          reads(step.plan).each { |name, inner| found[name].concat(inner) } if nested
          step.needs&.each { |name, tree| found[name] << tree }
        end
        found
      end

      # What is loaded or built.
      def targets(records, name)
        loaded = records.select { |record| record.association_cached?(name) }
        loaded.flat_map { |record| Query::Reflections.targets(record.association(name)) }
      end

      # inner: what is read of targets. met: {a plan or tree => targets}, as associations may lead back.
      def below?(targets, inner, met, choose)
        return true if targets.empty?

        unchanged?(targets) && inner.all? do |one|
          by_plan(targets, one, choose).all? do |plan, some|
            seen = met[plan] ||= {}.compare_by_identity
            fresh = some.select { |target| !seen[target] && (seen[target] = true) }
            inner_reads(plan).all? { |name, more| below?(targets(fresh, name), more, met, choose) }
          end
        end
      end

      def inner_reads(plan)
        plan.is_a?(Hash) ? plan.transform_values { |tree| [tree] } : reads(plan)
      end

      def by_plan(targets, inner, choose)
        inner.is_a?(Plan::Polymorphic) ? targets.group_by { |target| choose.call(inner, target) } : {inner => targets}
      end

      # has_changes_to_save? comes last, as it makes objects that the record keeps.
      def unchanged?(targets)
        targets.group_by(&:class).all? do |klass, some|
          version = @versions[klass]
          unknown(version, klass, some).all? do |one|
            one.persisted? && (version.unchanged?(one) || !one.has_changes_to_save?)
          end
        end
      end

      # Those of records that the native backend leaves to Ruby; all without that backend.
      def unknown(version, klass, records)
        _, _, texts = version.parts
        texts && defined?(Native) ? Native.changed_records(records, klass, texts) : records
      end
    end
  end
end
