# frozen_string_literal: true

module Katsu
  class Plan
    # Finds out which methods of a serializer its plan calls. Which methods there are is known when the plan is
    # compiled.
    class MethodCalls
      # description: what is declared for it, in its view.
      def initialize(serializer, description)
        @serializer = serializer
        @description = description
        refuse_filters_for
      end

      # The Serializer::Call that gives the value of an attribute or association, or nil if the object has the value.
      # Raises Error for a method that cannot be called so.
      def value(declared)
        unless value?(declared, declared.name)
          refuse_method_of_key(declared)
          return declared.call
        end

        refuse_arguments(declared.name, "gives the value of #{declared.inspect}", example(declared))
        Serializer::Call.new(declared.name, 0).freeze
      end

      # The Serializer::Conditions of an attribute or association. Raises Error for a method that is not there or needs
      # arguments.
      def conditions(declared)
        declared.conditions.each do |condition|
          next if condition.call.body

          name = condition.call.name
          refuse_unknown(declared, name) unless method?(name)
          refuse_arguments(name, "is a condition of #{declared.inspect}", "if: ->(object) { #{name}(object) }")
        end
      end

      private

      # True if a method of that name gives the value of what is declared. Without the method it would be the object's
      # value, the object itself (nested), or what a block gives.
      def value?(declared, name)
        call = declared.call
        return @serializer.method_field?(name, declared.key) unless call
        return Serializer::MethodFields.method?(@serializer, name) if call.itself?

        Serializer::MethodFields.replaces?(@serializer, name, call)
      end

      # True for a method that the class or Katsu::Serializer defines. The methods of every object do not count: they
      # would be called on the serializer instead of the object.
      def method?(name)
        Serializer::MethodFields.method?(@serializer, name) ||
          (Serializer.public_method_defined?(name) && !Object.public_method_defined?(name))
      end

      # Raises ArgumentError for filters_for as a method of instances: it would not be called, and what it was to leave
      # out would be written. If the class has a method of that name too, the same or one of its own, that one is meant.
      def refuse_filters_for
        return unless Serializer::MethodFields.method?(@serializer, :filters_for) && !@description.reads?(:filters_for)

        own = @serializer.instance_method(:filters_for)
        from = since { |klass| owner_of { klass.instance_method(:filters_for) } }
        return if Filters.of_class?(@serializer) && since { |klass| owner_of { klass.method(:filters_for) } } <= from

        raise ArgumentError, "#{@serializer}: filters_for of #{own.owner} is a method of instances and not called; " \
                             "write def self.filters_for(context, scope), or extend the class with its module"
      end

      # nil if there is no such method.
      def owner_of
        yield.owner
      rescue ::NameError
        nil
      end

      # The highest of the class and its parents for which the block still gives what it gives for the class.
      def since
        parents = @serializer.ancestors.grep(::Class).take_while { |klass| klass < Serializer }
        parents.take_while { |klass| yield(klass) == yield(@serializer) }.last
      end

      # Raises: such a method would not be called, and the value it was to replace would be written.
      def refuse_method_of_key(declared)
        key = declared.key.to_sym
        return if key == declared.name || !value?(declared, key)
        return if @description.reads?(key)

        raise Error, "#{@serializer}: #{declared.inspect} #{source(declared)}, " \
                     "and the method #{declared.key} is not called; name the method #{declared.name}, " \
                     "or write attributes #{declared.key.to_sym.inspect}"
      end

      def source(declared)
        return "reads #{declared.name} of the object" unless declared.call

        declared.call.itself? ? "writes the object itself" : "is what its block gives"
      end

      def refuse_unknown(declared, name)
        known = @serializer.public_instance_methods - Object.public_instance_methods
        raise Error, "#{@serializer}: #{declared.inspect} has the condition #{name.inspect}, " \
                     "which is no method of it.#{NearestName.hint(name, known)} " \
                     "A method of the object is called by if: ->(object) { object.#{name} }"
      end

      # Raises for a method that requires arguments: it would raise ArgumentError for each object.
      def refuse_arguments(name, role, instead)
        required = @serializer.instance_method(name).parameters.filter_map do |kind, parameter|
          kind == :keyreq ? "#{parameter}:" : (parameter || "_").to_s if %i[req keyreq].include?(kind)
        end
        return if required.empty?

        raise Error, "#{@serializer}: the method #{name}(#{required.join(", ")}) #{role} " \
                     "and is called without arguments; if it is meant for something else, write #{instead}"
      end

      def example(declared)
        word = declared.is_a?(Serializer::Attribute) ? "attribute" : declared.kind
        "#{word}(#{declared.name.inspect}) { |object| ... }"
      end
    end
  end
end
