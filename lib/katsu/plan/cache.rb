# frozen_string_literal: true

require_relative "cache/entry"
require_relative "cache/table"

module Katsu
  class Plan
    # The plans of a serializer class by their filters, see Table. Bounded, as filters may come from a query string.
    #
    # If filters_for of nested serializers was called, there is a plan for each set of its answers.
    module Cache
      LIMIT = 512
      VARIANTS = 256
      EMPTY = {}.freeze
      NO_PLANS = Table.new

      # Whether two filters are ==. The native backend compares them without calling Ruby.
      def self.same?(one, other) = one == other if Katsu.backend == :ruby

      class << self
        # The plan, or nil. An empty Hash is the same as no filter, as is an empty except:.
        def fetch(serializer, only, except, context, scope)
          entry = entry(serializer, only, except)
          entry && (entry.plan || matching(entry.variants, context, scope))
        end

        # The plan if it is the same for every context, or nil.
        def shared(serializer, only, except)
          entry(serializer, only, except)&.plan
        end

        # Keeps the plan and returns it. generation: Serializer::Declarations.generation before the plan was compiled.
        # answers: {serializer => what its filters_for returned} for the serializers nested in it.
        def store(serializer, only, except, plan, generation, answers = EMPTY)
          only = Filters.frozen_copy(only_key(only))
          except = Filters.frozen_copy(except_key(except))
          variants = answers.empty? ? nil : with_variant(entry(serializer, only, except), plan, answers)
          entry = Entry.new(only, except, variants ? nil : plan, generation, variants).freeze
          serializer.plans = serializer.plans.with(entry, LIMIT)
          plan
        end

        private

        def entry(serializer, only, except)
          plans = serializer.plans
          entry = plans.find(only, except) || plans.find(only_key(only), except_key(except))
          entry if entry && entry.generation == Serializer::Declarations.generation
        end

        # {serializers with filters_for => {their answers => plan}}
        def with_variant(entry, plan, answers)
          variants = entry&.variants || EMPTY
          serializers, filters = answers.to_a.transpose
          plans = variants.fetch(serializers, EMPTY)
          plans = plans.except(plans.keys.sample) if plans.size >= VARIANTS
          plans = plans.merge(Filters.frozen_copy(filters) => plan).freeze
          variants.merge(serializers.freeze => plans).freeze
        end

        def matching(variants, context, scope)
          answers = Hash.new do |known, serializer|
            known[serializer] = Filters.of_class(serializer, context, scope)
          end
          variants.each do |serializers, plans|
            found = plans[answers.values_at(*serializers)]
            return found if found
          end
          nil
        end

        # What an only: is kept under: nil if it is no filter.
        def only_key(only)
          only unless ::Hash === only && only.empty?
        end

        def except_key(except)
          only_key(except) unless except == []
        end
      end
    end
  end
end
