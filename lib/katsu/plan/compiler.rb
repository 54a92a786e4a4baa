# frozen_string_literal: true

module Katsu
  class Plan
    # Turns a description and filters into a plan.
    class Compiler
      # What the compilers of one tree share. compilers: by the serializer, the filters and the serializers around it,
      # which decide a plan; plans: those that are the same everywhere in the tree, by the serializer and the filters;
      # bits: a bit for each serializer; answers: what filters_for of nested serializers returned, by serializer;
      # reached: the serializers of plans and of all below them.
      Tree = Struct.new(:compilers, :plans, :bits, :answers, :reached) do
        def self.empty = new({}, {}, {}, {}, {}.compare_by_identity)
        def bit(serializer) = bits[serializer] ||= 1 << bits.size
        def serializers(plan) = reached[plan] ||= plan.serializers
      end

      # How many plans one tree may have. Serializers that lead back into each other with a depth have a plan for each
      # set of serializers around them, and the number of these sets doubles with each serializer.
      MAX_PLANS = 10_000

      # form: the serializer class, or one of its forms. outer: the forms that are being compiled around this one,
      # outermost first; within: the same as bits; entered: how often this path leads through each association with a
      # depth.
      def initialize(form, only, except, context, scope,
                     outer: [], within: 0, entered: {}, tree: Tree.empty)
        @form = form
        @serializer = Serializer::Form.class_of(form)
        @only = only
        @except = except
        @context = context
        @scope = scope
        @outer = outer + [form]
        @within = within | tree.bit(form)
        @entered = entered
        @tree = tree
        @generation = Serializer::Declarations.generation # a declaration from now on, in another thread, may be missed
      end

      # The plan, kept for the next time if it does not depend on the serializers around it. A plan may contain itself.
      # Raises InvalidFilterError, SerializerNotFoundError and Error.
      def plan
        return @plan if @plan

        Serializer::MethodFields.watch(@serializer)
        @description = @form.description # another thread may declare more meanwhile
        @calls = MethodCalls.new(@serializer, @description)
        @filters = Filters.new(@form, @only, @except)
        @plan = (@serializer.cache_rule ? Cached : Plan).allocate
        @tree.compilers[[@form, @only, @except, @within]] ||= self
        @keys = Serializer::KeyTransform.written(@form, @description.keys)
        steps = (attribute_steps + association_steps).each_with_index.sort_by { |step, index| [step.rank, index] }
        @plan.__send__(:initialize, @serializer, steps.map(&:first))
        Cache.store(@form, @only, @except, @plan, @generation, @tree.answers) if keep?
        @tree.plans[[@form, @only, @except]] = @plan unless depends_on_ancestors?
        @plan
      end

      # True if the plan would be another one elsewhere in the tree: a serializer in it contains one around it.
      def depends_on_ancestors?
        @depends_on_ancestors || !@entered.empty?
      end

      private

      # True for the outermost plan, and for a nested one that is the same elsewhere.
      def keep?
        @outer.size == 1 || (!depends_on_ancestors? && @tree.answers.empty?)
      end

      def attribute_steps
        kept = @description.attributes.each_value.select { |attribute| @filters.keep?(attribute.key.to_sym) }
        kept.map do |attribute|
          own = @calls.value(attribute)
          call = attribute.ruled(own)
          Step.new(key: @keys[attribute.key], kind: call ? :method : :attribute, name: attribute.name, call: call,
                   conditions: @calls.conditions(attribute), needs: attribute.needs, rank: own ? 1 : 0,
                   reads: attribute.reads?(call), ruled: attribute.only_ruled?(call), view: view)
        end
      end

      def association_steps
        kept, left_out = @description.associations.each_value.partition do |association|
          @filters.keep?(*@description.filter_names(association))
        end
        left_out.each { |association| check_filters(association) if @filters.nested(association).any? }
        kept.filter_map { |association| association_step(association) }
      end

      # Refuses unknown names in the filters of an association that is left out.
      def check_filters(association)
        return polymorphic_plan(association) if association.serializer.is_a?(Hash)

        target = nested_form(association, Serializer::Resolver.resolve(association))
        Filters.new(target, *@filters.nested(association)) unless contextual?(target)
      end

      # nil if the association may not lead into a serializer around it.
      def association_step(association)
        if association.serializer.is_a?(Hash)
          plan = polymorphic_plan(association)
          depth = association.depth
        else
          target = nested_form(association, Serializer::Resolver.resolve(association))
          depth = association.depth if leads_back?(target)
          @depends_on_ancestors ||= !depth.nil? || within?(target)
          # With depth: 0 nothing is written; filters are compiled all the same, as unknown names in them are refused.
          plan = nested_plan(association, target, depth) unless depth&.zero? && declared_filters(association).none?
        end
        return if plan.nil? || depth&.zero?

        Step.new(key: @keys[association.key], kind: association.kind, name: association.name,
                 call: @calls.value(association), conditions: @calls.conditions(association), plan: plan, depth: depth,
                 identity: association.identity, needs: association.needs, object_key: association.object_key,
                 view: view)
      end

      def view
        @form.view if @form.is_a?(Serializer::Form)
      end

      def nested_form(association, serializer)
        serializer.form_within(@form, association.view)
      rescue ::ArgumentError => e # it has no such view
        raise e.class, "#{@serializer}: #{association.inspect}: #{e.message}"
      end

      # True if an association to target leads back into a serializer around it: then its depth counts. A view, a parent
      # and a subclass have the same association.
      def leads_back?(target)
        target = Serializer::Form.class_of(target)
        return true if around.key?(target)

        target = target.superclass until target.equal?(Serializer) || around[target]
        !target.equal?(Serializer)
      end

      # The serializers around it: true; their parents: false. It is made once, as a plan may have many associations.
      def around
        @around ||= @outer.each_with_object({}.compare_by_identity) do |outer, found|
          found[parent = Serializer::Form.class_of(outer)] = true
          found[parent] ||= false until (parent = parent.superclass).equal?(Serializer)
        end
      end

      # True if target is around it in the same form, so that its plan would contain itself.
      def within?(target)
        (@within & @tree.bit(target)).positive?
      end

      def polymorphic_plan(association)
        serializers = association.serializer.to_h do |klass, given|
          serializer = Serializer::Resolver.resolve(association, given)
          [Serializer::Association.class_name(klass), nested_form(association, serializer)]
        end
        declared = Filters.declared_by(serializers.values)
        targets = serializers.transform_values do |serializer|
          only, except = Filters.of_one(serializer, declared, *declared_filters(association))
          # Refuse now the names that none of them declares, in nested filters too.
          Filters.new(serializer, only, except)
          serializer.plan(only, except, @context, @scope) if @filters.nested(association).any?(Hash)
          [Serializer::Form.class_of(serializer), only, except, association.view, @form.given_transform]
        end
        Polymorphic.new(@serializer, association, targets)
      end

      def nested_plan(association, target, depth)
        # nested writes the object itself. If it leads back, it does so by an association in it, and that has a depth.
        return endless(association, target) if within?(target) && !depth && !association.call&.itself?

        only, except = nested_filters(association, target)
        found = shared_plan(target, only, except) unless depth
        return found if found && @tree.serializers(found).none? { |one| leads_back?(one) }

        compiler = nested_compiler(target, only, except, depth ? entered_again(association) : @entered)
        plan = compiler.plan
        @depends_on_ancestors ||= compiler.depends_on_ancestors?
        plan
      end

      # A plan that does not depend on what is around it, or nil.
      def shared_plan(target, only, except)
        @tree.plans[[target, only, except]] || (Cache.shared(target, only, except) unless contextual?(target))
      end

      # The compiler of a nested plan: the filters and the serializers around it decide what a plan is, not the path to
      # it.
      def nested_compiler(target, only, except, entered)
        @tree.compilers[[target, only, except, @within | @tree.bit(target)]] ||=
          Compiler.new(target, only, except, @context, @scope,
                       outer: @outer, within: @within, entered: entered, tree: within_limit)
      end

      # The tree. Raises Error if it has as many plans as it may.
      def within_limit
        return @tree if @tree.compilers.size < MAX_PLANS

        raise Error, "#{@outer.first}: its associations lead back into each other in over #{MAX_PLANS} ways; leave " \
                     "some out with only: or except:, or give them serializers that have fewer associations"
      end

      def entered_again(association)
        @entered.merge(association => @entered.fetch(association, 0) + 1)
      end

      # The filters for the association: given from outside and declared.
      def declared_filters(association)
        Filters.over([association.only, association.except], @filters.nested(association))
      end

      # If the nested class defines filters_for, its result replaces them.
      def nested_filters(association, target)
        only, except = declared_filters(association)
        return [only, except] unless contextual?(target)

        answer = @tree.answers[Serializer::Form.class_of(target)] = Filters.of_class(target, @context, @scope)
        Filters.answered(target, answer, only, except)
      end

      def contextual?(target) = Filters.of_class?(target)

      # Raises Error, unless the path is deeper than the depth of its associations allows: such a path is compiled for
      # others that share its plans, and refused only if an object takes it.
      def endless(association, target)
        chain = (@outer + [target]).join(" > ")
        message = "#{@serializer}: #{association.name.inspect} leads back into #{target} (#{chain}); " \
                  "say how often it may: #{association.kind} #{association.name.inspect}, depth: 3"
        raise Error, message if @entered.all? { |outer, times| times <= outer.depth }

        Endless.new(message)
      end
    end
  end
end
