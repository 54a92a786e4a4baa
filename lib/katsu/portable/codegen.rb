# frozen_string_literal: true

require_relative "codegen/generated_code"
require_relative "codegen/emitter"
require_relative "codegen/expectations"
require_relative "codegen/value_code"
require_relative "codegen/field"
require_relative "codegen/readers"
require_relative "codegen/row_reader"
require_relative "codegen/table_row_reader"
require_relative "codegen/hash_reader"
require_relative "codegen/inlined"
require_relative "codegen/row_values"
require_relative "codegen/sink"
require_relative "codegen/json_sink"
require_relative "codegen/rows_sink"
require_relative "codegen/pace"
require_relative "codegen/hash_sink"

module Katsu
  module Portable
    # Generates Ruby code for a plan and a class of objects: a lambda that writes JSON and one that builds a Hash, in
    # which each step is a few lines and nothing is left to be decided by names or kinds. For attributes :id, :title of
    # a record:
    #
    #   lambda do |plan, serializer, klass, types|
    #     write_places = ::Katsu::Portable::RecordRow::NOWHERE
    #     write = lambda do |batch, object, out, opening|
    #       column = nil
    #       row = nil
    #       set = object.instance_variable_get(:@attributes)
    #       if klass.equal?(::ObjectSpace.internal_class_of(object)) && ::ActiveModel::LazyAttributeSet.equal?(set.class)
    #         places = write_places
    #         row = set.katsu_row(types, places)
    #         ...
    #         casted = set.katsu_casted
    #         row = nil unless casted.empty? || !(casted.key?("title"))
    #       end
    #       if row
    #         raw0 = row[places[2]]
    #         raw1 = row[places[3]]
    #         if ::Integer === raw0 && ::String.equal?(raw1.class) && ::Katsu::Portable::Text.unescaped?(raw1)
    #           out.append_as_bytes(opening, "\"id\":", raw0.to_s, ",\"title\":\"", raw1, "\"}")
    #         else
    #           if raw0.nil?
    #             out.append_as_bytes(opening, "\"id\":null")
    #           ...
    #         end
    #       else
    #         column = :id
    #         value0 = object.id
    #         column = :title
    #         value1 = object.title
    #         column = nil
    #         ...
    #       end
    #     rescue ::ActiveModel::MissingAttributeError => error
    #       raise if column.nil? || object.singleton_methods.include?(column)
    #       raise ::Katsu::UnknownAttributeError.new(serializer, column, object, [], ::Katsu::Source::NOT_LOADED)
    #     end
    #     build_places = ::Katsu::Portable::RecordRow::NOWHERE
    #     build = lambda do |batch, object|
    #       ...
    #       hash
    #     end
    #     [write, build, rows]
    #   end
    #
    # rows writes many objects in a call, see RowsSink; it is nil if not all values stand in rows.
    #
    # Without a row (of a record that was changed, of any other object, before ActiveRecord 8) there is only the part
    # that calls the readers.
    class Codegen
      # write is called with the batch, the object, the output and "{", or ",{" for all but the first of a collection;
      # build with the batch and the object; rows, if not nil, as RowRuns does it, at the pace. They are lambdas that
      # close over what they use: Ruby 3.4 corrupts its memory if several Ractors define methods or set constants at
      # once.
      Writer = Struct.new(:types, :serial, :write, :build, :rows, :pace)
      private_constant :Writer

      class << self
        # The Writer, generated once per Ractor, plan and class, and again when a class's columns change. object: the
        # first of the class. nil for a class of collections.
        def for(plan, klass, object)
          writers = plan.code.writers
          writer = writers[klass]
          fresh = writer && writer.serial == AsJson::Overrides.serial
          return writer if fresh && (writer.types.nil? || klass.attribute_types.equal?(writer.types))

          writers[klass] = new(plan, klass, object).writer unless Source.refused?(plan, klass)
        end
      end

      def initialize(plan, klass, object)
        @plan = plan
        @serial = AsJson::Overrides.serial
        @klass = klass
        kind, @types, accesses = Source.bind(plan, klass)
        @rows = row_reader if kind == Source::RECORD
        TimeText.choose if @rows && Ractors.main?
        @fields = plan.steps.each_with_index.map do |step, index|
          Field.new(step, index, accesses[index], klass, object)
        end
      end

      # The Writer.
      def writer
        made = Module.new.module_eval(code, "#{__FILE__} for #{@plan.serializer}", 0)
        Writer.new(@types, @serial, *made.call(*constants.values), Pace.new).freeze
      end

      # The code: a lambda that returns those two, and takes what they use.
      def code
        emitter = Emitter.new
        emitter.line "# frozen_string_literal: true"
        emitter.line "lambda do |#{constants.keys.join(", ")}|"
        emitter.indented do
          JsonSink.new(@plan, @fields, emitter, @rows).emit("write")
          HashSink.new(@plan, @fields, emitter, @rows).emit("build")
          RowsSink.new(@plan, @fields, emitter, @klass.equal?(::Hash) ? HashReader : @rows).emit("rows")
          emitter.line "[write, build, rows]"
        end
        emitter.line "end"
        emitter.to_s
      end

      private

      # The class that reads the rows of objects of the class; nil if their readers are called.
      def row_reader
        return TableRowReader if @klass <= Query::Row

        RowReader if @klass <= ::ActiveRecord::Base && RecordRow.available?
      end

      # By their names in the code: plan2, identity2 and key2 are the plan, the identity and the ObjectKey of the
      # association at index 2, klass2 and types2 are those of its Inlined.
      def constants
        constants = {plan: @plan, serializer: @plan.serializer}
        constants.update(klass: @klass, types: @types) if @rows
        @plan.steps.each_with_index do |step, index|
          constants["plan#{index}"] = step.plan if step.plan
          constants["identity#{index}"] = step.identity if step.identity
          constants["key#{index}"] = step.object_key if step.object_key
        end
        constants.merge(*@fields.map { |field| constants_of(field.inlined, field.index) })
      end

      def constants_of(inlined, index)
        inlined ? {"klass#{index}" => inlined.klass, "types#{index}" => inlined.types} : {}
      end
    end
  end
end
