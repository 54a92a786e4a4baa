# frozen_string_literal: true

module Katsu
  module Portable
    # The lines of Codegen that find a step's value.
    module Reading
      METHOD_NAME = /\A[a-z_]\w*[?!]?\z/
      private_constant :METHOD_NAME

      private

      # A line that sets value.
      def reader(step, index)
        case step.kind
        when :method then "field = #{step.name.inspect}; value = #{method_field(step.name)}; field = nil"
        when :block then "field = #{step.name.inspect}; value = block#{index}.call(object); field = nil"
        else attribute_reader(step, @accesses[index])
        end
      end

      def method_field(name)
        return "batch.instance(plan, object).__send__(#{name.inspect})" unless @plan.serializer.public_method_defined?(name)

        call("batch.instance(plan, object)", name)
      end

      def attribute_reader(step, access)
        case access.how
        when Source::COLUMN then "column = #{step.name.inspect}; value = #{call("object", step.name)}"
        when Source::KEY
          "value = object.fetch(#{step.name.inspect}) { object.fetch(#{access.column.inspect}) { #{dynamic(step)} } }"
        when Source::DYNAMIC then "value = #{dynamic(step)}"
        else "value = #{call("object", step.name)}"
        end
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
