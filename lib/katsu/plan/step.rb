# frozen_string_literal: true

module Katsu
  class Plan
    # One key of a plan.
    #
    # kind: :attribute (found in the object), :method (of the serializer), :block, :has_one, :has_many.
    # name: what is read; key: the key in JSON; plan: of an association.
    class Step
      # The order in which kinds are written, and their numbers in the native backend.
      KINDS = %i[attribute method block has_one has_many].freeze
      RANKS = {attribute: 0, method: 1, block: 1, has_one: 2, has_many: 3}.freeze

      attr_reader :key, :kind, :name, :block, :condition, :plan

      def initialize(key:, kind:, name:, block: nil, condition: nil, plan: nil)
        @key = key
        @kind = kind
        @name = name
        @block = block
        @condition = condition.is_a?(Symbol) || condition.is_a?(String) ? condition.to_sym : condition
        @plan = plan
        freeze
      end

      def rank
        RANKS[@kind]
      end

      # True where a step of a depth of its own may be left out.
      def limited?
        @plan.is_a?(Choice) && !@plan.depth.nil?
      end

      # The key as JSON writes it, with the colon.
      def json_key
        "#{::JSON.generate(@key)}:"
      end
    end
  end
end
