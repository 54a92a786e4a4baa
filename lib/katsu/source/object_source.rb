# frozen_string_literal: true

module Katsu
  module Source
    # Any other object: its public methods.
    module ObjectSource
      class << self
        # See Source.bind.
        def bind(plan, klass)
          accesses = plan.steps.map do |step|
            Access.new(klass.public_method_defined?(step.name) ? METHOD : DYNAMIC, 0, -step.name.name)
          end
          [OBJECT, nil, accesses]
        end

        # See Source.read.
        def read(serializer, object, name)
          return object.public_send(name) if object.respond_to?(name)

          raise UnknownAttributeError.new(serializer, name, object)
        end
      end
    end
  end
end
