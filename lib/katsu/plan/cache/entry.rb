# frozen_string_literal: true

module Katsu
  class Plan
    module Cache
      # What was compiled for one pair of filters: the plan, or one for each set of answers that filters_for gave.
      Entry = Struct.new(:only, :except, :plan, :generation, :variants) do
        def for?(only, except)
          (self.only.equal?(only) || Cache.same?(self.only, only)) && (self.except.equal?(except) || Cache.same?(self.except, except))
        end
      end
    end
  end
end
