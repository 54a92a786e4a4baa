# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Emits the lines that find a record's row and read the first columns of a plan from it, see RecordRow. Nothing is
      # read from the row of a record that was changed, or that has been asked for a value that may have been changed in
      # place.
      class RowReader
        OWN_CLASS = "klass.equal?(::ObjectSpace.internal_class_of(object))"
        private_constant :OWN_CLASS

        # fields: an Array of Field. places: the name of the local variable that remembers where their columns are.
        def initialize(fields, emitter, places)
          @fields = fields
          @emitter = emitter
          @places = places
        end

        # Emits the lines of the block, for which raw0, raw1 and so on are set, and those of otherwise, for records
        # whose readers have to be called.
        def find(otherwise)
          find_row
          @emitter.branch("row") do
            read_raw
            yield
          end.otherwise(&otherwise)
        end

        # Emits the lines of the block, for which raw0, raw1 and so on are set; before them a break for records whose
        # readers have to be called.
        def find_or_break
          line "break unless #{OWN_CLASS}" # before any method of the object is called
          find_row("")
          line "break unless row"
          read_raw
          yield
        end

        def variable(field)
          "raw#{field.index}"
        end

        private

        def read_raw
          @fields.each_with_index { |field, index| line "#{variable(field)} = row[places[#{index + 2}]]" }
        end

        # Sets row, to nil or false if the readers have to be called. The variable is shared by threads: it is read
        # once, and set as a whole.
        def find_row(own_class = "#{OWN_CLASS} && ")
          line "row = nil"
          line "set = object.instance_variable_get(:@attributes)"
          @emitter.branch("#{own_class}::ActiveModel::LazyAttributeSet.equal?(set.class)") do
            line "places = #{@places}"
            line "row = set.katsu_row(types, places)"
            @emitter.branch("row.nil? && (places = ::Katsu::Portable::RecordRow.places(set, #{names}))") do
              line "#{@places} = places"
              line "row = set.katsu_row(types, places)"
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
