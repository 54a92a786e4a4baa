# frozen_string_literal: true

module Katsu
  module Query
    class Explanation
      # The queries of a document, as far as they are known before they are made.
      class Statements
        KEYS = "IN (...)"
        private_constant :KEYS

        def initialize(contents)
          @rows = contents.way == :rows
          @list = []
          return unless contents.model

          selection = Selection.of(contents.reading.plan, contents.model)
          relation = contents.relation
          add(contents.model.name, sql(relation, selection, [])) if relation && !relation.loaded?
          below(selection, [], Depth::NONE)
        end

        # [{of:, sql:}, ...]; of: the model, or the path of an association.
        attr_reader :list

        private

        def below(selection, path, depth)
          selection.associations.each_value do |association|
            steps = association.steps.select { |step| depth.allows?(step) }
            next if steps.empty? && association.needs.empty?

            here = [*path, association.name]
            next add(here.join("."), "by ActiveRecord's preloader") unless simple?(selection, association)

            inner = selection.below(association, steps)
            add(here.join("."), children(selection, association, inner))
            below(inner, here, steps.reduce(depth) { |deeper, step| deeper.below(step) })
          end
        end

        def simple?(selection, association)
          Reflections.obstacle(selection.model, association.reflection).nil? &&
            association.steps.all? { |step| step.plan.is_a?(Plan) }
        end

        def children(selection, association, inner)
          key = association.reflection.join_primary_key(inner.model)
          relation = Reflections.relation(selection.model, association.reflection, [0, 1])
          sql(relation, inner, [key]).sub(/IN \([^)]*\)/, KEYS)
        end

        def sql(relation, selection, keys)
          (@rows ? Rows.narrowed(relation, selection, keys) : relation).to_sql
        end

        def add(of, sql)
          @list << {of: of, sql: sql}
        end
      end
      private_constant :Statements
    end
  end
end
