# frozen_string_literal: true

module Katsu
  module Query
    # What is asked of ActiveRecord's reflections of associations.
    module Reflections
      # Parts of a scope with which one query for all parents would find other records than a query for each.
      LIMITS = %i[limit offset].freeze
      # Parts of a scope that the queries for rows keep.
      KEPT = %i[where order references joins left_outer_joins reordering distinct unscope].freeze
      # The native backend compares keys of up to so many columns: KATSU_KEY_PARTS in edge.h.
      MAX_KEY = 8
      private_constant :KEPT, :MAX_KEY

      class << self
        # The one that a record's association has; of has_and_belongs_to_many, that through the join table.
        def of(model, name) = model._reflect_on_association(name)

        # The models that it leads to and through. A polymorphic one leads to any; a class that is not there is met when
        # the association is read.
        def models(reflection)
          reflection.chain.reject(&:polymorphic?).map(&:klass)
        rescue ::NameError
          []
        end

        # The columns of the owner that say what belongs to it.
        def owner_keys(reflection)
          keys = Array(reflection.chain.last.join_foreign_key)
          polymorphic?(reflection) ? keys + [reflection.foreign_type] : keys
        end

        def polymorphic?(reflection)
          !reflection.through_reflection? && reflection.belongs_to? && reflection.polymorphic?
        end

        # The association of the objects under which ActiveRecord gives them their owner, without a query; nil if there
        # is none.
        def inverse(reflection)
          return if reflection.through_reflection? || polymorphic?(reflection)

          inverse = reflection.inverse_of
          inverse if inverse && (inverse.belongs_to? || inverse.has_one?)
        end

        # True if ActiveRecord gives objects of klass, of a polymorphic association, their owner, or raises as klass has
        # no such association.
        def inverse?(reflection, klass)
          name = reflection.options[:inverse_of] or return false

          inverse = of(klass, name)
          inverse.nil? || inverse.has_one?
        end

        # True if one query for all parents would find other records than a query for each.
        def limited?(reflection)
          return true if separate?(reflection)

          values = scope_values(reflection)
          values += default_values(reflection) unless polymorphic?(reflection)
          values.any? { |name| LIMITS.include?(name) }
        end

        # [why, advice] if one query does not find the records of all owners, or nil.
        def obstacle(model, reflection)
          return ["the association's scope depends on the record", nil] if instance_dependent?(reflection)

          why = key_obstacle(model, reflection)
          return [why, nil] if why
          return polymorphic_obstacle(reflection) if polymorphic?(reflection)

          odd = (scope_values(reflection) | default_values(reflection)) - KEPT
          ["the association's scope has #{odd.join(", ")}", nil] unless odd.empty?
        end

        # The relation of the records of klass that belong to owners with these keys, as ActiveRecord's preloader makes
        # it, and within the scope around all queries of the model, as its readers have it. keys: see Link#relation.
        def relation(model, reflection, klass, keys)
          scope = klass.scope_for_association
          scope = scope.where(reflection.type => model.polymorphic_name) if reflection.type
          scope = scope.merge(reflection.scope_for(klass.unscoped)) if reflection.scope
          scope = scope.merge(klass.global_current_scope) if klass.global_current_scope
          names = Array(reflection.join_primary_key(klass))
          return any_keys(klass.arel_table, names).reduce(scope, :where) unless keys

          names.size == 1 ? scope.where(names[0] => keys) : scope.where(by_column(names, keys))
        end

        # Conditions on keys that are not known, one for each column.
        def any_keys(table, names)
          names.map { |name| table[name].in(::Arel.sql("...")) }
        end

        # Conditions on keys of several columns, as the preloader makes them: of each column by itself, so that the rows
        # of other keys are among those that are found. keys: an Array of tuples.
        def by_column(names, keys)
          names.zip(keys.transpose.map(&:uniq)).to_h
        end

        # True of an association whose reader makes a query for each association on the way.
        def separate?(reflection)
          reflection.through_reflection? && reflection.options[:disable_joins] ? true : false
        end

        # True if the rows that it leads to name the model of their owner.
        def type?(reflection)
          reflection.chain.last.type ? true : false
        end

        # True of an association whose collection has methods of its own.
        def extended?(reflection)
          Array(reflection.options[:extend]).any?
        end

        # The objects that a record's association has loaded or built. A record may have a to_a of its own.
        def targets(association)
          target = association.target
          ::Array === target ? target : [target].compact
        end

        # The parts of the model's default scope.
        def default_parts(klass) = RelationChecks.parts(klass.scope_for_association)

        private

        def key_obstacle(model, reflection)
          keys = Array(reflection.chain.last.join_foreign_key)
          return "the association's key has more than #{MAX_KEY} columns" if keys.size > MAX_KEY
          return "a key of the association is no column, such as an alias" unless columns?(model, reflection)

          # ActiveRecord takes a belongs_to whose key is false for one without a key.
          types = keys.map { |name| model.type_for_attribute(name).type }
          boolean = types.include?(:boolean) && reflection.chain.last.belongs_to?
          return "a key of the association is a boolean" if boolean

          same = polymorphic?(reflection) || types == types_of(reflection)
          "the keys of the association have different types" unless same
        end

        # ActiveRecord's preloader reads keys under their declared names: no value of an alias is found.
        def columns?(model, reflection)
          return false unless owner_keys(reflection).all? { |name| model.columns_hash.key?(name.to_s) }
          return true if polymorphic?(reflection)

          last = reflection.chain.last
          Array(last.join_primary_key(last.klass)).all? { |name| last.klass.columns_hash.key?(name.to_s) }
        end

        # Which models there are is not known before there are rows.
        def polymorphic_obstacle(reflection)
          odd = scope_values(reflection) - KEPT
          ["the association's scope has #{odd.join(", ")}", nil] unless odd.empty?
        end

        def instance_dependent?(reflection)
          scopes(reflection).any? { |scope, _| scope.arity != 0 }
        end

        # The types of the columns that its keys are compared with.
        def types_of(reflection)
          last = reflection.chain.last
          klass = last.klass
          Array(last.join_primary_key(klass)).map { |name| klass.type_for_attribute(name).type }
        end

        # Of the default scopes of the models that it leads through.
        def default_values(reflection)
          reflection.chain.flat_map { |step| default_parts(step.klass) }.uniq
        end

        # Of the scopes of the associations that it leads through.
        def scope_values(reflection)
          scopes(reflection).flat_map do |scope, model|
            relation = model.unscoped.instance_exec(&scope) if scope.arity.zero?
            relation ? RelationChecks.parts(relation) : []
          end
        end

        # [scope, model] of each association that it leads through and that has one. Polymorphic records have no model
        # that is known; the owner's does as well.
        def scopes(reflection)
          model = polymorphic?(reflection) ? reflection.active_record : reflection.klass
          own = reflection.scope ? [[reflection.scope, model]] : []
          return own unless reflection.through_reflection?

          own + scopes(reflection.source_reflection) + scopes(reflection.through_reflection)
        end
      end
    end
  end
end
