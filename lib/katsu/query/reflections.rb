# frozen_string_literal: true

module Katsu
  module Query
    # What is asked of ActiveRecord's reflections of associations.
    module Reflections
      # Parts of a scope with which one query for all parents would find other records than a query for each.
      LIMITS = %i[limit offset].freeze
      # Parts of a scope that the queries for rows keep.
      KEPT = %i[where order references joins left_outer_joins reordering].freeze
      private_constant :LIMITS, :KEPT

      class << self
        # The columns of the owner that say what belongs to it.
        def owner_keys(reflection)
          return owner_keys(reflection.through_reflection) if reflection.through_reflection?

          keys = Array(reflection.join_foreign_key)
          reflection.belongs_to? && reflection.polymorphic? ? keys + [reflection.foreign_type] : keys
        end

        # True if one query for all parents would find other records than a query for each.
        def limited?(reflection)
          values = scope_values(reflection)
          values += default_values(reflection) unless reflection.belongs_to? && reflection.polymorphic?
          values.any? { |name| LIMITS.include?(name) }
        end

        # [why, advice] if rows do not serve, or nil.
        def obstacle(model, reflection)
          return ["the association goes through another one", nil] if reflection.through_reflection?
          return ["the association is polymorphic", nil] if reflection.belongs_to? && reflection.polymorphic?
          return ["the association's scope depends on the record", nil] if instance_dependent?(reflection)
          return ["the association has a key of several columns", nil] if composite?(reflection)
          return ["the keys of the association have different types", nil] unless same_type?(model, reflection)

          odd = (scope_values(reflection) | default_values(reflection)) - KEPT
          ["the association's scope has #{odd.join(", ")}", nil] unless odd.empty?
        end

        # The relation of the records that belong to owners with these keys, as ActiveRecord's preloader makes it, and
        # within the scope around all queries of the model, as its readers have it.
        def relation(model, reflection, keys)
          klass = reflection.klass
          scope = klass.scope_for_association
          scope = scope.where(reflection.type => model.polymorphic_name) if reflection.type
          scope = scope.merge(reflection.scope_for(klass.unscoped)) if reflection.scope
          scope = scope.merge(klass.global_current_scope) if klass.global_current_scope
          scope.where(reflection.join_primary_key(klass) => keys)
        end

        private

        def instance_dependent?(reflection)
          reflection.scope && reflection.scope.arity != 0
        end

        def composite?(reflection)
          reflection.join_foreign_key.is_a?(Array) || reflection.join_primary_key(reflection.klass).is_a?(Array)
        end

        def same_type?(model, reflection)
          model.type_for_attribute(reflection.join_foreign_key).type ==
            reflection.klass.type_for_attribute(reflection.join_primary_key(reflection.klass)).type
        end

        # Of the model's default scope.
        def default_values(reflection)
          reflection.klass.scope_for_association.values.keys
        end

        def scope_values(reflection)
          scopes = reflection.through_reflection? ? reflection.chain.map(&:scope) : [reflection.scope]
          scopes.compact.flat_map do |scope|
            next [] unless scope.arity.zero?

            reflection.klass.unscoped.instance_exec(&scope)&.values&.keys || []
          end
        end
      end
    end
  end
end
