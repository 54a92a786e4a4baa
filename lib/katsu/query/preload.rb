# frozen_string_literal: true

module Katsu
  module Query
    # Loads the associations that a plan reads of records, each with one query for all of them. What is loaded is not
    # loaded again. An association that holds objects keeps them, as its reader does.
    class Preload
      # False of a plan that reads nothing but columns, so that its records need not be looked at.
      def self.leads_on?(plan)
        plan.is_a?(Plan::Polymorphic) || plan.steps.any? { |step| step.plan || step.needs }
      end

      # strict: whether what is loaded loads no associations itself, as with a relation's strict_loading.
      def initialize(reading, strict: false)
        @reading = reading
        @strict = strict
      end

      # records: of one or more models.
      def load(records, plan = @reading.plan, depth = Depth::NONE, level = 0)
        return if level > Limits::POLYMORPHIC_DEPTH

        by_plan(plan, records).each do |found, group|
          by_association(found, group).each { |association, same| load_one(association, same, depth, level) }
        end
      end

      # Loads what the plans of an association's steps, and what is needed of it, read of its objects.
      def load_below(objects, association, steps, depth, level = 0)
        steps.each { |step| load(objects, step.plan, depth.below(step), level + 1) if Preload.leads_on?(step.plan) }
        association.needs.each { |tree| load_needs(objects, tree) }
      end

      private

      def by_plan(plan, records)
        return {plan => records} unless plan.is_a?(Plan::Polymorphic)

        records.group_by { |record| plan_for(plan, record) }.except(nil)
      end

      # nil if there is no serializer for the class. The error is raised if the record is written at all.
      def plan_for(plan, record)
        plan.plan_for(record, @reading.context, @reading.scope)
      rescue SerializerNotFoundError
        nil
      end

      # Pairs of a Selection's Association and the records that have it. Subclasses share those of their model.
      def by_association(plan, records)
        found = records.group_by(&:class).each_with_object({}) do |(model, same), pairs|
          Selection.of(plan, model).associations.each_value do |association|
            key = [*shared(model, association.reflection), association.steps.map(&:object_id), association.needs]
            (pairs[key] ||= [association, []]).last.concat(same)
          end
        end
        found.values
      end

      # records: of one model and its subclasses.
      def load_one(association, records, depth, level)
        steps = association.steps.select { |step| depth.allows?(step) }
        return if steps.empty? && association.needs.empty?
        return if Reflections.limited?(association.reflection) # its scope may be another one now

        load_association(association.name, records)
        return if association.needs.empty? && steps.none? { |step| Preload.leads_on?(step.plan) }

        load_below(objects(association.name, records), association, steps, depth, level)
      end

      def load_association(name, records)
        missing = records.select { |record| missing?(record, fresh(record.association(name))) }
        LazyLoads.pause(@reading) { keep(name, missing) { fetch(name, missing) } } unless missing.empty?
        missing.each { |record| targets(record.association(name)).each(&:strict_loading!) } if @strict
      end

      # What the association leads to, each once: many records may have the same. Without their object ids: a record
      # that has one keeps its variables in other places.
      def objects(name, records)
        records.flat_map { |record| targets(record.association(name)) }
               .each_with_object({}.compare_by_identity) { |object, found| found[object] = true }.keys
      end

      # Runs the block, which loads an association of records. Objects that it holds and has not loaded are built ones,
      # or that from which has_many_inversing came to the record: ActiveRecord merges them with those of the database.
      def keep(name, records)
        held = records.filter_map do |record|
          objects = Reflections.targets(association = record.association(name))
          [association, objects] unless objects.empty?
        end
        yield
        held.each do |association, objects|
          found = association.target.select(&:persisted?)
          association.target = association.__send__(:merge_target_lists, found, objects)
        end
      end

      # records: as for load_one.
      def fetch(name, records)
        model = records[0].class
        reflection = Reflections.of(model, name)
        joins = reflection.through_reflection? && Reflections.obstacle(model, reflection).nil?
        return join(Link.new(model, reflection), records) if joins

        ::ActiveRecord::Associations::Preloader.new(records: with_keys(records, reflection), associations: name).call
      end

      # The records that have a key. Nothing belongs to others: the preloader takes nil for "" if it compares texts.
      def with_keys(records, reflection)
        return records if reflection.through_reflection?

        names = Reflections.owner_keys(reflection)
        without, with = records.partition { |record| names.any? { |name| record._read_attribute(name).nil? } }
        without.each { |record| record.association(reflection.name).target = reflection.collection? ? [] : nil }
        with
      end

      # Loads an association through others.
      def join(link, records)
        tuples = records.map { |record| link.owner_keys.map { |name| record[name] } }
        keys = tuples.uniq.reject { |tuple| tuple.include?(nil) }
        keys = keys.flatten(1) if link.owner_keys.size == 1
        pairs = keys.empty? ? [] : JoinedRecords.new(Rows.new(nil, @reading), link, keys).pairs
        found = pairs.group_by(&:first)
        records.zip(tuples) do |record, tuple|
          targets = found.fetch(tuple, []).map(&:last)
          record.association(link.reflection.name).target = link.many? ? targets : targets.first
        end
      end

      # The association, which is empty if its key has changed since it was loaded: its reader would load it again.
      def fresh(association)
        return association unless association.stale_target?

        association.reset
        association.reset_scope
        association
      end

      def missing?(record, association)
        return false if association.loaded? || (record.new_record? && !association.reflection.belongs_to?)
        return false if left_to_reader?(association)
        return false unless keys?(record, association.reflection)

        association.reflection.collection? || association.target.nil?
      end

      # A global scope (`scoping(all_queries: true)`) applies to readers but not to ActiveRecord's preloader. If the
      # type of a polymorphic association names no class, the reader raises when the association is written.
      def left_to_reader?(association)
        association.klass&.global_current_scope
      rescue ::NameError
        true
      end

      # False if select left out a key. The reader says so, if the association is written at all.
      def keys?(record, reflection)
        Reflections.owner_keys(reflection).all? { |name| record.has_attribute?(name) }
      end

      def targets(association)
        association.loaded? ? Reflections.targets(association) : []
      end

      # What a method field's needs: names below an association.
      def load_needs(records, tree)
        tree.each do |name, below|
          by_reflection(name, records).each do |reflection, same|
            next if reflection.nil? || Reflections.limited?(reflection)

            load_association(name, same)
            load_needs(objects(name, same), below) unless below.empty?
          end
        end
      end

      def by_reflection(name, records)
        models = records.group_by(&:class).group_by { |model, _| shared(model, Reflections.of(model, name)) }
        models.map { |(_, reflection), groups| [reflection, groups.flat_map(&:last)] }
      end

      # What models have in common if one query loads an association of their records. reflection: or nil.
      def shared(model, reflection)
        [model.base_class, reflection, (model.polymorphic_name if reflection && Reflections.type?(reflection))]
      end
    end
  end
end
