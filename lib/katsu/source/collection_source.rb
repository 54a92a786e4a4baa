# frozen_string_literal: true

module Katsu
  module Source
    # A collection given by mistake in the place of one object. Recognized when its class is met, not for each object.
    module CollectionSource
      # See Source.bind.
      def self.bind(plan, _klass)
        [COLLECTION, nil, plan.steps.map { |step| Access.new(DYNAMIC, -step.name.name) }]
      end
    end
  end
end
