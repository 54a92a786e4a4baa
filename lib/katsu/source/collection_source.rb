# frozen_string_literal: true

module Katsu
  module Source
    # What is given by mistake where one object is written. Told from objects when its class is met, not for each object.
    module CollectionSource
      def self.bind(plan, _klass)
        [COLLECTION, nil, plan.steps.map { |step| Access.new(DYNAMIC, 0, -step.name.name) }]
      end
    end
  end
end
