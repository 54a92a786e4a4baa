# frozen_string_literal: true

module Katsu
  module Query
    # The relation of an association through others, for many owners: what ActiveRecord builds for one owner, but its
    # condition has the keys of all owners.
    module JoinedScope
      # What ActiveRecord asks of an association for its relation.
      Association = Struct.new(:klass, :reflection, :owner)
      # Parts of the scopes of the classes between that hold for their rows. As ThroughAssociation takes them.
      PASSED_OVER = %i[select create_with includes preload eager_load joins left_outer_joins].freeze
      private_constant :Association, :PASSED_OVER

      class << self
        # [relation, the attributes that have the keys]
        def of(model, reflection, keys)
          maker = maker_class.new(model, keys)
          found = maker.scope(Association.new(reflection.klass, reflection, nil)).except(:limit, :extending)
          found.limit_value = maker.limit
          scope = target(reflection).merge(found)
          around = reflection.klass.global_current_scope
          [around ? scope.merge(around) : scope, maker.attributes]
        end

        private

        # With the default scopes of all classes on the way.
        def target(reflection)
          reflection.chain.drop(1).reduce(reflection.klass.scope_for_association) do |scope, step|
            scope.merge(step.klass.scope_for_association.except(*PASSED_OVER))
          end
        end

        # Made when ActiveRecord is there.
        def maker_class
          @maker_class ||= Class.new(::ActiveRecord::Associations::AssociationScope) { include Keys }
        end
      end

      # Overrides the condition on the owner.
      module Keys
        # limit: that of the scope itself. ActiveRecord replaces it by 1 for a has_one.
        attr_reader :attributes, :limit

        def initialize(model, keys)
          super(->(value) { value })
          @model = model
          @keys = keys
        end

        private

        def add_constraints(*)
          super.tap { |scope| @limit = scope.limit_value }
        end

        def last_chain_scope(scope, reflection, _owner)
          table = reflection.aliased_table
          names = Array(reflection.join_primary_key)
          @attributes = names.map { |name| table[name] }
          scope = one_of_the_keys(scope, table, names)
          return scope unless reflection.type

          apply_scope(scope, table, reflection.type, @model.polymorphic_name)
        end

        def one_of_the_keys(scope, table, names)
          return Reflections.any_keys(table, names).reduce(scope, :where) unless @keys
          return apply_scope(scope, table, names[0], @keys) if names.size == 1

          Reflections.by_column(names, @keys).reduce(scope) do |found, (name, values)|
            apply_scope(found, table, name, values)
          end
        end
      end
      private_constant :Keys
    end
  end
end
