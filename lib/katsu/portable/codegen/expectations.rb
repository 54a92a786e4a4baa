# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # What the value of a Hash's key or of an attr_reader is expected to be: what it is in the first object, which is
      # looked at without calling any code of its own. The generated code checks each value; a wrong expectation only
      # takes longer.
      module Expectations
        VARIABLE_NAME = /\A[[:alpha:]_][[:word:]]*\z/u
        private_constant :VARIABLE_NAME

        class << self
          # The name of the cast that writes such values, or nil.
          def cast(step, access, klass, object)
            case access.how
            when Source::KEY
              cast_of(object.fetch(step.name) { object.fetch(access.column, nil) }) if klass.equal?(::Hash)
            when Source::METHOD
              cast_of(variable(object, step.name)) if attr_reader?(klass, step.name)
            end
          end

          # True if the first Hash has a String key.
          def string_key?(step, access, klass, object)
            klass.equal?(::Hash) && !object.key?(step.name) && object.key?(access.column)
          end

          private

          # Not a constant: an UnboundMethod is not shareable.
          def variable(object, name)
            ::Kernel.instance_method(:instance_variable_get).bind_call(object, :"@#{name}")
          end

          # nil mostly stands for a String.
          def cast_of(value)
            case value
            when nil, ::String then :string
            when ::Integer then :integer
            end
          end

          # Methods written in Ruby have instructions, methods in C have no source location. An alias may have a name
          # that no variable can have.
          def attr_reader?(klass, name)
            return false unless defined?(::RubyVM::InstructionSequence) && VARIABLE_NAME.match?(name)
            return false unless klass.public_method_defined?(name)

            method = klass.instance_method(name)
            method.arity.zero? && method.source_location && ::RubyVM::InstructionSequence.of(method).nil?
          end
        end
      end
    end
  end
end
