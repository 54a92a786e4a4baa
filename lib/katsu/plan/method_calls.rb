# frozen_string_literal: true

module Katsu
  class Plan
    # The calls of a serializer's methods that its plan makes: which methods there are is known when it is compiled.
    class MethodCalls
      # description: what is declared for it, in its view.
      def initialize(serializer, description)
        @serializer = serializer
        @description = description
      end

      # The Serializer::Call that gives the value of an attribute or association, or nil if the object does.
      def value(declared)
        return declared.call if declared.call
        return refuse_method_of_key(declared) unless @serializer.method_field?(declared.name)

        refuse_arguments(declared.name, "gives the value of #{declared.inspect}", example(declared))
        Serializer::Call.new(declared.name, 0).freeze
      end

      # The Serializer::Conditions of an attribute or association.
      def conditions(declared)
        declared.conditions.each do |condition|
          next if condition.call.body

          name = condition.call.name
          refuse_unknown(declared, name) unless method?(name)
          refuse_arguments(name, "is a condition of #{declared.inspect}", "if: ->(object) { #{name}(object) }")
        end
      end

      private

      # A method of the author's or of Katsu::Serializer; not what every object has, which would be asked of the serializer.
      def method?(name)
        Serializer::MethodFields.method?(@serializer, name) || (Serializer.public_method_defined?(name) && !Object.public_method_defined?(name))
      end

      # It would not be called, and what it was to hide would be written.
      def refuse_method_of_key(declared)
        return if declared.key == declared.name.name || !@serializer.method_field?(declared.key.to_sym)
        return if @description.reads?(declared.key.to_sym)

        raise Error, "#{@serializer}: #{declared.inspect} reads #{declared.name} of the object, and the method #{declared.key} is not " \
                     "called; name the method #{declared.name}, or write attributes #{declared.key.to_sym.inspect}"
      end

      def refuse_unknown(declared, name)
        known = @serializer.public_instance_methods - Object.public_instance_methods
        raise Error, "#{@serializer}: #{declared.inspect} has the condition #{name.inspect}, which is no method of it." \
                     "#{NearestName.hint(name, known)} A method of the object is asked by if: ->(object) { object.#{name} }"
      end

      # They would be an ArgumentError, for each object.
      def refuse_arguments(name, role, instead)
        required = @serializer.instance_method(name).parameters.filter_map do |kind, parameter|
          kind == :keyreq ? "#{parameter}:" : (parameter || "_").to_s if %i[req keyreq].include?(kind)
        end
        return if required.empty?

        raise Error, "#{@serializer}: the method #{name}(#{required.join(", ")}) #{role} and is called without arguments; " \
                     "a method of a module that is meant for something else gives way to #{instead}"
      end

      def example(declared)
        word = declared.is_a?(Serializer::Attribute) ? "attribute" : declared.kind
        "#{word}(#{declared.name.inspect}) { |object| ... }"
      end
    end
  end
end
