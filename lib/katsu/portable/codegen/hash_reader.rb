# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Emits the lines that read a plan's values from a Hash for RowsSink. A value that is nil, or missing, is left to
      # JsonSink, which finds out by which key it is to be read.
      class HashReader
        # The code of a field's value in a variable; nil if it is not known what to expect.
        def self.code(field, variable) = field.expected_code(variable)

        def self.nils? = false

        # fields: an Array of Field.
        def initialize(fields, emitter)
          @fields = fields
          @emitter = emitter
        end

        # Emits lines that set raw0, raw1 and so on; before them a break for other objects, and for a Hash that gives
        # more than what is in it.
        def find_or_break
          line "break unless ::Hash === object && ::Hash.equal?(object.class)"
          line "break unless nil == object.default && object.default_proc.nil?"
          break_if_symbols
          @fields.each { |field| line "#{variable(field)} = object[#{key(field)}]" }
        end

        def variable(field)
          "raw#{field.index}"
        end

        private

        def key(field)
          field.string_key? ? field.access.column.inspect : field.name
        end

        # A Symbol key has precedence, see Readers#read_ahead.
        def break_if_symbols
          strings = @fields.select(&:string_key?)
          keys = strings.map { |field| key(field) }.uniq
          return if strings.empty?
          return line("break unless object.size == #{keys.size}") if keys.size == strings.first.hash_size

          line "break if #{strings.map { |field| "object.key?(#{field.name})" }.join(" || ")}"
        end

        def line(code)
          @emitter.line(code)
        end
      end
    end
  end
end
