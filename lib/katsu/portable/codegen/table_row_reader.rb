# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Emits the lines that read the first columns of a plan from the row that a Query::Row stands for. It never
      # changes, and the class knows where its columns are.
      class TableRowReader
        # The code of a field's value in a variable; nil if it does not stand in the row as it is.
        def self.code(field, variable) = field.raw_code(variable)

        # True if nil is written as null.
        def self.nils? = true

        # fields: an Array of Field.
        def initialize(fields, emitter)
          @fields = fields
          @emitter = emitter
        end

        # Emits the lines of the block, for which there is a row.
        def find(_otherwise)
          find_row
          yield
        end

        # Emits lines that set raw0, raw1 and so on; before them a break for objects of another class.
        def find_or_break
          @emitter.line "break unless ::Katsu::Query::Row === object && klass.equal?(object.class)"
          find_row
          read(@fields)
        end

        # Emits lines that set the variables of the fields, after find.
        def read(fields)
          fields.each { |field| @emitter.line "#{variable(field)} = row[#{field.position}]" }
        end

        def variable(field)
          "raw#{field.index % Sink::TOGETHER}"
        end

        private

        def find_row
          @emitter.line "row = object.katsu_values"
        end
      end
    end
  end
end
