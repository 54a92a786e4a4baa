# frozen_string_literal: true

module Katsu
  class Plan
    # The plans of a serializer class by their filters: {only => {except => plan}}, a frozen Hash that is
    # replaced whole, so that readers need no lock. Bounded, as filters may come from a query string.
    #
    # The backend adds same?(one, other), whether two filters are ==.
    #
    # Where a nested serializer's filters_for was asked, there is a plan for each set of its answers.
    module Cache
      LIMIT = 256
      VARIANTS = 32
      EMPTY = {}.freeze

      class << self
        # The plan, or nil. Empty filters are none.
        def fetch(serializer, only, except, context, scope)
          entry = entry(serializer, only, except)
          entry && (entry.plan || matching(entry.variants, context, scope))
        end

        # The plan where it is the same for every context, or nil.
        def shared(serializer, only, except)
          entry(serializer, only, except)&.plan
        end

        # generation: what Plan.generation was before the plan was compiled; asked: {serializer => what its filters_for
        # answered} of the serializers nested in it.
        def store(serializer, only, except, plan, generation, asked = EMPTY)
          plans = serializer.plans
          plans = EMPTY if plans.sum { |_, entries| entries.size } >= LIMIT
          only = frozen_copy(blank(only))
          except = frozen_copy(blank(except))
          variants = asked.empty? ? nil : with_variant(plans.dig(only, except), plan, asked)
          entry = Entry.new(only, except, variants ? nil : plan, generation, variants)
          serializer.plans = plans.merge(only => plans.fetch(only, EMPTY).merge(except => entry.freeze).freeze).freeze
          plan
        end

        # The caller may change its Array later; as a key it may not change.
        def frozen_copy(filter)
          case filter
          when Array then filter.map { |name| frozen_copy(name) }.freeze
          when Hash then filter.to_h { |name, nested| [name, frozen_copy(nested)] }.freeze
          when String then filter.dup.freeze
          else filter
          end
        end

        private

        def entry(serializer, only, except)
          plans = serializer.plans
          entry = plans[only]&.[](except) || plans[blank(only)]&.[](blank(except))
          entry if entry && entry.generation == Plan.generation
        end

        def with_variant(entry, plan, asked)
          variants = entry && entry.generation == Plan.generation ? entry.variants.to_a : []
          (variants.last(VARIANTS - 1) << [frozen_copy(asked), plan].freeze).freeze
        end

        def matching(variants, context, scope)
          answers = {}
          found = variants.reverse_each.find do |asked, _|
            asked.all? { |serializer, answer| (answers[serializer] ||= serializer.filters_for(context, scope) || EMPTY) == answer }
          end
          found&.last
        end

        def blank(filter)
          filter unless filter.respond_to?(:empty?) && filter.empty?
        end
      end

      Entry = Struct.new(:only, :except, :plan, :generation, :variants) do
        def for?(only, except)
          (self.only.equal?(only) || Cache.same?(self.only, only)) && (self.except.equal?(except) || Cache.same?(self.except, except))
        end
      end
    end
  end
end
