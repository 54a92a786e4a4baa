# frozen_string_literal: true

require_relative "codegen/compiled_codes"
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
require_relative "codegen/hash_sink"
require_relative "codegen/pace"
require_relative "codegen/compiled_code"

module Katsu
  module Portable
    # Generates Ruby code for a plan and a class of objects, in which each step is a few lines and nothing is left to be
    # decided by names or kinds. There are three lambdas: write writes an object as JSON, build builds its Hash, rows
    # writes many objects in a call. This is write, for attributes :id, :title of a record:
    #
    #   lambda do |plan, serializer, klass, types|
    #     last_places = ::Katsu::Portable::RecordRow::NOWHERE
    #     lambda do |batch, object, out, opening|
    #       column = nil
    #       row = nil
    #       set = object.instance_variable_get(:@attributes)
    #       if klass.equal?(::ObjectSpace.internal_class_of(object)) && ::ActiveModel::LazyAttributeSet.equal?(set.class)
    #         places = last_places
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
    #       raise ::Katsu::UnknownAttributeError.new(serializer, column, object, batch.path_of(column), ::Katsu::Source::NOT_LOADED)
    #     end
    #   end
    #
    # Without a row (of a record that was changed, of any other object, before ActiveRecord 8) there is only the part
    # that calls the readers.
    class Codegen
      SINKS = {write: JsonSink, build: HashSink, rows: RowsSink}.freeze
      private_constant :SINKS

      class << self
        # The CompiledCode, made once per Ractor, plan and class, and again when a class's columns change. nil for a
        # class of collections.
        def for(plan, klass)
          codes = plan.codes.by_class(klass)
          code = codes[klass]
          return code if code&.fresh?(klass)

          codes[klass] = CompiledCode.new(plan, klass) unless Source.refused?(plan, klass)
        end
      end

      # bound: what Source.bind gives for the class of object, the first one.
      def initialize(plan, bound, object)
        @plan = plan
        @klass = Source.class_of(object)
        kind, @types, accesses = bound
        @rows = row_reader if kind == Source::RECORD
        TimeText.choose if @rows && Ractors.main?
        @fields = plan.steps.each_with_index.map do |step, index|
          Field.new(step, index, accesses[index], @klass, object)
        end
      end

      # The lambda of that name: :write, :build or :rows. nil for rows if not all values stand in rows.
      def generate(name)
        code = code(name)
        return unless code

        made = Module.new.module_eval(code, "#{__FILE__} for #{name} of #{@plan.serializer}", 0)
        made.call(*constants(name).values)
      end

      # Its code, or nil: a lambda that takes what it uses, and returns it.
      def code(name)
        emitter = Emitter.new
        sink = sink(name, emitter)
        return unless sink.possible?

        emitter.line "# frozen_string_literal: true"
        emitter.line "lambda do |#{constants(name).keys.join(", ")}|"
        emitter.indented { sink.emit }
        emitter.line "end"
        emitter.to_s
      end

      private

      # The class that reads the rows of records or row objects; nil if their readers are called.
      def row_reader
        return TableRowReader if @klass <= Query::Row

        RowReader if RecordRow.available?
      end

      def sink(name, emitter)
        rows = name == :rows && @klass.equal?(::Hash) ? HashReader : @rows
        SINKS.fetch(name).new(@plan, @fields, emitter, rows)
      end

      # By their names in the code: plan2, identity2 and key2 are the plan, the identity and the ObjectKey of the
      # association at index 2, klass2 and types2 are those of its Inlined.
      def constants(name)
        constants = {plan: @plan, serializer: @plan.serializer}
        constants.update(klass: @klass, types: @types) if @rows
        @plan.steps.each_with_index do |step, index|
          constants["plan#{index}"] = step.plan if step.plan
          constants["identity#{index}"] = step.identity if step.identity
          constants["key#{index}"] = step.object_key if step.object_key
        end
        return constants unless name == :rows

        constants.merge(*@fields.map { |field| constants_of(field.inlined, field.index) })
      end

      def constants_of(inlined, index)
        inlined ? {"klass#{index}" => inlined.klass, "types#{index}" => inlined.types} : {}
      end
    end
  end
end
