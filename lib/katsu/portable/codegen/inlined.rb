# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # A has_one association whose object the lambda of RowsSink writes together with its owner, as all of its values
      # stand in its own row. klass: what most objects are of; types: its column types; fields: an Array of Field.
      Inlined = Struct.new(:klass, :types, :fields) do
        # For a step of records like this one; nil if its objects are written in another way.
        def self.of(step, access, record)
          return unless access.how == Source::ASSOCIATION && step.kind == :has_one && RecordRow.loaded?(record)
          return if !step.rows? || step.optional? || step.limited?

          reflection = Source::RecordSource.reflection(record.class, step.name)
          make(reflection.klass, step.plan) unless reflection.polymorphic?
        end

        def self.make(klass, plan)
          _, types, accesses = Source.bind(plan, klass)
          fields = plan.steps.each_with_index.map { |step, index| Field.new(step, index, accesses[index], klass, nil) }
          new(klass, types, fields) if fields.any? && fields.all? { |field| field.raw_code("") }
        rescue ::ActiveRecord::ActiveRecordError # there is no such table, and no object
          nil
        end
        private_class_method :make
      end
    end
  end
end
