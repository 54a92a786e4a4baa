# frozen_string_literal: true

module Katsu
  class Serializer
    # What by: names: the key that each object of a collection is written under. It is read as an attribute of the
    # objects' serializer would be, whether the serializer writes one or not. Frozen.
    class ObjectKey
      ACCEPTED = "accepted are a name and a callable that takes the object"
      private_constant :ACCEPTED

      class << self
        # The ObjectKey of by: in options, or nil. what: the declaration or call, for messages. Raises ArgumentError.
        def of(owner, what, options)
          given = options[:by]
          return if given.nil?
          return new(given, nil, *Call.checked(owner, given, 2, "#{what}, by:")) if given.respond_to?(:call)

          name = (given.is_a?(Symbol) || given.is_a?(String)) && !given.empty?
          raise ArgumentError, "#{owner}: #{what} has by: #{given.inspect}; #{ACCEPTED}" unless name

          new(Names.check(owner, "#{what}, by", given), options[:view])
        end
      end

      # The name; nil if there is a callable.
      attr_reader :name

      # given: a name, or a callable with its body and how many arguments that is given. view: in which a name is looked
      # up that the class does not have, or nil.
      def initialize(given, view, body = nil, arguments = nil)
        @name = given unless body
        @view = view
        @body = body
        @arguments = arguments
        @captured = Call.captured(given) if body
        freeze
      end

      # The same for the objects of a whole document. An error of a key says which of them it is of; in an association,
      # whose association it is.
      def of_document
        dup.tap { |key| key.instance_variable_set(:@document, true) }.freeze
      end

      # Object keys of equal signature mean the same.
      def signature
        @name || @body.source_location || @body.inspect
      end

      # The same with what the callable captured, for two declarations in one class.
      def meaning = [signature, @captured]

      def inspect
        @name ? @name.inspect : "a callable"
      end

      # {key => object}, the keys as JSON writes those of a Hash. Of objects with equal keys the last one counts, in the
      # place of the first. plan: a Plan or a Plan::Polymorphic, of which the serializer is that of each object.
      # instances: the serializers that method fields run in, by plan; the one that gives an object's key writes it.
      #
      # Raises UnknownAttributeError, TypeError if the to_s of a key gives no String, and what the callable or method
      # raises.
      def pairs(plan, objects, context, scope, instances)
        readers = Hash.new { |made, chosen| made[chosen] = reader(chosen, context, scope, instances) }
        readers.compare_by_identity
        only = readers[plan] if plan.is_a?(Plan)
        objects.each_with_object({}) do |object, pairs|
          key = (only || readers[chosen(plan, object, context, scope)]).call(object)
          pairs[AsJson.text(key)] = object unless SKIP.equal?(key)
        rescue StandardError => e
          raise unless @document

          index = objects.index { |one| object.equal?(one) }
          FieldError.raise_copy(e, [index, *@name], object)
        end
      end

      # {key => index of its last value}, of what stands in the key's column.
      def numbers(values)
        values.each_with_index.with_object({}) { |(value, index), numbers| numbers[AsJson.text(value)] = index }
      end

      # The name of the column of model that is the key. nil if Ruby code gives the key: a callable, or a method of the
      # serializer or the model.
      def column(plan, model)
        found = Source::RecordSource.column(model, @name) if @name
        found unless found.nil? || call_of(plan)
      end

      private

      def chosen(plan, object, context, scope)
        object.nil? ? plan : plan.plan_for(object, context, scope)
      end

      # A Proc from an object to its key.
      def reader(plan, context, scope, instances)
        serializer = plan.serializer
        call = call_of(plan) if @name && plan.is_a?(Plan)
        return ->(object) { Source.read(serializer, object, @name) } if @name && !call

        instance = instances[plan] ||= Call.instance(serializer, context, scope)
        ->(object) { call ? call.result(instance, object) : call_body(instance, object) }
      end

      def call_body(instance, object)
        instance.instance_variable_set(:@object, object)
        instance.instance_exec(*[object, instance.__send__(:katsu_context)].first(@arguments), &@body)
      end

      # The text of its object would be the key.
      def refuse_association(serializer)
        raise ArgumentError, "#{serializer}: by: names #{@name.inspect}, which is an association; " \
                             "give a callable that makes a key of it"
      end

      # The Call of the attribute of that name, whether it is written or not; nil if the object has it. What the class
      # declares comes before what the view does.
      def call_of(plan)
        serializer = plan.serializer
        attribute = attribute_in(whole = description = serializer.description)
        attribute ||= attribute_in(description = serializer.form(@view).description) if @view
        refuse_association(serializer) if !attribute && [whole, description].any? { |one| one.association?(@name) }
        attribute ||= Attribute.new(@name)
        attribute.ruled(Plan::MethodCalls.new(serializer, description).value(attribute))
      end

      # Of several, that which has the name as its key, or the first.
      def attribute_in(description)
        same = description.attributes.each_value.select { |one| one.name == @name }
        same.find { |one| one.key == @name.name } || same.first
      end
    end
  end
end
