# frozen_string_literal: true

module Katsu
  class Plan
    # The plans of a serializer class by their filters: {only => {except => plan}}, a frozen Hash that is
    # replaced whole, so that readers need no lock. Bounded, as filters may come from a query string.
    module Cache
      LIMIT = 256
      EMPTY = {}.freeze

      class << self
        # The plan, or nil. Empty filters are none.
        def fetch(serializer, only, except)
          plans = serializer.plans[blank(only)]
          entry = plans && plans[blank(except)]
          entry.plan if entry && entry.generation == Plan.generation
        end

        def store(serializer, only, except, plan)
          plans = serializer.plans
          plans = EMPTY if plans.sum { |_, entries| entries.size } >= LIMIT
          only = frozen_copy(blank(only))
          entries = plans.fetch(only, EMPTY).merge(frozen_copy(blank(except)) => Entry.new(plan, Plan.generation).freeze)
          serializer.plans = plans.merge(only => entries.freeze).freeze
          plan
        end

        private

        def blank(filter)
          filter unless filter.respond_to?(:empty?) && filter.empty?
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
      end

      Entry = Struct.new(:plan, :generation)
    end
  end
end
