# frozen_string_literal: true

module Fuzz
  # What serializers are to do, in the plainest way: the DSL's words, public readers and as_json. A Hash comes out.
  class Naive
    Field = Struct.new(:kind, :name, :key, :options, :block)

    class << self
      # Fuzz::Naive classes by the names that the sources give them.
      attr_accessor :registry

      def attributes(*names, **options) = names.each { |name| declare(:attribute, name, name, options) }
      def attribute(name, **options, &block) = declare(:attribute, name, name, options, block)
      def aliases(names) = names.each { |name, key| declare(:attribute, name, key) }
      def has_one(name, **options, &block) = declare(:has_one, name, options.fetch(:name, name), options, block)
      def has_many(name, **options, &block) = declare(:has_many, name, options.fetch(:name, name), options, block)

      def own = @own ||= {}

      # What this class and its parents declare, the last of each key.
      def fields = (superclass.respond_to?(:fields) ? superclass.fields : {}).merge(own)

      # object as a Hash. outer: the classes around this one; depths: how often an association may still lead into them.
      def write(object, only: nil, except: nil, context: nil, scope: nil, outer: [], depths: {})
        filters = {only: only, except: except}
        only, except = filters.merge(filters_for(context, scope)).values if respond_to?(:filters_for)
        check_names(only, except)
        return if object.nil?

        serializer = new(object, context, scope)
        kept = fields.each_value.select { |field| keep?(field, only, except) }
        kept = kept.select { |field| serializer.condition?(field.options[:if]) }
        given = {context: context, scope: scope, outer: outer + [self]}
        kept.each_with_object({}) do |field, hash|
          inner = {**given, **filters_of(field, only, except)}
          value = field.kind == :attribute ? serializer.value(field) : associated(serializer, field, depths, inner)
          hash[field.key.to_s] = value unless Katsu::Serializer::SKIP.equal?(value)
        end
      end

      private

      def declare(kind, name, key, options = {}, block = nil)
        given = options[:serializer]
        known = given.is_a?(Hash) ? given.values : [given]
        known.each { |serializer| Naive.registry.fetch(serializer) } if kind != :attribute
        own[key.to_s] = Field.new(kind, name, key, options, block)
      end

      def own_names(filter) = (filter.is_a?(Hash) ? filter[:instance] : filter)&.map(&:to_s)

      def names_of(field) = field.kind == :attribute ? [field.key.to_s] : [field.name.to_s, field.key.to_s]

      def check_names(only, except)
        unknown = [*own_names(only), *own_names(except)] - fields.each_value.flat_map { |field| names_of(field) }
        raise Katsu::InvalidFilterError unless unknown.empty?

        kept = fields.each_value.select { |field| keep?(field, only, except) }
        kept.each { |field| check_nested(field, *filters_of(field, only, except).values_at(:only, :except)) }
      end

      # Filters are looked at before there are objects.
      def check_nested(field, only, except)
        target = Naive.registry[field.options[:serializer].to_s]
        target.send(:check_names, only, except) if target && target != self && !target.respond_to?(:filters_for)
      end

      def keep?(field, only, except)
        own = [own_names(only), own_names(except)]
        names = names_of(field)
        (own[0].nil? || own[0].empty? || names.intersect?(own[0])) && !names.intersect?(own[1] || [])
      end

      # What an association gives; SKIP if its depth is used up.
      def associated(serializer, field, depths, given)
        targets, left = nested(field, given[:outer], depths)
        return Katsu::Serializer::SKIP unless targets

        write_one = ->(inner) { targets.call(inner)&.write(inner, **given, depths: left) }
        value = serializer.value(field)
        field.kind == :has_one ? write_one.call(value) : value&.to_a&.map(&write_one)
      end

      # The filters that are given from outside, or else those of the declaration.
      def filters_of(field, only, except)
        given = {only: only, except: except}.transform_values do |filter|
          filter[field.name] || filter[field.key.to_sym] if filter.is_a?(Hash)
        end
        given.values.compact.empty? ? field.options.slice(:only, :except) : given
      end

      # [from an object to its serializer, depths], or nil if the association's depth is used up.
      def nested(field, outer, depths)
        given = field.options[:serializer]
        return [->(object) { object && choose(given, object) }, depths] if given.is_a?(Hash)

        target = Naive.registry.fetch(given.to_s)
        return [->(_) { target }, depths] unless outer.include?(target)

        left = depths.fetch(field, field.options[:depth]) or raise Katsu::Error
        [->(_) { target }, depths.merge(field => left - 1)] unless left.zero?
      end

      def choose(map, object)
        name = object.class.ancestors.map(&:name).find { |ancestor| map.key?(ancestor) }
        raise Katsu::SerializerNotFoundError unless name

        Naive.registry.fetch(map[name].to_s)
      end
    end

    attr_reader :object, :context, :scope

    def initialize(object, context, scope)
      @object = object
      @context = context
      @scope = scope
    end

    def condition?(given)
      case given
      when nil then true
      when Symbol then send(given)
      else given.arity.zero? ? instance_exec(&given) : instance_exec(@object, &given)
      end
    end

    # A method of the serializer wins, then the block, then what the object has.
    def value(field)
      return instance_exec(*[@object, @context].first(field.block.arity.abs), &field.block) if field.block
      return send(field.name) if field.kind == :attribute && own_method?(field.name)
      return @object.public_send(field.name) unless @object.is_a?(Hash)

      @object.fetch(field.name) { @object.fetch(field.name.to_s) }
    end

    private

    def own_method?(name)
      owners = self.class.ancestors.take_while { |ancestor| ancestor != Naive }
      owners.any? { |owner| owner.method_defined?(name, false) || owner.private_method_defined?(name, false) }
    end
  end
end
