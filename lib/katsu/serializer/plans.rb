# frozen_string_literal: true

module Katsu
  class Serializer
    # The plans of a serializer class: found, or compiled.
    module Plans
      # The plan for these filters; the same object each time. If the class defines filters_for(context, scope), its
      # result replaces only and except. Raises InvalidFilterError, SerializerNotFoundError and Error.
      def plan(only = nil, except = nil, context = nil, scope = nil)
        if !respond_to?(:filters_for, true)
          found = only.nil? && except.nil? ? @unfiltered : recent_entry(only, except)
          found = look_up(only, except) unless found && found.generation == Declarations.generation
          return found.plan if found
        else
          only, except = Filters.answered(self, Filters.of_class(self, context, scope), only, except)
        end
        Plan.for(self, only, except, context, scope)
      rescue *Ractors::ISOLATION_ERRORS => e
        raise Error, Ractors.refusal(self, e)
      end

      # The Plan::Cache::Table of this class; replaced whole, never changed. Ractors other than the first keep what they
      # add to themselves.
      def plans
        (Ractors.main? ? @plans : Ractors.local(:katsu_plans)[self] || @plans) || Plan::Cache::NO_PLANS
      end

      # Replaces the table.
      def plans=(plans)
        return @plans = plans if Ractors.main?

        kept = Ractors.local(:katsu_plans)
        kept.clear if kept.size >= Plan::Cache::LIMIT
        kept[self] = plans
      end

      private

      # The entry used last, if it is for these filters.
      def recent_entry(only, except)
        found = @recent # read once: another thread may put its own there
        found if found&.for?(only, except)
      end

      # The cache's entry of a plan that is not stale, remembered: comparing with the last filters takes less time than
      # looking them up.
      def look_up(only, except)
        found = plans.find(only, except)
        return unless found&.plan && found.generation == Declarations.generation

        only.nil? && except.nil? ? @unfiltered = found : @recent = found if Ractors.main?
        found
      end

      def forget_own_plans
        @plans = @recent = @unfiltered = nil
      end
    end
  end
end
