# frozen_string_literal: true

module Katsu
  module Portable
    # The checks of Ruby's C API, with the same messages, so that both backends raise the same errors.
    module ArgumentChecks
      class << self
        # Raises TypeError if value is not a type (a Class), as Check_Type does.
        def type(value, type)
          raise TypeError, "wrong argument type #{kind(value)} (expected #{type})" unless type === value
        end

        # Raises the FrozenError that Ruby raises when a frozen object is modified.
        def refuse_frozen(object)
          raise FrozenError.new("can't modify frozen #{object.class}: #{object.inspect}", receiver: object)
        end

        # Raises what Marshal raises for an object of C.
        def refuse_dump(object)
          raise TypeError, "no _dump_data is defined for class #{object.class}"
        end

        # How an error message names value: its class; nil, true and false by themselves.
        def kind(value)
          case value
          when nil, true, false then value.inspect
          else class_of(value)
          end
        end

        # The class of any object, a BasicObject included.
        def class_of(value)
          ::Kernel.instance_method(:class).bind_call(value)
        end

        # As C's CLASS_OF: the singleton class of a class or module, and of any object that was given methods.
        def own_class_of(value)
          singular = ::Module === value || ::Kernel.instance_method(:singleton_methods).bind_call(value).any?
          singular ? ::Kernel.instance_method(:singleton_class).bind_call(value) : class_of(value)
        end
      end
    end
  end
end
