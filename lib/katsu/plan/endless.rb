# frozen_string_literal: true

module Katsu
  class Plan
    # Stands in the place of a plan that would contain itself without end; see Compiler. Raises Error if an object takes
    # it.
    class Endless < Polymorphic
      def initialize(message)
        @message = message.freeze
        freeze
      end

      # None is chosen.
      def serializers = []
      def plans(*) = []
      def inspect_targets(_keys) = ""

      # Raises Error.
      def plan_for(*)
        raise Error, @message
      end
    end
  end
end
