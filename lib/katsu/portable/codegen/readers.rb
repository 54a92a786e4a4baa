# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # The lines of Codegen that find a step's value.
      module Readers
        METHOD_NAME = /\A[a-z_]\w*[?!]?\z/u
        private_constant :METHOD_NAME

        private

        # A line that sets value.
        def reader(step, index)
          return attribute_reader(step, index) unless step.call

          "field = #{step.name.inspect}; value = #{method_call(step.call)}; field = nil"
        end

        # Keys are written before their value is read only where reading is writing.
        def read(step, index)
          reader(step, index) unless json_column?(step, index)
        end

        # A call of the batch that reads a JSON column: json writes it, parsed returns it.
        def json_call(call, step, index)
          "batch.#{call}(serializer, object, #{@accesses[index].column.inspect}, column = #{step.name.inspect}); column = nil"
        end

        # Lines that read each of these into a variable of its own. A key that a Hash has not is asked for when it is its turn: a
        # default proc may change what was not written yet.
        def reads(run)
          run.map { |step, index| attribute_reader(step, index, "value#{index}", missing: "nil") }
        end

        # After reads, where they are not all as expected.
        def again(step, index)
          @accesses[index].how == Source::KEY ? attribute_reader(step, index) : "value = value#{index}"
        end

        # A call of a method of the serializer.
        def method_call(call)
          arguments = ["object", "batch.context"].first(call.arguments)
          if METHOD_NAME.match?(call.name) && @plan.serializer.public_method_defined?(call.name)
            "batch.instance(plan, object).#{call.name}(#{arguments.join(", ")})"
          else
            "batch.instance(plan, object).__send__(#{[call.name.inspect, *arguments].join(", ")})"
          end
        end

        # Lines that set the variable. missing: code for what the value is where a Hash has no such key.
        def attribute_reader(step, index, variable = "value", missing: dynamic(step))
          case @accesses[index].how
          when Source::COLUMN then "column = #{step.name.inspect}; #{variable} = #{call("object", step.name)}"
          when Source::KEY then key_reader(step, index, variable, missing)
          when Source::DYNAMIC then "#{variable} = #{dynamic(step)}"
          else "#{variable} = #{call("object", step.name)}"
          end
        end

        # A Symbol that is a key goes before a String. For a String, blocks take twice as long as looking for the Symbol first.
        def key_reader(step, index, variable, missing)
          name = step.name.inspect
          string = @accesses[index].column.inspect
          fetch = "#{variable} = object.fetch(#{name}) { object.fetch(#{string}) { #{missing} } }"
          return fetch unless @string_keys[index]

          "#{variable} = bare && !object.key?(#{name}) ? object[#{string}] : nil\n  #{fetch} if #{variable}.nil?"
        end

        def dynamic(step)
          "::Katsu::Source.read(serializer, object, #{step.name.inspect})"
        end

        def call(receiver, name)
          METHOD_NAME.match?(name) ? "#{receiver}.#{name}" : "#{receiver}.__send__(#{name.inspect})"
        end
      end
    end
  end
end
