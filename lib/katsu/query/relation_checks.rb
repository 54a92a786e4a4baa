# frozen_string_literal: true

module Katsu
  module Query
    # Which relations can be read as rows.
    module RelationChecks
      # Parts of a query that stay as they are when its columns are named. The preloads of the relation's own are not
      # needed.
      KEPT = %i[where order limit offset joins left_outer_joins references includes preload strict_loading readonly
                reordering annotate optimizer_hints skip_query_cache create_with reverse_order distinct with
                unscope].to_h { |name| [name, true] }.freeze
      LOADERS = %i[load records exec_queries].freeze
      # Parts of a query that can give a column another value than the record has.
      UNVERSIONED = %i[from with group].freeze
      # Types of primary keys that are compared in the order in which they are sorted. MySQL sorts ENUM, SET and BIT by
      # numbers and compares them as texts, and a FLOAT does not equal the text that it is read as.
      KEY_TYPES = %i[integer string text uuid decimal date datetime timestamp timestamptz binary].freeze
      UNSORTED = /\A(?:enum|set|bit)\b/i
      private_constant :KEPT, :LOADERS, :UNVERSIONED, :KEY_TYPES, :UNSORTED

      class << self
        # [[path, why, advice], ...]
        def obstacles(relation)
          why = reason(relation)
          why ? [[nil, *why]] : []
        end

        # True if the relation is known to have no records, without a query.
        def empty?(relation)
          relation.null_relation? || (relation.respond_to?(:where_clause) && relation.where_clause.contradiction?)
        end

        # True if the relation's records have the values that their rows have in the table.
        def versioned?(relation)
          return false unless (parts(relation) & UNVERSIONED).empty?

          relation.select_values.all? { |name| name.is_a?(Symbol) && relation.klass.columns_hash.key?(name.name) }
        end

        # True if the records of a model can be read in batches, by WHERE id > the last one's.
        def batches?(model)
          columns = Array(model.primary_key).map { |name| model.columns_hash[name] }
          columns.any? && columns.all? do |column|
            column && KEY_TYPES.include?(column.type) && !UNSORTED.match?(column.sql_type.to_s)
          end
        end

        # True if the relation's records have that column, with the value that it has in the table.
        def selected?(relation, name)
          relation.select_values.empty? || (versioned?(relation) && relation.select_values.include?(name.to_sym))
        end

        # Runs the block, in which the relation and its associations are read, without the query cache if it says so.
        def uncached(relation, &block)
          relation.skip_query_cache_value ? relation.klass.uncached(&block) : yield
        end

        # The names of the parts that the query has: :where, :order and so on.
        def parts(relation)
          relation.values.filter_map do |name, value|
            name unless value.nil? || value == false || (value.respond_to?(:empty?) && value.empty?)
          end
        end

        # True of the association of one record, such as author.posts or author.posts.order(:id).
        def association?(relation)
          case relation
          when ::ActiveRecord::Associations::CollectionProxy, ::ActiveRecord::AssociationRelation then true
          else false
          end
        end

        # The association under which the records of another one, such as author.posts, have their owner; or nil.
        def inverse(relation)
          Reflections.inverse(relation.proxy_association.reflection) if association?(relation)
        end

        # True of the association of one record that has disable_joins: each association on the way has a query, and the
        # records are put in order in Ruby.
        def separate?(relation)
          return true if relation.is_a?(::ActiveRecord::DisableJoinsAssociationRelation)

          association?(relation) && Reflections.separate?(relation.proxy_association.reflection)
        end

        # The relation to load records with: a copy, as the given one would keep them, and a document reads anew.
        def anew(relation)
          kept = relation.loaded? || relation.scheduled? || separate?(relation) ||
                 relation.is_a?(::ActiveRecord::Associations::CollectionProxy)
          kept ? relation : relation.clone
        end

        # Why the query of one record's association, such as author.posts, does not find what its reader gives; nil if
        # it does.
        def of_owner(relation)
          return unless relation.is_a?(::ActiveRecord::Associations::CollectionProxy)

          association = relation.proxy_association
          owner = association.owner
          return "the records of an association may not be saved yet" if owner.new_record? || !association.target.empty?
          return "the association is loaded strictly" if owner.strict_loading? || association.reflection.strict_loading?

          "a key of the association's owner is nil" if keys_of(owner, association.reflection).any?(&:nil?)
        end

        # True if one of these methods of the relation is not ActiveRecord's own.
        def overridden?(relation, names = LOADERS)
          names.any? { |name| !Source::ReaderPatches.own?(relation.method(name)) }
        end

        private

        def reason(relation)
          return ["the relation is loaded", "a relation that is not, such as Post.all"] if relation.loaded?
          return ["the relation is being loaded (load_async)", nil] if relation.scheduled?

          why = of_owner(relation)
          return [why, nil] if why
          return ["the association has disable_joins", "an association that joins"] if separate?(relation)
          return ["#{relation.klass}'s relations load records by a method of their own", nil] if overridden?(relation)

          values = relation.values
          loads = values.key?(:includes) || values.key?(:preload) || values.key?(:eager_load)
          why = reason_of_loads(relation) if loads
          return why if why || values.all? { |name, _| KEPT.key?(name) }

          odd = parts(relation) - KEPT.keys
          ["the query has #{odd.join(", ")}", nil] unless odd.empty?
        end

        # Of the associations that the relation loads.
        def reason_of_loads(relation)
          return ["the relation loads its associations by joins (eager_load)", "preload"] if relation.eager_loading?

          # ActiveRecord refuses it when it loads records.
          model, name = unknown(relation.klass, [relation.preload_values, relation.includes_values])
          ["the relation preloads #{name}, which is no association of #{model}", nil] if model
        end

        # [model, name] of the first of names, as preload takes them, that is no association; or nil.
        def unknown(model, names)
          case names
          when ::Array then first_of(names) { |one| unknown(model, one) }
          when ::Hash then first_of(names) { |name, below| unknown(model, name) || unknown_below(model, name, below) }
          else [model, names] unless names.nil? || Reflections.of(model, names)
          end
        end

        def unknown_below(model, name, names)
          reflection = Reflections.of(model, name)
          unknown(reflection.klass, names) unless reflection.polymorphic?
        end

        def first_of(names, &)
          names.each { |one| (found = yield(one)) and return found }
          nil
        end

        def keys_of(owner, reflection)
          Array(reflection.chain.last.join_foreign_key).map { |name| owner._read_attribute(name) }
        end
      end
    end
  end
end
