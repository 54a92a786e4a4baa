# frozen_string_literal: true

module Katsu
  class Serializer
    # What a serializer class's body can say. Whatever has no meaning is an ArgumentError when the class is loaded.
    #
    # A method of the serializer, of its parents or of a module included below Katsu::Serializer is the value of the attribute
    # or association of that name, wherever it is defined.
    module DSL
      include Methods::Watch

      CONDITIONS = %i[if unless].freeze
      private_constant :CONDITIONS

      # The names of columns, methods or Hash keys. if:, unless: see attribute.
      def attributes(*names, **options, &block)
        what = "attributes #{names.map(&:inspect).join(", ")}"
        refuse_block(what, "attribute(:name) { |object| ... }") if block
        Options.check_declared(self, what, options, CONDITIONS)
        refuse_word("attributes has #{options.keys.join(", ")}: and no names") if names.empty? && !options.empty?
        names = names.map { |name| Names.check(self, "attributes", name) }
        conditions = Condition.of(self, what, options)
        names.each { |name| declare(Attribute.new(name, conditions: conditions)) }
      end

      # One attribute, its value what the block returns if one is given. The block is given the object, and the context if it
      # takes two arguments; self is the serializer in it. if:, unless: a Symbol, a method of the serializer, or a callable that
      # takes the object or nothing and is run in the serializer; if one of them says no, the key is left out.
      def attribute(name, *others, **options, &block)
        refuse_word("attribute takes one name; for more: attributes :a, :b; for a value: attribute(:a) { |object| ... }") unless others.empty?
        name = Names.check(self, "attribute", name)
        what = "attribute #{name.inspect}"
        Options.check_declared(self, what, options, CONDITIONS)
        call = Call.define(self, block, 2, what) if block
        declare(Attribute.new(name, call: call, conditions: Condition.of(self, what, options)))
      end

      # aliases body: :text writes body under the key text. if:, unless: see attribute; an attribute of such a name is given in
      # a Hash: aliases({if: :condition}).
      def aliases(names = nil, *others, **options, &block)
        refuse_word("aliases takes names and keys, such as aliases body: :text") unless others.empty? && (names.nil? || names.is_a?(Hash))
        conditions = options.slice(*CONDITIONS)
        names = (names || {}).merge(options.except(*CONDITIONS))
        what = "aliases #{names.map { |name, key| "#{name}: #{key.inspect}" }.join(", ")}"
        refuse_block(what, "attribute(:key) { |object| ... }") if block
        refuse_word("aliases has #{conditions.keys.join(", ")}: and no names") if names.empty? && !conditions.empty?
        pairs = names.map { |name, key| [Names.check(self, what, name), Names.key(self, what, key)] }
        conditions = Condition.of(self, what, conditions)
        pairs.each { |name, key| declare(Attribute.new(name, key: key, conditions: conditions)) }
      end

      # An object written by another serializer. The name may be an association or any method. Options: serializer: (a class, or
      # its name), name: (the key), only:, except:, if:, unless:, depth:.
      #
      # A block that takes the object (and the context) gives the object to write; one without parameters declares the serializer:
      #
      #   has_one(:author) { |post| post.authors.first }
      #   has_one(:author) { attributes :id, :name }
      def has_one(name, *options, **keywords, &block)
        associate(:has_one, name, options, keywords, block)
      end

      # A collection written by another serializer; options and blocks as for has_one, each_serializer: too.
      def has_many(name, *options, **keywords, &block)
        associate(:has_many, name, options, keywords, block)
      end

      # True if a method of the serializer gives the value of what is declared under that name.
      def method_field?(name)
        Methods.own?(self, name)
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

      def associate(kind, name, options, keywords, block)
        name = Names.check(self, kind.name, name)
        what = "#{kind} #{name.inspect}"
        unless options.empty? || (options.size == 1 && options[0].is_a?(Hash))
          refuse_word("#{what}: options are keywords, such as #{what}, serializer: PostSerializer (got #{options.map(&:inspect).join(", ")})")
        end
        options = (options[0] || {}).merge(keywords)
        return declare(Association.new(self, kind, name, options)) unless block
        return declare(Association.new(self, kind, name, options, call: Call.define(self, block, 2, what))) if block.parameters.any?

        declare(Inline.association(self, kind, name, options, block))
      end

      def refuse_block(what, instead)
        refuse_word("#{what}: takes no block; a value is given by #{instead}")
      end

      def refuse_word(message)
        raise ArgumentError, "#{self}: #{message}"
      end

      def declare(declared)
        earlier = own_declarations.find { |one| !one.is_a?(Symbol) && one.key == declared.key }
        refuse_second(earlier, declared) if earlier && earlier.signature != declared.signature
        add_declaration(declared)
        Methods.declared(declared.name)
        declared.name
      end

      # The first would be ignored.
      def refuse_second(earlier, declared)
        refuse_word("#{declared.key} is declared twice: #{earlier.inspect} and #{declared.inspect} differ")
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
          declared.is_a?(Symbol) ? description.with_method(declared) : description.with(declared)
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
