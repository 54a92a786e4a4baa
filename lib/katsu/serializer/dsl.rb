# frozen_string_literal: true

module Katsu
  class Serializer
    # What a serializer class's body can say.
    module DSL
      # The names of columns, methods or Hash keys. A method of the same name that the serializer defines afterwards wins.
      def attributes(*names)
        names.each { |name| declare(Attribute.new(name)) }
      end

      # One attribute, its value from the block, which receives the object, where one is given.
      # if: a Symbol (a method of the serializer) or a callable run in the serializer; false leaves it out.
      def attribute(name, if: nil, &block)
        declare(Attribute.new(name, block: block, condition: binding.local_variable_get(:if)))
      end

      # aliases body: :text writes body under the key text.
      def aliases(names = {})
        names.each { |name, key| declare(Attribute.new(name, key: key)) }
      end

      # An object written by another serializer. Options: serializer: (a class, or its name), name: (the key),
      # only:, except:, if:, depth:. The name may be an association or any method.
      def has_one(name, options = nil, **keywords)
        declare(Association.new(self, :has_one, name, options ? options.merge(keywords) : keywords))
      end

      # A collection written by another serializer; options as for has_one, each_serializer: too.
      def has_many(name, options = nil, **keywords)
        declare(Association.new(self, :has_many, name, options ? options.merge(keywords) : keywords))
      end

      # What this class and its parents declare.
      def description
        changes = @changes
        described, description = @description
        return description if description && described == changes

        description = described_anew
        @description = [changes, description].freeze if Ractors.main? # not taken if another thread declares more meanwhile
        description
      rescue *Ractors::ISOLATION_ERRORS => e
        raise Error, Ractors.refusal(self, e)
      end

      # The plan for these filters; the same object each time. filters_for(context, scope), where the class
      # defines it, has the last word on only and except.
      def plan(only = nil, except = nil, context = nil, scope = nil)
        if !respond_to?(:filters_for)
          found = only.nil? && except.nil? ? @unfiltered : recent(only, except)
          found = look_up(only, except) unless found && found.generation == Plan.generation
          return found.plan if found
        else
          filters = filters_for(context, scope) || {}
          only = filters.fetch(:only, only)
          except = filters.fetch(:except, except)
        end
        Plan.for(self, only, except, context, scope)
      rescue *Ractors::ISOLATION_ERRORS => e
        raise Error, Ractors.refusal(self, e)
      end

      # A filter from what a client asks for, such as a query string's "id,title,author.name"; see Fields.parse.
      #
      #   PostSerializer.new(only: PostSerializer.fields(params[:fields], allow: [:id, :title, {author: [:name]}]))
      def fields(text, allow:)
        Fields.parse(self, text, allow)
      end

      # The plans made so far for this class; replaced whole, never changed. Another Ractor than the first adds its own for itself.
      def plans
        (Ractors.main? ? @plans : Ractors.local(:katsu_plans)[self] || @plans) || Plan::Cache::NO_PLANS
      end

      def plans=(plans)
        return @plans = plans if Ractors.main?

        kept = Ractors.local(:katsu_plans)
        kept.clear if kept.size >= Plan::Cache::LIMIT
        kept[self] = plans
      end

      private

      def recent(only, except)
        found = @recent # read once: another thread may put its own there
        found if found&.for?(only, except)
      end

      # The cache's entry of a plan that is still right, kept at hand: comparing with the last filters takes less time than
      # looking them up.
      def look_up(only, except)
        found = plans.find(only, except)
        return unless found&.plan && found.generation == Plan.generation

        only.nil? && except.nil? ? @unfiltered = found : @recent = found if Ractors.main?
        found
      end

      def declare(declared)
        add_declaration(declared)
        declared.name
      end

      # Attributes, Associations and, as Symbols, the names of methods, in the order of the class's body. Frozen, so that other
      # Ractors can read it.
      def own_declarations
        @own_declarations || [].freeze
      end

      def add_declaration(declared)
        @own_declarations = [*own_declarations, declared].freeze
        forget_plans
      rescue *Ractors::ISOLATION_ERRORS
        raise Error, "#{self}: a serializer is declared in the main Ractor; others can use it"
      end

      def described_anew
        own_declarations.reduce(inherited_description) do |description, declared|
          case declared
          when Attribute then description.with_attribute(declared)
          when Symbol then description.with_method(declared)
          else description.with_association(declared)
          end
        end
      end

      def inherited_description
        superclass.respond_to?(:description) ? superclass.description : Description.new
      end

      def method_added(name)
        super
        add_declaration(name)
      end

      def singleton_method_added(name)
        super
        forget_plans if name == :filters_for
      end

      # After a declaration, here or in a parent, nothing compiled before is right.
      def forget_plans
        ([self] + all_subclasses).each { |serializer| serializer.forget_own }
        Plan.changed # last: what is compiled from now on sees the change
      end

      def all_subclasses
        subclasses.flat_map { |subclass| [subclass] + subclass.send(:all_subclasses) }
      end

      protected

      def forget_own
        @changes = @changes.to_i + 1
        @plans = @recent = @unfiltered = nil
      end
    end
  end
end
