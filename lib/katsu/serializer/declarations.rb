# frozen_string_literal: true

module Katsu
  class Serializer
    # The declarations of a serializer class, in the order of its body. Plans are forgotten when they change.
    module Declarations
      include MethodFields::Watch

      @generation = 0

      class << self
        # Counts declarations of all classes. A plan holds its associations' plans, so it is as old as the youngest of
        # them.
        attr_reader :generation

        # Something was declared: what was compiled before is stale.
        def changed
          @generation += 1
          Native.code_changed if defined?(Native)
        end
      end

      # True if the value of the attribute or association of that name and key is the result of a method of the
      # serializer.
      def method_field?(name, _key)
        MethodFields.method?(self, name)
      end

      # True if only: [] is no filter, as in Panko.
      def empty_only_ignored? = false

      # The Description of what this class and its parents declare.
      def description
        changes = @changes
        described, description = @description
        return description if description && described == changes

        description = describe
        # Not found the next time if another thread declares more meanwhile.
        @description = [changes, description].freeze if Ractors.main?
        description
      rescue *Ractors::ISOLATION_ERRORS => e
        raise Error, Ractors.refusal(self, e)
      end

      def all_subclasses # :nodoc:
        subclasses.flat_map { |subclass| [subclass] + subclass.all_subclasses }
      end

      # True if an attribute, an association or a view is declared in this class itself.
      def declares? # :nodoc:
        own_declarations.any? { |declared| !declared.is_a?(Symbol) } || !own_views.empty?
      end

      # A copy of the class declares the same; what was found out for this class is not of the copy.
      def dup = super.tap { |copy| copy.forget_original }
      def clone(...) = super.tap { |copy| copy.forget_original }

      # The modules may have a filters_for, which makes plans stale.
      def extend(*modules)
        super
        MethodFields.module_added
        modules.each { |one| ReservedNames.check_module(self, one) }
        self
      end

      private

      def declare(declared)
        refuse_ractor unless Ractors.main?
        earlier = declared_here[declared.key]
        refuse_second(earlier, declared) if earlier && earlier.signature != declared.signature
        check_written_key(declared.key) unless @in_view # a view may leave out what it would meet
        declared_here[declared.key] ||= declared
        @in_view ? add_to_view(@in_view, [declared]) : add_declaration(declared)
        MethodFields.declared(declared.name)
        declared.name
      end

      def check_written_key(key)
        @written_keys = KeyTransform.check_added(self, key, inherited_description, @written_keys)
      end

      # What this class declares, in the view that is being declared or outside of views, by its key.
      def declared_here
        @declared_here ||= {}
        @declared_here[@in_view] ||= begin
          declarations = @in_view ? own_views[@in_view] : own_declarations
          declarations.each_with_object({}) { |one, keys| keys[one.key] ||= one if one.respond_to?(:key) }
        end
      end

      # Raises: the first of two different declarations would be ignored.
      def refuse_second(earlier, declared)
        raise ArgumentError, "#{self}: #{declared.key} is declared twice: " \
                             "#{earlier.inspect} and #{declared.inspect} differ"
      end

      # Attributes, Associations and, as Symbols, the names of methods, in the order of the class's body. Frozen, so
      # that other Ractors can read it.
      def own_declarations
        @own_declarations || [].freeze
      end

      def add_declaration(declared)
        @own_declarations = [*own_declarations, declared].freeze
        forget_plans
      rescue *Ractors::ISOLATION_ERRORS
        refuse_ractor
      end

      def refuse_ractor
        raise Error, "#{self}: a serializer is declared in the main Ractor; others can use it"
      end

      def describe
        inherited_description.with(own_declarations).with_views(own_views, own_declarations)
      end

      def inherited_description
        superclass.respond_to?(:description) ? superclass.description : Description.new
      end

      # A class that is being copied has what it copies, and no parents yet; nor has its singleton class.
      def method_added(name)
        super
        return unless self < Serializer

        MethodFields.refuse_initialize(self) if name == :initialize
        add_declaration(name)
      end

      def singleton_method_added(name)
        super
        ReservedNames.check(self, [name])
        forget_plans if name == :filters_for
      end

      def singleton_method_removed(name)
        super
        forget_plans if name == :filters_for
      end

      def singleton_method_undefined(name)
        super
        forget_plans if name == :filters_for
      end

      # After a declaration, here or in a parent, what was compiled before is stale.
      def forget_plans
        [self, *all_subclasses].each { |serializer| serializer.forget_own }
        Declarations.changed # last, so that what is compiled from now on sees the change
      end

      protected

      def forget_original
        @declared_here = @written_keys = nil
        forget_own
      end

      def forget_own
        @changes = @changes.to_i + 1
        forget_own_plans
        forget_own_forms
      end
    end
  end
end
