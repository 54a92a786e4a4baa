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
        def initialize(fields, emitter, _places)
          @fields = fields
          @emitter = emitter
        end

        # Emits the lines of the block, for which raw0, raw1 and so on are set.
        def find(_otherwise)
          read_raw
          yield
        end

        # Emits lines that set raw0, raw1 and so on; before them a break for objects of another class.
        def find_or_break
          @emitter.line "break unless ::Katsu::Query::Row === object && klass.equal?(object.class)"
          read_raw
        end

        def variable(field)
          "raw#{field.index}"
        end

        private

        def read_raw
          @emitter.line "row = object.katsu_values"
          @fields.each { |field| @emitter.line "#{variable(field)} = row[#{field.position}]" }
        end
      end
    end
  end
end
