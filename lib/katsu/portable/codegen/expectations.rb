# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # What kind of value a key or a reader that is no column will have: that of the first object, which is looked at without
      # calling any code of its own. The generated code checks each value; a wrong guess only takes longer.
      module Expectations
        VARIABLE_NAME = /\A[[:alpha:]_][[:word:]]*\z/u
        private_constant :VARIABLE_NAME

        class << self
          # A kind that ValueCode has code for, or nil.
          def kind(step, access, klass, object)
            case access.how
            when Source::KEY
              kind_of(object.fetch(step.name) { object.fetch(access.column, nil) }) if klass.equal?(::Hash)
            when Source::METHOD
              kind_of(variable(object, step.name)) if attr_reader?(klass, step.name)
            end
          end

          # True where the first Hash has a String key.
          def string_key?(step, access, klass, object)
            access.how == Source::KEY && klass.equal?(::Hash) && !object.key?(step.name) && object.key?(access.column)
          end

          private

          # A constant could not be read by Ractors.
          def variable(object, name)
            ::Kernel.instance_method(:instance_variable_get).bind_call(object, :"@#{name}")
          end

          # nil comes mostly in the place of a String.
          def kind_of(value)
            case value
            when nil, ::String then :string
            when ::Integer then :integer
            end
          end

          # Methods in Ruby have instructions, those in C no place in a file. An alias may have a name that no variable has.
          def attr_reader?(klass, name)
            return false unless defined?(::RubyVM::InstructionSequence) && klass.public_method_defined?(name) && VARIABLE_NAME.match?(name)

            method = klass.instance_method(name)
            method.arity.zero? && method.source_location && ::RubyVM::InstructionSequence.of(method).nil?
          end
        end
      end
    end
  end
end
