# frozen_string_literal: true

module Katsu
  class Serializer
    # The methods that a serializer class defines, with those of its parents and of modules included below
    # Katsu::Serializer. Which of them are values is decided when a plan is compiled; a method defined later makes plans
    # stale.
    module MethodFields
      @names = {filters_for: true} # the names that are declared in any class, and one that is refused

      class << self
        # True if the serializer class defines a method of that name.
        def method?(serializer, name)
          return false unless serializer.method_defined?(name) || serializer.private_method_defined?(name)

          owners(serializer).any? { |owner| defines?(owner, name) }
        end

        # True if a method of that name replaces the block that a parent declares. The method is defined below that
        # parent, and can be called without arguments; one of a module has no parameters at all, as Rails' helpers may
        # have the names of fields, such as tag. If the parent, or a class above it, has such a method too, it is one
        # that the block may call, and replaces nothing. block: its Call.
        def replaces?(serializer, name, block)
          all = owners(serializer)
          at = all.index(serializer.instance_method(block.name).owner)
          owner = all.find { |one| defines?(one, name) }
          return false if owner.nil? || all.drop(at).any? { |one| defines?(one, name) }

          arity = owner.instance_method(name).arity
          arity.zero? || (arity == -1 && owner.is_a?(Class))
        end

        # The serializer, its parents and their modules, below Katsu::Serializer and what is prepended to it.
        def owners(serializer)
          serializer.ancestors.take_while { |owner| !(Serializer <= owner) }
        end

        # Begins to watch the modules of the serializer, and those that it is extended by.
        def watch(serializer)
          return unless Ractors.main? # what others compile is not kept

          [*owners(serializer), *class_owners(serializer)].each do |owner|
            next if owner.frozen? || owner.singleton_class.include?(Watch)

            owner.singleton_class.prepend(Watch)
          end
        end

        # Raises ArgumentError for the initialize of a serializer class. It would be run by new alone, not for the
        # instances that fields of collections, documents and associations run in: what it sets would be nil there. The
        # initialize of a module, such as that of Rails' helpers for URLs, sets what the module needs and is not run.
        def refuse_initialize(serializer)
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

        private

        # Where methods of the class are defined, such as filters_for.
        def class_owners(serializer)
          serializer.singleton_class.ancestors.take_while { |owner| !(Serializer.singleton_class <= owner) }
        end

        def defines?(owner, name)
          owner.method_defined?(name, false) || owner.private_method_defined?(name, false)
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
