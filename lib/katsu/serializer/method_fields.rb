# frozen_string_literal: true

module Katsu
  class Serializer
    # The methods that authors write for serializers: those of a class, of its parents and of modules included below
    # Katsu::Serializer. Which of them are values is decided when a plan is compiled; a method that comes later makes plans stale.
    module MethodFields
      @names = {} # what has been declared so far, in any class

      class << self
        # True where the serializer has a method of its own by that name.
        def method?(serializer, name)
          return false unless serializer.method_defined?(name) || serializer.private_method_defined?(name)

          owners(serializer).any? { |owner| owner.method_defined?(name, false) || owner.private_method_defined?(name, false) }
        end

        # The serializer, its parents and their modules, below Katsu::Serializer and what is prepended to it.
        def owners(serializer)
          serializer.ancestors.take_while { |owner| !(Serializer <= owner) }
        end

        # From now on, what changes in the modules of the serializer is noticed.
        def watch(serializer)
          return unless Ractors.main? # what others compile is not kept

          owners(serializer).each do |owner|
            next if owner.is_a?(Class) || owner.frozen? || owner.singleton_class.include?(Watch)

            owner.singleton_class.prepend(Watch)
          end
        end

        # An attribute or association reads that name.
        def declared(name)
          @names[name] = true
        end

        # A method of that name has come or gone.
        def changed(name)
          Declarations.changed if Ractors.main? && @names.key?(name)
        end

        # owner, a serializer or a module of one, has got another module.
        def module_added(owner)
          return unless Ractors.main?

          watch(owner)
          Declarations.changed
        end
      end

      # Of serializer classes, and of the modules that they include.
      module Watch
        def include(*)
          super.tap { MethodFields.module_added(self) }
        end

        def prepend(*)
          super.tap { MethodFields.module_added(self) }
        end

        private

        def method_added(name)
          super
          MethodFields.changed(name)
        end

        def method_removed(name)
          super
          MethodFields.changed(name)
        end

        def method_undefined(name)
          super
          MethodFields.changed(name)
        end
      end
    end
  end
end
