# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Emits the lines that read a field's value into a variable.
      class Readers
        METHOD_NAME = /\A[a-z_]\w*[?!]?\z/u
        private_constant :METHOD_NAME

        # rows: RowReader or TableRowReader, or nil if rows are not read.
        def initialize(plan, emitter, rows)
          @plan = plan
          @emitter = emitter
          @rows = rows
        end

        # Sets value.
        def read(field)
          return calling(field, "value = #{method_call(field.step.call)}") if field.step.call
          return read_association(field) if @rows == RowReader && field.access.how == Source::ASSOCIATION

          read_attribute(field, "value")
        end

        # Sets a variable of its own for each field, see variable. A key that a Hash lacks is read later, in its turn: a
        # default proc may change what was not written yet.
        #
        # If the first Hash has only the keys of these fields, all Strings, so has each of the same size in which none
        # of them has nil: no Symbol can have precedence. The values are compared with what is expected, never nil.
        def read_ahead(fields)
          each = -> { fields.each { |field| read_attribute(field, variable(field), missing: "nil") } }
          keys = fields.map { |field| field.access.column }.uniq
          return each.call unless fields.all?(&:string_key?) && keys.size == fields.first.hash_size

          @emitter.branch("no_default && object.size == #{keys.size}") do
            fields.each { |field| @emitter.line "#{variable(field)} = object[#{field.access.column.inspect}]" }
          end.otherwise(&each)
        end

        # Sets value after read_ahead, if not all values are as expected.
        def read_again(field)
          return read_attribute(field, "value") if field.access.how == Source::KEY

          @emitter.line "value = #{variable(field)}"
        end

        def variable(field)
          "value#{field.index}"
        end

        # Emits code that calls methods of the serializer. An error in it is placed at the field.
        def calling(field, code)
          @emitter.line "field = #{field.name}"
          @emitter.line code
          @emitter.line "field = nil"
        end

        # A call of a method of the serializer.
        def method_call(call)
          arguments = ["object", "batch.context"].first(call.arguments)
          serializer = "batch.instance(plan, object)"
          if METHOD_NAME.match?(call.name) && @plan.serializer.public_method_defined?(call.name)
            "#{serializer}.#{call.name}(#{arguments.join(", ")})"
          else
            "#{serializer}.__send__(#{[call.name.inspect, *arguments].join(", ")})"
          end
        end

        private

        # Of a record of its class, without a singleton class, if it is loaded and not stale.
        def read_association(field)
          unknown = "::Katsu::Portable::RecordRow::UNKNOWN"
          @emitter.line "value = #{unknown}"
          @emitter.branch("batch.associations_in_place? && klass.equal?(::ObjectSpace.internal_class_of(object))") do
            target = "value = object.association(#{field.name}).katsu_target"
            next @emitter.line target if field.access.staleness == Source::STALE_NEVER

            @emitter.line "set = object.instance_variable_get(:@attributes)"
            loaded = "::ActiveModel::LazyAttributeSet.equal?(set.class) && set.katsu_unchanged?"
            @emitter.line "#{target} if #{loaded}"
          end
          @emitter.line "value = #{reader(field)} if #{unknown}.equal?(value)"
        end

        # missing: code for the value if a Hash has no such key.
        def read_attribute(field, variable, missing: find(field))
          case field.access.how
          when Source::KEY then read_key(field, variable, missing)
          when Source::DYNAMIC then @emitter.line "#{variable} = #{find(field)}"
          else
            @emitter.line "column = #{field.name}" if field.column?
            @emitter.line "#{variable} = #{column_of_row(field) || reader(field)}"
          end
        end

        # Code for the value that the database has, not for the one that a field may have changed in place; nil if the
        # object is no Query::Row.
        def column_of_row(field)
          return unless @rows == TableRowReader && field.column?

          "object.katsu_anew(#{field.access.column.inspect})"
        end

        # A Symbol key has precedence over a String key. If the key is a String, nested fetch blocks take twice as long
        # as looking for the Symbol first.
        def read_key(field, variable, missing)
          string = field.access.column.inspect
          fetch = "#{variable} = object.fetch(#{field.name}) { object.fetch(#{string}) { #{missing} } }"
          return @emitter.line(fetch) unless field.string_key?

          @emitter.line "#{variable} = no_default && !object.key?(#{field.name}) ? object[#{string}] : nil"
          @emitter.line "#{fetch} if #{variable}.nil?"
        end

        # Code that reads what only this object may have, or raises.
        def find(field)
          "batch.find(serializer, object, #{field.name})"
        end

        def reader(field)
          METHOD_NAME.match?(field.step.name) ? "object.#{field.step.name}" : "object.__send__(#{field.name})"
        end
      end
    end
  end
end
