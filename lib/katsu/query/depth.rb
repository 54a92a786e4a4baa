# frozen_string_literal: true

module Katsu
  module Query
    # How often the paths to a place in a plan have entered each association whose depth counts. There are several paths
    # if several associations of a serializer are the same one of the model.
    class Depth
      # paths: a Hash for each, from an association's identity to how often it was entered.
      def initialize(paths = [{}.compare_by_identity])
        @paths = paths
      end

      # False of a step that is left out here on every path, as it stands within itself too often.
      def allows?(step)
        !step.limited? || @paths.any? { |entered| within?(entered, step) }
      end

      # The Depth below the step.
      def below(step) = through([step])

      # The Depth of a plan that both this one and other lead to. other: a Depth or nil.
      def or(other)
        return self if other.nil? || other.equal?(self)

        Depth.new(least((@paths + other.paths).uniq))
      end

      # The Depth below one of the steps, whichever it is.
      def through(steps)
        return self unless steps.any?(&:limited?)

        Depth.new(least(steps.flat_map { |step| paths_below(step) }.uniq))
      end

      # The same for Depths that allow the same.
      def key
        @paths.map { |entered| entered.map { |identity, times| [identity.object_id, times] }.sort }.sort
      end

      protected

      attr_reader :paths

      private

      def within?(entered, step) = entered.fetch(step.identity, 0) < step.depth

      def paths_below(step)
        return @paths unless step.limited?

        allowing = @paths.select { |entered| within?(entered, step) }
        allowing.map { |entered| entered.dup.tap { |more| more[step.identity] = entered.fetch(step.identity, 0) + 1 } }
      end

      # Without those that allow no more than another one does, which has entered fewer.
      def least(paths)
        fewer = paths.group_by { |path| path.sum { |_, times| times } }
        return paths if fewer.size == 1

        paths.reject do |path|
          times = path.sum { |_, count| count }
          fewer.any? { |count, others| count < times && others.any? { |other| allows_as_much?(other, path) } }
        end
      end

      def allows_as_much?(one, other) = one.all? { |identity, times| times <= other.fetch(identity, 0) }

      NONE = Ractors.share(new)
    end
  end
end
