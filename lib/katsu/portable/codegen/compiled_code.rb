# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # The lambdas for a plan and a class of objects. Each is generated when the first object needs it: that takes
      # longer than to write the object.
      #
      # They are lambdas that close over what they use: Ruby 3.4 corrupts its memory if several Ractors define methods
      # or set constants at once.
      class CompiledCode
        # types: the column types of the class; nil if it is not a record's.
        # serial: the AsJson::Overrides.serial that the lambdas are for.
        # pace: the Pace of the objects that are written in rows.
        attr_reader :types, :serial, :pace

        def initialize(plan, klass)
          @plan = plan
          @serial = AsJson::Overrides.serial # before it is bound: a change meanwhile must not be lost
          @bound = Source.bind(plan, klass)
          @types = @bound[1]
          @pace = Pace.new
          @write = @build = @rows = nil
        end

        # True if nothing has changed that the lambdas depend on.
        def fresh?(klass)
          @serial == AsJson::Overrides.serial && (@types.nil? || klass.attribute_types.equal?(@types))
        end

        # The lambda that writes an object. It is called with the batch, the object, the output and "{", or ",{" for all
        # but the first of a collection. object: one of the class.
        def write(object) = @write ||= generate(:write, object)

        # The lambda that builds an object's Hash. It is called with the batch and the object.
        def build(object) = @build ||= generate(:build, object)

        # The lambda that writes many objects, see RowRuns; false if not all values stand in rows.
        def rows(object)
          @rows = generate(:rows, object) || false if @rows.nil?
          @rows
        end

        private

        def generate(name, object)
          Codegen.new(@plan, @bound, object).generate(name)
        end
      end
      private_constant :CompiledCode
    end
  end
end
