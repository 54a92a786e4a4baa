# frozen_string_literal: true

module Katsu
  module Query
    # Refuses a needs: that names what the model does not have.
    module NeedsCheck
      class << self
        # Raises ArgumentError for a name that is neither a column nor an association.
        def call(serializer, step, model)
          check(serializer, step, step.needs, model) if step.needs
        end

        private

        def check(serializer, step, tree, model)
          tree.each do |name, below|
            reflection = Source::RecordSource.reflection(model, name)
            known = reflection || (below.empty? && column?(model, name.name))
            refuse(serializer, step, name, model, below) unless known
            check(serializer, step, below, reflection.klass) unless below.empty? || reflection.polymorphic?
          end
        end

        # Of a column that a subclass ignores, its records say so.
        def column?(model, name)
          column = model.attribute_aliases[name] || name
          model.columns_hash.key?(column) || model.base_class.columns_hash.key?(column) ||
            Columns.key_id?(model, name)
        end

        def refuse(serializer, step, name, model, below)
          what = below.empty? ? "column or association" : "association"
          known = model.reflections.keys
          known += model.columns_hash.keys + model.attribute_aliases.keys if below.empty?
          raise ArgumentError, "#{serializer}: needs: of #{step.name.inspect} names #{name.inspect}, which is no " \
                               "#{what} of #{model}.#{NearestName.hint(name, known)}"
        end
      end
    end
  end
end
