# frozen_string_literal: true

module Katsu
  class Plan
    module Cache
      # What was compiled for one pair of filters: the plan, or one for each set of answers that filters_for gave.
      Entry = Struct.new(:only, :except, :plan, :generation, :variants) do
        # True if the entry is for these filters.
        def for?(only, except)
          same?(self.only, only) && same?(self.except, except)
        end

        private

        def same?(own, given)
          own.equal?(given) || Cache.same?(own, given)
        end
      end
    end
  end
end
