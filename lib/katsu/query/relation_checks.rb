# frozen_string_literal: true

module Katsu
  module Query
    # Which relations can be read as rows.
    module RelationChecks
      # Parts of a query that stay as they are when its columns are named. The preloads of the relation's own are not
      # needed.
      KEPT = %i[where order limit offset joins left_outer_joins references includes preload strict_loading readonly
                reordering annotate optimizer_hints skip_query_cache create_with reverse_order distinct with].freeze
      LOADERS = %i[load records exec_queries].freeze
      private_constant :KEPT, :LOADERS

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

        # The names of the parts that the query has: :where, :order and so on.
        def parts(relation)
          relation.values.filter_map do |name, value|
            name unless value.nil? || value == false || (value.respond_to?(:empty?) && value.empty?)
          end
        end

        private

        def reason(relation)
          return ["the relation is loaded", "a relation that is not, such as Post.all"] if relation.loaded?
          return ["the relation is being loaded (load_async)", nil] if relation.scheduled?
          return ["the records of an association may not be saved yet", nil] if unsaved?(relation)
          return ["the relation loads its associations by joins (eager_load)", "preload"] if relation.eager_loading?
          return ["#{relation.klass}'s relations load records by a method of their own", nil] if overridden?(relation)

          odd = parts(relation) - KEPT
          ["the query has #{odd.join(", ")}", nil] unless odd.empty?
        end

        def unsaved?(relation)
          return false unless relation.is_a?(::ActiveRecord::Associations::CollectionProxy)

          association = relation.proxy_association
          association.owner.new_record? || !association.target.empty?
        end

        def overridden?(relation)
          LOADERS.any? { |name| !Source::ReaderPatches.own?(relation.method(name)) }
        end
      end
    end
  end
end
