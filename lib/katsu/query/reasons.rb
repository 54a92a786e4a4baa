# frozen_string_literal: true

require_relative "code_reads"

module Katsu
  module Query
    # Why a step needs a model, in words, and what would make it faster: [why, advice]. The advice is nil or has a to_s.
    module Reasons
      NEEDS = "say by needs: which columns and associations it reads"
      BLOCK_OF_ASSOCIATION = [
        "its objects come from a method or block of the serializer", "name an association of the model"
      ].freeze
      NO_COLUMN = ["it is an attribute of the model without a column", nil].freeze
      OWN_READER = ["the model overrides its reader", nil].freeze
      LIMITED = [
        "the association's scope has a limit, so it is loaded for each record by itself",
        "an association without a limit"
      ].freeze
      SEPARATE = [
        "the association has disable_joins, so it is loaded for each record by itself", "an association that joins"
      ].freeze
      EXTENDED = ["the association has methods of its own (extend:, or a block)", nil].freeze
      CONDITION_OF_NESTED = ["a condition may read anything of the object", NEEDS].freeze
      KEYED = ["by: is read from a record", nil].freeze
      OWNER = ["ActiveRecord gives the records their owner as it is in memory", nil].freeze
      POLYMORPHIC_SERIALIZER = ["its serializer is chosen by each object's class", nil].freeze
      private_constant :LIMITED, :SEPARATE

      class << self
        # Of an association whose objects have the record that they belong to.
        def inverse(inverse)
          ["its objects have the record itself as their #{inverse.name}, loaded with it", nil]
        end

        # Of a step with Ruby code of the serializer's.
        def call(serializer, step, model)
          what = step.call ? "a method field or block" : "a condition"
          ["#{what} may read anything of the object", CodeReads.new(serializer, step, model)]
        end

        # Of an association that is loaded for each record by itself.
        def limited(reflection)
          Reflections.separate?(reflection) ? SEPARATE : LIMITED
        end

        # Of a step that is read from the object in another way than by its column or association.
        def attribute(model, step, access)
          if access.how == Source::DYNAMIC && !Source::RecordSource.private_reader?(model, step.name)
            return ["#{model} has no such column", nil]
          end
          return ["#{model} overrides the reader of the column", nil] if model.attribute_types.key?(step.name.name)
          reflection = Source::RecordSource.reflection(model, step.name)
          return ["#{model} overrides the reader of the association", nil] if reflection

          ["it is a method of #{model}", "a method field of the serializer with needs:"]
        end
      end
    end
  end
end
