# frozen_string_literal: true

module Katsu
  class Plan
    # One key of a plan.
    #
    # kind: :attribute (found in the object), :method (of the serializer), :block, :has_one, :has_many.
    # name: what is read; key: the key in JSON; plan: of an association, a Plan or a Choice; depth: how often an association
    # may stand within itself, nil where that is not counted; identity: what tells it in all plans.
    class Step
      # The order in which kinds are written, and their numbers in the native backend.
      KINDS = %i[attribute method block has_one has_many].freeze
      RANKS = {attribute: 0, method: 1, block: 1, has_one: 2, has_many: 3}.freeze

      attr_reader :key, :kind, :name, :block, :condition, :plan, :depth, :identity

      def initialize(key:, kind:, name:, block: nil, condition: nil, plan: nil, depth: nil, identity: nil)
        @key = key
        @kind = kind
        @name = name
        @block = block
        @condition = condition.is_a?(Symbol) || condition.is_a?(String) ? condition.to_sym : condition
        @plan = plan
        @depth = depth
        @identity = identity
        freeze
      end

      def rank
        RANKS[@kind]
      end

      # True where the step is left out when it stands within itself too often.
      def limited?
        !@depth.nil?
      end

      # The key as JSON writes it, with the colon.
      def json_key
        "#{::JSON.generate(@key)}:"
      end
    end
  end
end
