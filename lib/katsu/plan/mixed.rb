# frozen_string_literal: true

module Katsu
  class Plan
    # In the place of a plan, for a collection of objects of several serializers: {Post => PostSerializer, "Author" =>
    # AuthorSerializer}. It is the polymorphic association of a serializer that has nothing else.
    class Mixed
      LIMIT = 64
      NONE = {}.freeze
      private_constant :LIMIT, :NONE

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
            def self.to_s = "Katsu::ArraySerializer"
            def self.inspect = to_s
            def self.forget_plans = forget_own # no plan has this class yet, so none becomes stale
            has_many :each_serializer, each_serializer: map, view: view
          end
        end
      end

      # options: those of ArraySerializer, view: and filters for each of the serializers.
      def initialize(map, options)
        holder = Mixed.holder(Filters.frozen_copy(map), Filters.frozen_copy(options[:view]))
        form = holder.form(nil, options[:transform_keys])
        only, except = %i[only except].map { |option| of_association(option, options[option]) }
        @plan = keyed(form.plan(only, except, options[:context], options[:scope]), options)
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
        placed { @plan.generate({each_serializer: objects}, context, scope) }.byteslice(@opening..-2)
      end

      def write_all(objects, context, scope, io)
        FullWrite.call(io, generate_all(objects, context, scope))
        io
      end

      def build_all(objects, context, scope)
        placed { @plan.build({each_serializer: objects}, context, scope) }.each_value.first
      end

      private

      # The filter of a call as that of the association.
      def of_association(option, filter)
        return if filter.nil?
        return {each_serializer: filter} if filter.is_a?(Array) || filter.is_a?(Hash)

        raise InvalidFilterError.shape(ArraySerializer, option, filter)
      end

      # The association has a name, the collection has none.
      def placed(&)
        Place.moving(->(path) { path.delete_prefix("each_serializer") }, &)
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
