# frozen_string_literal: true

module Katsu
  class Serializer
    # The methods that a serializer class defines, with those of its parents and of modules included below
    # Katsu::Serializer. Which of them are values is decided when a plan is compiled; a method defined later makes plans
    # stale.
    module MethodFields
      @names = {filters_for: true, initialize: true} # the names that are declared in any class, and those refused

      class << self
        # True if the serializer class defines a method of that name. below: a Call of a block; only what is defined
        # below the class that declares the block counts: in a child, in a module of one, in one that is prepended.
        def method?(serializer, name, below: nil)
          return false unless serializer.method_defined?(name) || serializer.private_method_defined?(name)

          last = serializer.instance_method(below.name).owner if below
          owners(serializer).take_while { |owner| !owner.equal?(last) }.any? do |owner|
            owner.method_defined?(name, false) || owner.private_method_defined?(name, false)
          end
        end

        # The serializer, its parents and their modules, below Katsu::Serializer and what is prepended to it.
        def owners(serializer)
          serializer.ancestors.take_while { |owner| !(Serializer <= owner) }
        end

        # Begins to watch the modules of the serializer.
        def watch(serializer)
          return unless Ractors.main? # what others compile is not kept

          owners(serializer).each do |owner|
            next if owner.frozen? || owner.singleton_class.include?(Watch)

            owner.singleton_class.prepend(Watch)
          end
        end

        # Raises ArgumentError if the serializer class defines initialize. It would be run by new alone, not for the
        # instances that fields of collections, documents and associations run in: what it sets would be nil there.
        def refuse_initialize(serializer)
          return unless method?(serializer, :initialize)

          raise ArgumentError, "#{serializer}: initialize is not run for the instance that method fields run in; " \
                               "give what they need as context: or scope:, or make it in a method that they call, " \
                               "such as def tag = @tag ||= \"tag\""
        end

        # Called when an attribute or association of that name is declared.
        def declared(name)
          @names[name] = true
        end

        # Called when a method of that name is defined or removed: plans are stale if an attribute or association has
        # that name.
        def changed(name)
          Declarations.changed if Ractors.main? && @names.key?(name)
        end

        # Called when a serializer, or a module of one, includes a module or is extended by one. What is included is
        # watched from when plans are made anew.
        def module_added
          Declarations.changed if Ractors.main?
        end
      end

      # Extends serializer classes, and the modules that they include: reports changes to MethodFields.
      module Watch
        def include(*)
          super.tap { MethodFields.module_added }
        end

        def prepend(*)
          super.tap { MethodFields.module_added }
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
