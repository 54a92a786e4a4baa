# frozen_string_literal: true

module Katsu
  module Query
    class Explanation
      # The ways of a plan's fields, those of its associations included.
      class Fields
        HOW = {
          Source::METHOD => :reader, Source::COLUMN => :model, Source::KEY => :key, Source::ASSOCIATION => :association,
          Source::DYNAMIC => :reader
        }.freeze
        # How many are told. See Statements.
        LIMIT = 1000
        private_constant :HOW, :LIMIT

        def initialize(contents)
          @contents = contents
          @plan = contents.reading.plan
          @list = []
          @inverse = RelationChecks.inverse(contents.relation) if contents.relation
          contents.model ? of_model(Selection.of(@plan, contents.model), @plan, [], contents.way == :rows) : of_class
          add(["..."], :association, "and more of the same associations", nil) if @list.size >= LIMIT
        end

        # [{path:, way:, why:, faster:}, ...]
        attr_reader :list

        private

        # rows: whether the objects are rows. met: the plans on the way; each is looked at once.
        def of_model(selection, plan, path, rows, met = {})
          of_fields(selection.fields, selection, path, rows, met.merge(plan => true))
        end

        def of_fields(fields, selection, path, rows, met)
          fields.each do |field|
            return if @list.size >= LIMIT

            step = field.step
            add([*path, step.key], way(field, rows), field.why, field.advice)
            of_fields(field.fields, selection, [*path, step.key], rows, met) if field.fields
            association = selection.associations[step.name]
            next unless association && step.call.nil? && step.plan.is_a?(Plan) && !met[step.plan]
            next if Reflections.polymorphic?(association.reflection)

            inner = selection.below(association, [step])
            inner_rows = rows && inner.obstacles.empty? && association.steps.all?(&:rows?) && !given?(path, association)
            of_model(inner, step.plan, [*path, step.key], inner_rows, met)
          end
        end

        # True of the owner that a relation such as author.posts gives its rows.
        def given?(path, association)
          path.empty? && association.name == @inverse&.name
        end

        def way(field, rows)
          return :association if field.step.plan
          return :method if field.step.call || field.how == :needs
          return value_way(rows) if field.how == :column

          :reader
        end

        def value_way(rows)
          return :model unless rows

          @contents.driver? ? :driver : :row
        end

        # Of objects that are no records: by the class of the first.
        def of_class
          object = @contents.first
          accesses = nil == object ? [] : Source.bind(@plan, Source.class_of(object))[2]
          @plan.steps.zip(accesses) do |step, access|
            way = :method if step.call
            way ||= access ? HOW.fetch(access.how) : :reader
            add([step.key], way, nil, nil)
          end
        end

        def add(path, way, why, faster)
          @list << {path: path.join("."), way: way, why: why, faster: faster&.to_s}
        end
      end
      private_constant :Fields
    end
  end
end
