# frozen_string_literal: true

module Katsu
  module Query
    class Explanation
      # The queries of a document, as far as they are known before they are made.
      class Statements
        # Associations that lead to each other with a depth have a query for each path.
        LIMIT = 200
        private_constant :LIMIT

        def initialize(contents)
          @list = []
          return unless contents.model

          rows = contents.way == :rows
          selection = Selection.of(contents.reading.plan, contents.model)
          relation = contents.relation
          keys = contents.key_columns
          add(contents.model.to_s, sql(relation, rows && selection, keys)) if relation && !relation.loaded?
          below(selection, [], Depth::NONE, rows)
          @list << {of: "...", sql: "and more of the same associations, as often as their depth allows"} if @more
        end

        # [{of:, sql:}, ...]; of: the model, or the path of an association.
        attr_reader :list

        private

        # rows: whether the objects of the selection are rows.
        def below(selection, path, depth, rows)
          selection.associations.each_value do |association|
            steps = association.steps.select { |step| depth.allows?(step) }
            next if steps.empty? && association.needs.empty?
            return @more = true if @list.size >= LIMIT

            here = [*path, association.name]
            link = Link.new(selection.model, association.reflection)
            next add(here.join("."), "a query for each class") if link.polymorphic?
            next add(here.join("."), "by ActiveRecord's preloader") unless known?(selection, link, rows)

            deeper = depth.through(steps)
            inner, inner_rows = children(selection, association, steps, rows)
            add(here.join("."), statement(link, inner_rows && inner))
            below(inner, here, deeper, inner_rows) if inner
          end
        end

        def known?(selection, link, rows)
          (rows || !link.through?) && Reflections.obstacle(selection.model, link.reflection).nil?
        end

        # The Selection of the children, if one plan writes them all, and whether they are rows.
        def children(selection, association, steps, rows)
          return unless steps.all? { |step| step.plan.is_a?(Plan) }

          inner = selection.below(association, steps)
          [inner, rows && inner.obstacles.empty? && steps.all?(&:rows?)]
        end

        # selection: of rows; nil or false of records.
        def statement(link, selection)
          relation, more = link.relation(link.reflection.klass, nil)
          sql(relation, selection, link.through? ? [] : link.child_keys(relation.klass), more)
        end

        def sql(relation, selection, keys = [], more = [])
          return Rows.narrowed(relation, selection, keys, more).to_sql if selection

          (more.empty? ? relation : relation.select(relation.arel_table[::Arel.star], *more)).to_sql
        end

        def add(of, sql)
          @list << {of: of, sql: sql}
        end
      end
      private_constant :Statements
    end
  end
end
