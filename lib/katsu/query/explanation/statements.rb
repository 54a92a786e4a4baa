# frozen_string_literal: true

require_relative "loads"

module Katsu
  module Query
    class Explanation
      # The queries of a document, as far as they are known before they are made.
      class Statements
        # Associations that lead to each other with a depth have a query for each path.
        LIMIT = 200
        PRELOADER = "by ActiveRecord's preloader"
        FIRST = "the primary keys of the records, by ActiveRecord: a limit does not count the rows of a join"
        FURTHER = "and more of the same associations, as often as their depth allows"
        private_constant :LIMIT, :PRELOADER, :FIRST, :FURTHER

        def initialize(contents)
          @list = []
          @wide = []
          @more = false
          @relation = contents.relation
          return if contents.model.nil? || empty?

          rows = contents.way == :rows
          @loads = Loads.new(rows ? nil : @relation)
          selection = Selection.of(contents.reading.plan, contents.model)
          of_relation(rows && selection, contents.key_columns) if @relation && !@relation.loaded?
          below(selection, [], Depth::NONE, rows, (RelationChecks.inverse(@relation) if @relation))
          of_preloader(contents.model) unless @relation&.loaded?
          @list << {of: "...", sql: FURTHER} if @left_out
        end

        # [{of:, sql:}, ...]; of: the model, or the path of an association.
        attr_reader :list

        # Those of which all columns are selected because of their order.
        attr_reader :wide

        # True if the rows decide how many queries there are, so that there may be more.
        def more? = @more

        private

        # True if ActiveRecord knows without a query that there are no records.
        def empty?
          @relation && RelationChecks.empty?(@relation) && !RelationChecks.of_owner(@relation)
        end

        # selection: of rows; false of records.
        def of_relation(selection, keys)
          name = @relation.klass.to_s
          return add([name], sql([name], @relation, selection, keys)) unless @loads.keys_first?

          conditions = Reflections.any_keys(@relation.klass.arel_table, Array(@relation.klass.primary_key))
          add([name], FIRST)
          add([name], conditions.reduce(@relation.unscope(:limit, :offset), :where).to_sql)
        end

        # rows: whether the objects of the selection are rows.
        # inverse: the association by which the objects have their owner, which is not loaded again.
        def below(selection, path, depth, rows, inverse = nil)
          of_limited(selection.fields, selection.model, path)
          selection.associations.each_value do |association|
            steps = association.steps.select { |step| depth.allows?(step) }
            next if steps.empty? && association.needs.empty?
            return @more = @left_out = true if @list.size >= LIMIT

            here = [*path, association.name]
            link = Link.new(selection.model, association.reflection)
            next uncertain(here, "a query for each class") if link.polymorphic?

            known = association.name == inverse&.name
            inner, inner_rows = children(selection, association, steps, rows && !known)
            of_association(here, link, inner_rows && inner) unless known
            next @more = true unless inner

            back = Reflections.inverse(association.reflection) unless inner_rows
            below(inner, here, depth.through(steps), inner_rows, back)
          end
        end

        # Associations that are read of each record by itself.
        def of_limited(fields, model, path)
          fields.each do |field|
            of_limited(field.fields, model, path) if field.fields
            next if field.how != :model || field.step.plan.nil? || field.step.call

            reflection = Reflections.of(model, field.step.name)
            reflection&.check_validity!
            here = [*path, field.step.name]
            next if reflection.nil? || loaded?(here)
            next unless field.step.conditions.any? || Reflections.limited?(reflection)

            uncertain(here, "a query for each record#{" whose condition holds" if field.step.conditions.any?}")
          end
        end

        # selection: of rows; nil or false of records.
        def of_association(here, link, selection)
          return if @loads.joined.include?(here.join("."))

          known?(here, link) ? add(here, statement(here, link, selection)) : uncertain(here, PRELOADER)
        end

        # ActiveRecord's preloader reads an association through others with a query for each on the way.
        def known?(here, link)
          return false if link.through? && @loads.preloaded.include?(here.join("."))

          Reflections.obstacle(link.model, link.reflection).nil?
        end

        # True of what the relation loads itself.
        def loaded?(here)
          @loads.joined.include?(here.join(".")) || @loads.preloaded.include?(here.join("."))
        end

        # What the relation's own preload reads besides.
        def of_preloader(model)
          (@loads.preloaded - @list.map { |query| query[:of] }).each do |path|
            simple = simple?(model, path.split("."))
            simple ? add([path], PRELOADER) : uncertain([path], PRELOADER)
          end
        end

        # True if each association on the path is read with one query.
        def simple?(model, path)
          reflection = Reflections.of(model, path[0])
          return true if reflection.nil? # ActiveRecord raises
          return false if reflection.through_reflection? || Reflections.polymorphic?(reflection)

          path.size == 1 || simple?(reflection.klass, path.drop(1))
        end

        # The Selection of the children, if one plan writes them all, and whether they are rows.
        def children(selection, association, steps, rows)
          return unless steps.all? { |step| step.plan.is_a?(Plan) }

          inner = selection.below(association, steps)
          [inner, rows && inner.obstacles.empty? && steps.all?(&:rows?)]
        end

        # selection: of rows; nil or false of records.
        def statement(path, link, selection)
          relation, more = link.relation(link.reflection.klass, nil)
          sql(path, relation, selection, link.through? ? [] : link.child_keys(relation.klass), more)
        end

        def sql(path, relation, selection, keys, more = [])
          if selection
            @wide << path.join(".") if OrderText.all_columns?(relation)
            return Rows.narrowed(relation, selection, keys, more).to_sql
          end

          (more.empty? ? relation : relation.select(*Rows.all_columns(relation.klass), *more)).to_sql
        end

        def uncertain(path, sql)
          @more = true
          add(path, sql)
        end

        def add(path, sql)
          @list << {of: path.join("."), sql: sql}
        end
      end
      private_constant :Statements
    end
  end
end
