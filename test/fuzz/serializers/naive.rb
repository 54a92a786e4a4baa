# frozen_string_literal: true

module Fuzz
  # What serializers are to do, in the plainest way: the DSL's words, public readers and as_json. A Hash comes out.
  class Naive
    # rule: of an attribute, what is said of nil, of errors and of how the value is written.
    Field = Struct.new(:kind, :name, :key, :options, :block, :rule, :owner)
    RULE = %i[default omit_nil on_error type format].freeze

    class << self
      # Fuzz::Naive classes by the names that the sources give them.
      attr_accessor :registry

      def attributes(*names, **options) = names.each { |name| declare(:attribute, name, name, options) }

      def attribute(name, **options, &block)
        declare(:attribute, name, options.fetch(:name, name), options, block)
      end

      def aliases(**given)
        options = given.slice(:if, :unless)
        (given.to_a - options.to_a).each { |name, key| declare(:attribute, name, key, options) }
      end

      def has_one(name, **options, &block) = associate(:has_one, name, options, block)
      def has_many(name, **options, &block) = associate(:has_many, name, options, block)

      def nested(name, **options, &block)
        options = {**options, serializer: inline(block), nested: true}
        declare(:has_one, name, options.fetch(:name, name), options, proc { |object| object })
      end

      def omit_nil(given = true) = rules[:omit_nil] = given
      def on_error(given = nil, &block) = rules[:on_error] = given || block
      def transform_keys(kind = nil, &block) = @key_transform = kind || block

      def view(name, &block)
        @in_view = own_views[name] ||= []
        class_exec(&block)
        @in_view = nil
        viewed(fields, name) # raises if it cannot be
      end

      def include_view(name) = @in_view << [:include, name]
      def exclude(name) = @in_view << [:exclude, name]

      def own = @own ||= {}
      def own_views = @own_views ||= {}
      def rules = @rules ||= {**from_parent(:rules, {})}
      def key_transform = @key_transform || @inline_owner&.key_transform || from_parent(:key_transform, nil)

      # What this class and its parents declare, the last of each key.
      def fields = from_parent(:fields, {}).merge(own)

      # What they declare in views. What a class declares outside of them replaces what its parents' views declare.
      def views
        inherited = from_parent(:views, {}).transform_values do |words|
          words.map { |word, given, field| [word, given, word == :field ? own.fetch(given, field) : field] }
        end
        inherited.merge(own_views) { |_, before, more| before + more }
      end

      # A class that has what the view has.
      def in_view(name)
        return self unless name
        raise ArgumentError, "no view #{name}" unless views.key?(name)

        base = self
        (@in_views ||= {})[name] ||=
          Class.new(self).tap do |made|
            made.define_singleton_method(:fields) { base.viewed(base.fields, name) }
            made.define_singleton_method(:whole) { base }
          end
      end

      # The class that a view is of.
      def whole = self

      # within: the views that include this one. Raises ArgumentError for what has no meaning.
      def viewed(fields, name, within = [])
        raise ArgumentError, "#{name} includes itself" if within.include?(name)

        views.fetch(name).reduce(fields) do |found, (word, given, field)|
          case word
          when :include then viewed(found, given, [*within, name])
          when :exclude
            left = found.reject { |_, one| names_of(one).include?(given.to_s) }
            left.size < found.size ? left : raise(ArgumentError, "no #{given}")
          else found.merge(given => field)
          end
        end
      end

      # object as a Hash. outer: the classes around this one; depths: how often an association may still lead into them;
      # around: the rule for keys of the class that is written, if it has this one in place.
      def write(object, view: nil, **options)
        view ? in_view(view).write_all(object, **options) : write_all(object, **options)
      end

      def write_all(object, only: nil, except: nil, context: nil, scope: nil, transform_keys: nil, outer: [],
                    depths: {}.compare_by_identity, around: nil)
        only, except = last_word({only: only, except: except}, context, scope)
        check_names(only, except, [context, scope], outer)
        return if object.nil?

        serializer = new(object, context, scope)
        kept = fields.each_value.select { |field| keep?(field, only, except) }
        kept = kept.select { |field| serializer.conditions?(field.options) }
        given = {context: context, scope: scope, transform_keys: transform_keys, outer: outer + [self]}
        rule = @key_transform || around || key_transform
        kept.each_with_object({}) do |field, hash|
          inner = {**given, **filters_of(field, only, except), around: (rule if in_place?(field))}
          value = field.kind == :attribute ? serializer.value(field) : associated(serializer, field, depths, inner)
          hash[written(field.key.to_s, transform_keys || rule)] = value unless Katsu::Serializer::SKIP.equal?(value)
        end
      end

      def attribute_key?(name) = fields[name.to_s]&.kind == :attribute

      def association?(name)
        fields.each_value.any? { |field| field.kind != :attribute && names_of(field).include?(name.to_s) }
      end

      private

      def from_parent(what, otherwise) = superclass.respond_to?(what) ? superclass.public_send(what) : otherwise

      def declare(kind, name, key, options = {}, block = nil)
        field = Field.new(kind, name, key, options, block, (rule(options) if kind == :attribute), self)
        @in_view ? @in_view << [:field, key.to_s, field] : own[key.to_s] = field
      end

      def rule(options)
        given = {**rules, **options.slice(*RULE)}
        options.key?(:default) ? given.except(:omit_nil) : given
      end

      # A block without parameters declares the serializer.
      def associate(kind, name, options, block)
        inline = inline(block) if block&.parameters&.empty?
        given = inline || options[:serializer]
        viewed = ->(known) { named(known).in_view(options[:view]) }
        serializer = given.is_a?(Hash) ? given.transform_values(&viewed) : viewed.call(given)
        declare(kind, name, options.fetch(:name, name), {**options, serializer: serializer}, inline ? nil : block)
      end

      def inline(block)
        owner = self
        Class.new(Naive) do
          @inline_owner = owner
          class_exec(&block)
        end
      end

      def in_place?(field) = field.options[:serializer].instance_variable_defined?(:@inline_owner)

      # The key, as a rule of transform_keys says.
      def written(key, kind)
        first, *others = key.split("_")
        capital = ->(word) { word[0].upcase + word[1..] }
        case kind
        when nil, :none then key
        when :dash then [first, *others].join("-")
        when :lower_camel then [first, *others.map(&capital)].join
        when :camel then [first, *others].map(&capital).join
        else kind.call(key)
        end
      end

      def named(given) = given.is_a?(Class) ? given : Naive.registry.fetch(given.to_s)

      def own_names(filter) = (filter.is_a?(Hash) ? filter[:instance] : filter)&.map(&:to_s)

      # The name of an association may be the key of another field.
      def names_of(field)
        key = field.key.to_s
        field.kind == :attribute || fields.key?(field.name.to_s) ? [key] : [key, field.name.to_s]
      end

      # What an answer names that only other views declare means nothing.
      def last_word(filters, context, scope)
        return filters.values unless respond_to?(:filters_for)

        answer = filters_for(context, scope)
        forms = [whole, *views.keys.map { |view| whole.in_view(view) }]
        own = of_one(self, forms, *answer.values_at(:only, :except))
        filters.merge(own.select { |option, filter| filter || answer.key?(option) }).values
      end

      # given: context and scope; seen: the classes around this one.
      def check_names(only, except, given, seen = [])
        check_own(only, except)
        fields.each_value do |field|
          next if field.kind == :attribute

          filters = given_filters(field, only, except)
          again = field.options[:depth] && filters.values.any?
          polymorphic = field.options[:serializer].is_a?(Hash)
          next check_left_out(field, filters) if !polymorphic && !keep?(field, only, except)
          next if !filters.values.any? && !keep?(field, only, except)

          check_nested(field, filters_of(field, only, except), given, seen + [self], again)
        end
      end

      def check_own(only, except)
        unknown = [*own_names(only), *own_names(except)] - fields.each_value.flat_map { |field| names_of(field) }
        unknown += [only, except].grep(Hash).flat_map(&:keys).reject { |name| name == :instance || association?(name) }
        raise Katsu::InvalidFilterError unless unknown.empty? && [only, except].grep(Hash).none? { |one| twice?(one) }
      end

      # Two filters for one association: under its key, and under the name that it is read by.
      def twice?(filter)
        fields.each_value.any? { |field| filter.compact.keys.intersection(names_of(field).map(&:to_sym)).size > 1 }
      end

      # Of an association that is left out nothing is looked at but the names of its own fields.
      def check_left_out(field, filters)
        target = targets_of(field)
        target.send(:check_own, *filters.values) if filters.values.any? && !target.respond_to?(:filters_for)
      end

      # Filters are looked at before there are objects; without any, what an object chooses is looked at when it does.
      # again: whether those of a class around this one are.
      def check_nested(field, filters, given, seen, again)
        return if field.options[:serializer].is_a?(Hash) && filters.values.none?

        targets = [*targets_of(field)]
        (again && targets.size == 1 ? targets : targets - seen).each do |target|
          own = targets.size > 1 ? of_one(target, targets, *filters.values) : filters
          target.send(:check_names, *target.send(:last_word, own, *given), given, seen)
        end
      end

      def keep?(field, only, except)
        own = [own_names(only), own_names(except)]
        names = names_of(field)
        (own[0].nil? || names.intersect?(own[0])) && !names.intersect?(own[1] || [])
      end

      # What an association gives; SKIP if its depth is used up.
      def associated(serializer, field, depths, given)
        left = depths_within(field, given[:outer], depths) or return Katsu::Serializer::SKIP
        write_one = ->(inner) { write_nested(field, inner, {**given, depths: left}) }
        value = serializer.value(field)
        field.kind == :has_one ? write_one.call(value) : value&.to_a&.map(&write_one)
      end

      # What a polymorphic association chooses is written as if nothing were around it, but for depths.
      def write_nested(field, object, given)
        map = field.options[:serializer]
        return map.write(object, **given) unless map.is_a?(Hash)
        return unless object

        target = choose(map, object)
        filters = of_one(target, map.values, *given.values_at(:only, :except))
        target.write(object, **given, **filters, outer: [])
      end

      # The filters that are given from outside; if they name no field of the association itself, what they say nothing
      # of is as declared.
      def filters_of(field, only, except)
        given = given_filters(field, only, except)
        return given if given[:only].is_a?(Array) || given.values.any? { |filter| own_names(filter).to_a.any? }

        {only: nil, except: nil, **field.options.slice(:only, :except)}.merge(given) do |_, declared, other|
          next declared if other.nil? || other == []

          declared = {instance: declared} if declared.is_a?(Array)
          declared ? declared.merge(other) : other
        end
      end

      def given_filters(field, only, except)
        {only: only, except: except}.transform_values do |filter|
          filter.values_at(*names_of(field).map(&:to_sym)).compact.first if filter.is_a?(Hash)
        end
      end

      # The filters of a polymorphic association are for all of its serializers: one leaves the others' names out.
      def of_one(target, targets, only, except)
        own = without_others(target, targets, only)
        own = [] if own_names(own).to_a.empty? && own_names(only).to_a.any?
        {only: own, except: without_others(target, targets, except)}
      end

      def without_others(target, targets, filter)
        return unless filter

        names = [*own_names(filter)]
        kept = names.select { |name| named?(target, name) || targets.none? { |other| named?(other, name) } }
        return kept unless filter.is_a?(Hash)

        others = ->(name) { targets.any? { |other| other.association?(name) } && !named?(target, name) }
        {instance: kept, **filter.reject { |name, _| name == :instance || others.call(name) }}
      end

      def named?(target, name) = target.attribute_key?(name) || target.association?(name)

      def targets_of(field) = field.options[:serializer].then { |given| given.is_a?(Hash) ? given.values : given }

      # How often associations may still be entered below this one; nil if it may not be entered itself. The depth of a
      # polymorphic one counts from the start, that of another if it leads back into a serializer around it.
      def depths_within(field, outer, depths)
        return depths if field.options[:nested] # what leads back to it says how often

        given, depth = field.options.values_at(:serializer, :depth)
        raise Katsu::Error if depth.nil? && outer.include?(given)
        return depths if depth.nil? || (given.is_a?(Class) && outer.none? { |one| related?(one.whole, given.whole) })

        left = depths.fetch(field, depth)
        depths.merge(field => left - 1) unless left.zero?
      end

      def related?(one, other) = one <= other || other <= one

      def choose(map, object)
        name = object.class.ancestors.map(&:name).find { |ancestor| map.key?(ancestor) }
        raise Katsu::SerializerNotFoundError unless name

        map[name]
      end
    end

    attr_reader :object, :context, :scope

    def initialize(object, context, scope)
      @object = object
      @context = context
      @scope = scope
    end

    def conditions?(options)
      {if: true, unless: false}.all? { |word, wanted| !options.key?(word) || !condition(options[word]) == !wanted }
    end

    def value(field) = field.rule.to_h.empty? ? plain_value(field) : ruled_value(field)

    private

    # What the object itself raises is not the serializer's, but what converts it is.
    def ruled_value(field)
      return guarded(field.rule) { plain_value(field) } if field.block || own_method?(field.name)

      found = plain_value(field)
      guarded(field.rule) { found }
    end

    def guarded(rule)
      value = formatted(yield, rule)
    rescue StandardError => e
      of_error(rule, e) { of_nil(rule) }
    else
      value.nil? ? of_nil(rule) : value
    end

    def of_error(rule, error)
      case rule[:on_error]
      when nil, :raise then raise error
      when :skip then Katsu::Serializer::SKIP
      when :null then yield
      else call_with(rule[:on_error], [error, @object])
      end
    end

    def of_nil(rule)
      return Katsu::Serializer::SKIP if rule[:omit_nil]

      rule[:default].respond_to?(:call) ? call_with(rule[:default], [@object]) : rule[:default]
    rescue StandardError => e
      of_error(rule, e) { nil }
    end

    def formatted(value, rule)
      return value if value.nil? || Katsu::Serializer::SKIP.equal?(value)

      value = ActiveModel::Type.lookup(rule[:type]).cast(value) if rule[:type]
      format = rule[:format]
      return value if format.nil? || value.nil?
      return call_with(format, [value]) if format.respond_to?(:call)

      time = value.respond_to?(:strftime)
      case format
      when :unix then time ? (value.is_a?(Date) ? value.to_datetime : value).to_time.to_i : raise(Katsu::Error)
      when :iso8601 then time ? value.iso8601 : raise(Katsu::Error)
      else time ? value.strftime(format) : Kernel.format(format, value.is_a?(Numeric) ? value : raise(Katsu::Error))
      end
    end

    # A method below the block wins, unless one stands beside or above the block, too; then the block, then a method of
    # the serializer, then what the object has.
    def plain_value(field)
      return call(field.block) if field.block && !replaced?(field)
      return send(field.name) if own_method?(field.name)
      return @object.public_send(field.name) unless @object.is_a?(Hash)

      @object.fetch(field.name) { @object.fetch(field.name.to_s) }
    end

    def condition(given) = given.is_a?(Symbol) ? send(given) : call(given.to_proc)

    def call(block) = call_with(block, [@object, @context])

    # With as many of the arguments as it takes.
    def call_with(block, arguments)
      taken = block.parameters.sum { |kind, name| kind != :rest ? 1 : (name ? 2 : 0) }
      instance_exec(*arguments.first(taken), &block)
    end

    def replaced?(field) = own_method?(field.name, field.owner) && !own_method?(field.name, from: field.owner)

    def own_method?(name, above = Naive, from: self.class)
      owners = from.ancestors.take_while { |ancestor| ancestor != above }
      owners.any? { |owner| owner.method_defined?(name, false) || owner.private_method_defined?(name, false) }
    end
  end
end
