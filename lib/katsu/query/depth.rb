# frozen_string_literal: true

module Katsu
  module Query
    # How often a path through a plan has entered each association whose depth counts.
    class Depth
      def initialize(entered = {}.compare_by_identity)
        @entered = entered
      end

      # False of a step that is left out here, as it stands within itself too often.
      def allows?(step)
        !step.limited? || @entered.fetch(step.identity, 0) < step.depth
      end

      # The Depth below the step.
      def below(step)
        return self unless step.limited?

        entered = @entered.dup
        entered[step.identity] = entered.fetch(step.identity, 0) + 1
        Depth.new(entered)
      end

      NONE = Ractors.share(new)
    end
  end
end
