# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Emits the lines that find a record's row and read the first columns of a plan from it, see RecordRow. Nothing is
      # read from the row of a record that was changed, or that has been asked for a value that may have been changed in
      # place.
      class RowReader
        # The code of a field's value in a variable; nil if it does not stand in the row as it is.
        def self.code(field, variable) = field.raw_code(variable)

        # True if nil is written as null.
        def self.nils? = true

        # fields: an Array of Field. object, suffix: the variables object, last_places, klass2, types2 and raw2_0 of the
        # object of the association at index 2 are named by "target2" and "2".
        def initialize(fields, emitter, object: "object", suffix: "")
          @fields = fields
          @positions = fields.each_with_index.to_h
          @emitter = emitter
          @object = object
          @suffix = suffix
        end

        # Emits the lines of the block, for which there is a row, and those of otherwise, for records whose readers have
        # to be called.
        def find(otherwise, &block)
          find_row("#{own_class} && ")
          @emitter.branch("row", &block).otherwise(&otherwise)
        end

        # Emits lines that set raw0, raw1 and so on; before them a break for objects whose readers have to be called.
        def find_or_break
          line "break unless #{own_class}" # before any method of the object is called
          find_row
          line "break unless row"
          read(@fields)
        end

        # Emits lines that set the variables of the fields, after find.
        def read(fields)
          fields.each { |field| line "#{variable(field)} = row[places[#{@positions[field] + 2}]]" }
        end

        def variable(field)
          "raw#{"#{@suffix}_" unless @suffix.empty?}#{field.index % Sink::TOGETHER}"
        end

        private

        def own_class
          "klass#{@suffix}.equal?(::ObjectSpace.internal_class_of(#{@object}))"
        end

        # Sets row, to nil or false if the readers have to be called. The variable is shared by threads: it is read
        # once, and set as a whole.
        def find_row(own_class = "")
          line "row = nil"
          line "set = #{@object}.instance_variable_get(:@attributes)"
          @emitter.branch("#{own_class}::ActiveModel::LazyAttributeSet.equal?(set.class)") do
            line "places = last_places#{@suffix}"
            line "row = set.katsu_row(types#{@suffix}, places)"
            @emitter.branch("row.nil? && (places = set.katsu_places(#{names}))") do
              line "last_places#{@suffix} = places"
              line "row = set.katsu_row(types#{@suffix}, places)"
            end
            forget_if_read
          end
        end

        def mutable
          @fields.select(&:mutable?).map { |field| field.access.column.inspect }
        end

        def names
          "[#{@fields.map { |field| field.access.column.inspect }.join(", ")}]"
        end

        def forget_if_read
          return if mutable.empty?

          line "casted = set.katsu_casted"
          line "row = nil unless casted.empty? || !(#{mutable.map { |name| "casted.key?(#{name})" }.join(" || ")})"
        end

        def line(code)
          @emitter.line(code)
        end
      end
    end
  end
end
