# frozen_string_literal: true

require_relative "cast"
require_relative "source"
require_relative "bounded_cache"
require_relative "portable/stream_walk"
require_relative "findings"
require_relative "plan/step"
require_relative "plan/polymorphic"
require_relative "plan/endless"
require_relative "plan/mixed"
require_relative "plan/keyed"
require_relative "plan/keyed_rows"
require_relative "plan/cache"
require_relative "plan/method_calls"
require_relative "plan/compiler"

module Katsu
  # How a serializer class writes an object under one set of filters: a flat list of steps, in which everything is
  # decided that can be decided before an object is seen. Frozen; it holds nothing of any call.
  #
  # The backend defines generate and generate_all (JSON), write_all (to an io), build and build_all (Hashes); each takes
  # the object or objects, the context and the scope. generate_missing and generate_filling also take an Array of texts,
  # and write only the objects that have none in it. Calls of generate_missing, and of build_sharing, which is a
  # build_all, may share the serializers that method fields run in. The native backend alone writes the rows of a
  # Query::Table: generate_table, write_table, build_table, row_texts and build_rows. The backend keeps the serializer
  # and the steps too: from Ruby 4.0 on, an object of an extension that has instance variables is not shareable.
  class Plan
    include Portable::Plan if Katsu.backend == :ruby

    class << self
      # The plan of serializer under these filters, found or compiled.
      def for(serializer, only, except, context = nil, scope = nil)
        Cache.fetch(serializer, only, except, context, scope) ||
          Compiler.new(serializer, only, except, context, scope).plan
      end

      # What several calls share that write one document: the serializers that method fields run in, by plan.
      def instances = {}.compare_by_identity
    end

    # steps: an Array of Step, which is frozen.
    def initialize(serializer, steps)
      link(serializer, steps.freeze)
      freeze
    end

    # Objects of an Array that are written in one call.
    SLICE = 100
    private_constant :SLICE

    # Yields the JSON of each of objects, an Array or a Stream. first: the index of the first, for errors.
    def each_json(objects, context, scope, first, &block)
      instances = Plan.instances
      return each_streamed(objects, context, scope, first, instances, &block) unless ::Array === objects

      objects = ::Array.instance_method(:to_a).bind_call(objects) # not by the each of a subclass
      index = 0
      while index < objects.size
        slice = objects[index, SLICE] # the Array may change meanwhile
        generate_missing(slice, context, scope, ::Array.new(slice.size), first + index, instances).each(&block)
        index += SLICE
      end
    end

    # An Array of the JSON of each of objects, an Array. instances: see Plan.instances, or nil.
    def texts(objects, context, scope, instances = nil)
      generate_missing(objects, context, scope, Array.new(objects.size), 0, instances)
    end

    # The serializers of this plan and of all below it, which may contain each other.
    def serializers
      plans = {}.compare_by_identity
      met = [self]
      while (plan = met.pop)
        next if plans[plan]

        plans[plan] = true
        plan.steps.each { |step| met << step.plan if step.plan.is_a?(Plan) }
      end
      plans.keys.map(&:serializer).uniq
    end

    # Object#hash would give the plan an object id. On Ruby 4.0 other Ractors could not use the plan then.
    def hash = serializer.hash

    # For messages and consoles.
    def inspect
      "#<Katsu::Plan #{serializer}: #{steps.map(&:key).join(", ")}>"
    end

    private

    # Each element is written before the next one comes.
    def each_streamed(objects, context, scope, first, instances)
      index = first
      Portable::StreamWalk.each(objects) do |object|
        yield generate_missing([object], context, scope, [nil], index, instances).first
        index += 1
      end
    end
  end
end

require_relative "plan/cached"
