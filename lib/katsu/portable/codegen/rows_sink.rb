# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # The lambda that writes many objects as JSON, if all their values stand in rows. It writes them from the one at
      # index on, those before limit, up to the first that is not as expected, and returns the index of that one.
      #
      # Text is written as if it needed no escapes. It is also appended to texts, to be looked at for escapes in one
      # call; text_ends and ends tell where each object's text and JSON end. See RowRuns.
      class RowsSink < JsonSink
        # After so many bytes of text a call ends: those of an io are not to wait for many long texts.
        MAX_TEXT = 32_768
        private_constant :MAX_TEXT

        # Emits the lambda, or nil if values have to be read in another way.
        def emit(name)
          return super if AS_BYTES && @rows && raw_first.size == @fields.size && @fields.any?

          line "#{name} = nil"
        end

        private

        def parameters
          "batch, objects, index, limit, out, ends, texts, text_ends"
        end

        def prelude; end

        def rescues; end

        def body
          line "place = 0"
          branch("index < limit && texts.bytesize < #{MAX_TEXT}", word: "while") do
            line "object = objects[index]"
            reader = @rows.new(@fields, @emitter, @places)
            reader.find_or_break { write_row(@fields.map { |field| reader.variable(field) }) }
            line "text_ends[place] = texts.bytesize"
            line "place += 1"
            line "ends[place] = out.bytesize"
            line "index += 1"
          end
          line "index"
        end

        # In one call if no value is nil.
        def write_row(variables)
          codes = @fields.zip(variables).map { |field, variable| field.raw_code(variable) }
          conditions = codes.map(&:unescaped_or_not)
          line 'opening = index == 0 ? "{" : ",{"'
          branch(conditions.join(" && ")) do
            append(@fields.zip(codes).flat_map { |field, code| parts(field, code) })
            keep(codes)
          end.or_branch(variables.zip(conditions).map { |pair| "(#{pair[0]}.nil? || #{pair[1]})" }.join(" && ")) do
            @fields.zip(variables, codes) { |field, variable, code| write_or_null(field, variable, code) }
          end.otherwise { line "break" }
        end

        def write_or_null(field, variable, code)
          branch("#{variable}.nil?") { append(parts(field, NULL)) }.otherwise do
            append(parts(field, code))
            keep([code])
          end
        end

        # Text, to be looked at for escapes.
        def keep(codes)
          texts = codes.filter_map(&:text)
          line "texts.append_as_bytes(#{texts.join(", ")})" unless texts.empty?
        end
      end
    end
  end
end
