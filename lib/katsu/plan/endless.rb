# frozen_string_literal: true

module Katsu
  class Plan
    # In the place of a plan that would contain itself without end; see Compiler.
    class Endless < Polymorphic
      def initialize(message)
        @message = message.freeze
        freeze
      end

      def plan_for(*)
        raise Error, @message
      end
    end
  end
end
