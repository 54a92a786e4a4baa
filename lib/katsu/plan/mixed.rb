# frozen_string_literal: true

module Katsu
  class Plan
    # In the place of a plan, for a collection of objects of several serializers: {Post => PostSerializer, "Author" =>
    # AuthorSerializer}. It is the polymorphic association of a serializer that has nothing else.
    class Mixed
      LIMIT = 64
      NONE = {}.freeze
      # Objects of an Array that are written in one call; of a Stream each is written before the next one comes.
      SLICE = 100

      # For the form of a holder. The holder's own key is never written, so it is not transformed.
      module Untransformed
        def key_transform = :none
      end

      # The methods of a holder's class.
      module Holder
        def to_s = "Katsu::ArraySerializer"
        def inspect = to_s
        def key_transform = :none

        private

        def forget_plans = forget_own # no plan has this class yet, so none becomes stale
        def new_form(...) = super.extend(Untransformed)
      end
      private_constant :LIMIT, :NONE, :SLICE, :Untransformed, :Holder

      @holders = NONE
      @lock = Mutex.new

      class << self
        # The serializer class that has the association. Raises ArgumentError for what is no such Hash, and Error in
        # another Ractor than the main one if that has not used such a Hash before.
        def holder(map, view)
          @holders[[map, view]] || (Ractors.main? ? keep(map, view) : holder_of(map, view))
        end

        # Forgets all.
        def forget
          @lock.synchronize { @holders = NONE }
        end

        private

        # In a Hash that Ractors can read.
        def keep(map, view)
          @lock.synchronize do
            kept = @holders.size < LIMIT ? @holders : NONE
            holder = kept[[map, view]] || holder_of(map, view)
            @holders = Ractors.share({**kept, [map, view] => holder})
            holder
          end
        end

        def holder_of(map, view)
          Class.new(Serializer) do
            singleton_class.include(Holder) # extend would make plans stale
            has_many :each_serializer, each_serializer: map, view: view
          end
        end
      end

      # options: those of ArraySerializer, view: and filters for each of the serializers.
      def initialize(map, options)
        holder = Mixed.holder(Filters.frozen_copy(map), Filters.frozen_copy(options[:view]))
        form = holder.form(nil, options[:transform_keys])
        only, except = %i[only except].map { |option| of_association(option, options[option]) }
        plan = form.plan(only, except, options[:context], options[:scope])
        @plan = keyed(plan, options)
        @array = plan.equal?(@plan)
        @opening = "{#{@plan.steps.first.json_key}".bytesize
      end

      # None is that of all objects.
      def serializer = nil

      # Those of the serializers.
      def forms = @plan.steps.first.plan.forms

      # Loads the associations that are read of records among the objects, an Array. An object that has no serializer is
      # refused when it is written.
      def preload(objects, context, scope)
        records = objects.select { |object| Query.record?(object) }
        Query::Preload.new(Query::Reading.new(@plan.steps.first.plan, context, scope)).load(records)
      rescue SerializerNotFoundError
        nil
      end

      def generate_all(objects, context, scope)
        placed { @plan.generate(holding(objects), context, scope) }.byteslice(@opening..-2)
      end

      # The same to io, in chunks. With by: all keys are known before the first is written.
      def write_all(objects, context, scope, io)
        elements = Stream === objects ? objects : Source.elements(objects) if @array
        unless elements
          FullWrite.call(io, generate_all(objects, context, scope))
          return io
        end

        text = +""
        each_text(elements, context, scope) do |part|
          FullWrite.call(io, text.slice!(0..)) if (text << part).bytesize >= Limits::CHUNK
        end
        FullWrite.call(io, text)
        io
      end

      def build_all(objects, context, scope)
        placed { @plan.build(holding(objects), context, scope) }.each_value.first
      end

      private

      # The object whose association the collection is. nil is no object, and as a collection it is empty.
      def holding(objects) = {each_serializer: @array && objects.nil? ? [] : objects}

      # Yields the text of the array of elements in parts.
      def each_text(elements, context, scope)
        instances = Plan.instances
        written = 0
        each_slice(elements) do |slice|
          texts = Place.after(written) do
            placed("[0].each_serializer") do
              @plan.generate_missing([holding(slice)], context, scope, [nil], 0, instances)
            end
          end
          yield texts.first.byteslice((@opening + 1)...-2).prepend(written.zero? ? "[" : ",")
          written += slice.size
        end
        yield written.zero? ? "[]" : "]"
      end

      def each_slice(elements, &)
        return Portable::StreamWalk.each(elements) { |element| yield [element] } if Stream === elements

        index = 0
        while index < elements.size # the Array may change meanwhile
          yield slice = elements[index, SLICE]
          index += slice.size
        end
      end

      # The filter of a call as that of the association.
      def of_association(option, filter)
        return if filter.nil?
        return {each_serializer: filter} if filter.is_a?(Array) || filter.is_a?(Hash)

        raise InvalidFilterError.shape(ArraySerializer, option, filter)
      end

      # The association has a name, the collection has none.
      def placed(name = "each_serializer", &)
        Place.moving(->(path) { path.delete_prefix(name) }, &)
      end

      # The plan with the key that by: names.
      def keyed(plan, options)
        key = Serializer::ObjectKey.of(ArraySerializer, "each_serializer", options)
        return plan unless key

        step = plan.steps.first
        Plan.new(plan.serializer, [Step.new(key: step.key, kind: step.kind, name: step.name, plan: step.plan,
                                            identity: step.identity, object_key: key.of_document)])
      end
    end
  end
end
