# frozen_string_literal: true

module Katsu
  module Query
    # A plan with what its method fields and filters see: how objects are read.
    Reading = Struct.new(:plan, :context, :scope) do
      def serializer = plan.serializer

      # The JSON array of objects, an Array or a Stream.
      def generate_all(objects)
        LazyLoads.watch(self) { plan.generate_all(objects, context, scope) }
      end

      # One object's JSON.
      def generate(object)
        LazyLoads.watch(self) { plan.generate(object, context, scope) }
      end

      # The JSON array of objects to io, in chunks.
      def write_all(objects, io)
        LazyLoads.watch(self) { plan.write_all(objects, context, scope, io) }
      end

      # An object a line to io. first: the index of the first.
      def write_lines(objects, io, first = 0)
        lines = Lines.new(io)
        LazyLoads.watch(self) { plan.each_json(objects, context, scope, first) { |json| lines << json } }
        lines.finish
      end

      # An Array of Hashes, or a Hash.
      def build_all(objects)
        LazyLoads.watch(self) { plan.build_all(objects, context, scope) }
      end

      def build(object)
        LazyLoads.watch(self) { plan.build(object, context, scope) }
      end

      # Whether the backend reads tables itself. Otherwise row objects are written as other objects are.
      def tables?
        plan.respond_to?(:generate_table)
      end

      # The same without a store; see Caching.
      def uncached
        Reading.new(Caching.uncached(plan), context, scope)
      end

      # The same for the rows of a Table.
      def generate_table(table)
        return generate_all(table.row_objects) unless tables?

        LazyLoads.watch(self) { plan.generate_table(table, context, scope) }
      end

      def write_table(table, io, lines: false)
        return lines ? write_lines(table.row_objects, io) : write_all(table.row_objects, io) unless tables?

        LazyLoads.watch(self) { plan.write_table(table, context, scope, io, lines) }
      end

      def build_table(table)
        return build_all(table.row_objects) unless tables?

        LazyLoads.watch(self) { plan.build_table(table, context, scope) }
      end

      # Loads the associations that the plan reads of those objects that are records. strict: see Preload.
      def preload(objects, strict: false)
        return objects unless defined?(::ActiveRecord::Base) && Preload.leads_on?(plan)

        Preload.new(self, strict: strict).load(objects.select { |object| Query.record?(object) })
        objects
      end
    end
  end
end
