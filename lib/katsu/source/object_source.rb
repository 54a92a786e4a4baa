# frozen_string_literal: true

module Katsu
  module Source
    # Any other object: its public methods.
    module ObjectSource
      class << self
        # See Source.bind.
        def bind(plan, klass)
          accesses = plan.steps.map do |step|
            Access.new(klass.public_method_defined?(step.name) ? METHOD : DYNAMIC, -step.name.name)
          end
          [OBJECT, nil, accesses]
        end

        # See Source.read.
        def read(serializer, object, name)
          raise UnknownAttributeError.new(serializer, name, object) unless Source.responds?(object, name)

          return object.public_send(name) if ::Object === object

          ::Kernel.instance_method(:public_send).bind_call(object, name)
        end
      end
    end
  end
end
