# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # What the lambdas that write JSON and build Hashes have in common. A sink adds parameters and body. Local
      # variables of the generated code:
      #
      # - column: the column that is being read, for the error if it was not loaded
      # - field: the field whose Ruby code is being called, for the place of an error in it
      # - no_default: whether [] of a Hash gives nothing but what is in it
      # - value, value0, value1 ...: the fields' values
      class Sink
        # At most so many fields are read before they are written: Ruby compares the name of a local variable with those
        # of all others.
        TOGETHER = 128
        # If there are more fields that are read one by one, so many stand in a block of their own: twice as many in one
        # block take Ruby four times as long to compile.
        PART = 1000
        private_constant :PART

        # fields: an Array of Field.
        # rows: RowReader or TableRowReader, or nil if rows are not read.
        def initialize(plan, fields, emitter, rows)
          @plan = plan
          @fields = fields
          @emitter = emitter
          @rows = rows
          @readers = Readers.new(plan, emitter, rows)
          # What is needed for each field is found out once.
          @columns = fields.any?(&:column?)
          @first_always = fields.index(&:always?) || fields.size
        end

        # True if the lambda can do all that it is for.
        def possible? = true

        # Emits the lambda.
        def emit
          remember_places("last_places") if @rows == RowReader && raw_first.any?
          line "lambda do |#{parameters}|"
          @emitter.indented do
            prelude
            body
          end
          rescues
          line "end"
        end

        private

        # A variable outside of the lambda for where the columns were last, see RecordRow.
        def remember_places(name)
          line "#{name} = ::Katsu::Portable::RecordRow::NOWHERE"
        end

        def line(code)
          @emitter.line(code)
        end

        def branch(...)
          @emitter.branch(...)
        end

        def prelude
          line "column = nil" if columns?
          line "field = nil" if calls?
          line "no_default = nil == object.default && object.default_proc.nil?" if @fields.any?(&:string_key?)
        end

        # The lines of the block for each of the fields.
        def each_in_parts(fields, &block)
          return fields.each(&block) if fields.size <= PART

          fields.each_slice(PART) do |part|
            line "1.times do"
            @emitter.indented { part.each(&block) }
            line "end"
          end
        end

        def columns? = @columns

        # True if a step calls methods of the serializer.
        def calls?
          @plan.steps.any?(&:optional?)
        end

        def forget_column
          line "column = nil" if columns?
        end

        # The fields that begin the plan and are read without side effects, of which each has one expected kind of
        # value; none if there is only one.
        def expected_first
          fields = @fields.first(TOGETHER).take_while { |field| field.expected_code("") }
          fields.size < 2 ? [] : fields
        end

        # The fields that begin the plan and are written from the row, and their ValueCodes.
        def raw_first
          return [] unless @rows

          @fields.take_while { |field| (code = field.raw_code("")) && raw?(code) }
        end

        # Lines for the fields that begin the plan and are read from the row if there is one: those of the block, which
        # receives some of the fields, the names of their variables and their ValueCodes; or the others.
        def with_row(fields, otherwise)
          reader = @rows.new(fields, @emitter)
          reader.find(otherwise) do
            fields.each_slice(TOGETHER) do |slice|
              reader.read(slice)
              variables = slice.map { |field| reader.variable(field) }
              yield slice, variables, slice.zip(variables).map { |field, variable| field.raw_code(variable) }
            end
          end
        end

        # The lines of the block, run if the depth of the field's association is not reached and its conditions hold.
        def guarded(field, &block)
          step = field.step
          return if_conditions_hold(field, &block) unless step.limited?

          branch("batch.depth_reached?(identity#{field.index}, #{step.depth})", word: "unless") do
            if_conditions_hold(field, &block)
          end
        end

        def if_conditions_hold(field, &block)
          conditions = field.step.conditions
          return yield if conditions.empty?

          calls = conditions.map { |condition| "#{"!" unless condition.wanted}#{@readers.method_call(condition.call)}" }
          @readers.calling(field, "holds = #{calls.join(" && ")}")
          branch("holds", &block)
        end

        # The lines of the block, run unless a method field returned SKIP.
        def unless_skipped(field, &block)
          return yield unless field.step.call

          branch("::Katsu::Serializer::SKIP.equal?(value)", word: "unless", &block)
        end

        # A call of the batch that writes or builds an association.
        def associated(call, field)
          step = field.step
          code = step.object_key ? keyed(call, field) : of_kind(call, field)
          return code if !step.limited? || step.plan.is_a?(::Katsu::Plan::Polymorphic)

          "batch.within(identity#{field.index}, 0) { #{code} }"
        end

        def of_kind(call, field)
          "batch.#{call}(plan#{field.index}, :#{field.step.kind}, value, #{field.name}, serializer)"
        end

        def keyed(call, field)
          "batch.#{call.sub("associated", "keyed")}(" \
            "plan#{field.index}, key#{field.index}, value, #{field.name}, serializer, object)"
        end

        # call: write_json_column, or parse_json_column, whose value is assigned to `result`.
        def json_column(call, field, result = "")
          line "column = #{field.name}"
          line "#{result}batch.#{call}(serializer, object, #{field.access.column.inspect}, column)"
          line "column = nil"
        end

        def rescues
          rescue_missing_column if columns?
          return unless calls?

          line "rescue ::StandardError => error"
          @emitter.indented do
            place_error
            line "raise"
          end
        end

        def rescue_missing_column
          line "rescue ::ActiveModel::MissingAttributeError => error"
          @emitter.indented do
            place_error if calls?
            line "raise if column.nil? || object.singleton_methods.include?(column)"
            line "raise ::Katsu::UnknownAttributeError.new(" \
                 "serializer, column, object, batch.path_of(column), ::Katsu::Source::NOT_LOADED)"
          end
        end

        def place_error
          line "batch.raise_placed(error, field, object) if field"
        end
      end
    end
  end
end
