# frozen_string_literal: true

module Katsu
  module Query
    class Explanation
      # The associations of rows of which records are made.
      class Records
        # How many associations are looked at: those that lead to each other with a depth stand on many paths.
        LIMIT = 200
        private_constant :LIMIT

        def initialize(contents)
          @list = []
          @paths = []
          @left = LIMIT
          @inverse = RelationChecks.inverse(contents.relation) if contents.relation
          below(Selection.of(contents.reading.plan, contents.model), [], {}) if contents.way == :rows
        end

        # Why: [[path, why, advice], ...]; and of which associations: ["comments", ...].
        attr_reader :list, :paths

        private

        # met: the selections on the way; each is looked at once.
        def below(selection, path, met)
          selection.associations.each_value do |association|
            return if (@left -= 1).negative?

            here = [*path, association.name]
            next add(here, [[nil, *Reasons::OWNER]]) if here == [@inverse&.name]
            next add(here, [[nil, *Reasons::KEYED]]) if association.steps.any?(&:object_key)
            next chosen(here) unless association.steps.all? { |step| step.plan.is_a?(Plan) }
            next if Reflections.polymorphic?(association.reflection)

            inner = selection.below(association)
            next if met[[inner.plans, inner.model]]

            reasons = inner.obstacles
            next below(inner, here, met.merge([inner.plans, inner.model] => true)) if reasons.empty?

            add(here, reasons)
          end
        end

        def chosen(path)
          add(path, [[nil, *Reasons::POLYMORPHIC_SERIALIZER]])
        end

        def add(path, reasons)
          @paths << path.join(".")
          @list.concat(reasons.map { |name, why, advice| [[*path, name].compact.join("."), why, advice] })
        end
      end
      private_constant :Records
    end
  end
end
