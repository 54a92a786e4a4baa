# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # What the value of a Hash's key or of an attr_reader is expected to be: what it is in the first object, which is
      # looked at without calling any code of its own. The generated code checks each value; a wrong expectation only
      # takes longer.
      module Expectations
        class << self
          # The name of the cast that writes such values, or nil.
          def cast(step, access, klass, object)
            case access.how
            when Source::KEY
              cast_of(object.fetch(step.name) { object.fetch(access.column, nil) }) if klass.equal?(::Hash)
            when Source::METHOD
              variable = variable_of(klass, step.name)
              cast_of(read(object, variable)) if variable
            end
          end

          # True if the first Hash has a String key.
          def string_key?(step, access, klass, object)
            klass.equal?(::Hash) && !object.key?(step.name) && object.key?(access.column)
          end

          private

          # Not a constant: an UnboundMethod is not shareable.
          def read(object, variable)
            ::Kernel.instance_method(:instance_variable_get).bind_call(object, variable)
          end

          # nil mostly stands for a String.
          def cast_of(value)
            case value
            when nil, ::String then :string
            when ::Integer then :integer
            end
          end

          # The name of the variable that the method, an attr_reader, returns; nil of any other method.
          def variable_of(klass, name)
            place = Source::Readers.place(klass.instance_method(name)) if klass.public_method_defined?(name)
            place if place.is_a?(::Symbol)
          end
        end
      end
    end
  end
end
