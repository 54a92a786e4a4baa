# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # The lambda that writes many objects as JSON, if all their values stand in rows or Hashes. It writes those from
      # index to before limit, up to the first that is not as expected, and returns the index at which it ended.
      #
      # Text is written as if it needed no escapes. It is also appended to texts, to be looked at for escapes in one
      # call; text_ends and ends tell where each object's text and JSON end. See RowRuns.
      class RowsSink < JsonSink
        # After so many bytes of text a call ends: those of an io are not to wait for many long texts.
        MAX_TEXT = 32_768
        private_constant :MAX_TEXT

        # False if values have to be read in another way, or are too many.
        def possible?
          return false unless AS_BYTES && @rows && @fields.any? && @rows.code(@fields.first, "")
          return false unless @fields.all? { |field| @rows.code(field, "") || field.inlined }

          @fields.sum { |field| field.inlined ? field.inlined.fields.size : 1 } <= TOGETHER
        end

        def emit
          @inlined = @fields.select(&:inlined)
          @inlined.each { |field| remember_places("last_places#{field.index}") }
          super
        end

        private

        def parameters
          "batch, objects, index, limit, out, ends, texts, text_ends"
        end

        def prelude
          line "next index unless batch.associations_in_place?" if @inlined.any?
          line "place = 0"
        end

        def rescues; end

        def body
          branch("index < limit && texts.bytesize < #{MAX_TEXT}", word: "while") do
            line "object = objects[index]"
            write(read)
            line "text_ends[place] = texts.bytesize"
            line "place += 1"
            line "ends[place] = out.bytesize"
            line "index += 1"
          end
          line "index"
        end

        # Reads all values. Returns an Array of RowValue and RowObject.
        def read
          reader = @rows.new(@fields - @inlined, @emitter)
          reader.find_or_break
          @inlined.each { |field| find_target(field) }
          objects = @inlined.to_h { |field| [field, read_target(field, field.inlined.fields)] }
          around(@fields, :opening) do |field, before, after|
            next RowObject.new("target#{field.index}", objects[field], before, after) if objects.key?(field)

            variable = reader.variable(field)
            RowValue.new(variable, @rows.code(field, variable), before, after)
          end
        end

        # The association's object, as Readers reads it.
        def find_target(field)
          line "target#{field.index} = object.association(#{field.name}).katsu_target"
          line "break if ::Katsu::Portable::RecordRow::UNKNOWN.equal?(target#{field.index})"
          line "break unless set.katsu_unchanged?" unless field.access.staleness == Source::STALE_NEVER
        end

        def read_target(field, fields)
          suffix = field.index.to_s
          reader = RowReader.new(fields, @emitter, object: "target#{suffix}", suffix: suffix)
          branch("target#{suffix}") { reader.find_or_break }
          around(fields, "{") do |inner, before, after|
            variable = reader.variable(inner)
            RowValue.new(variable, inner.raw_code(variable), before, after)
          end
        end

        # What the block returns for each field, and the parts before and after its value.
        def around(fields, opening)
          fields.map do |field|
            last = field.equal?(fields.last)
            yield field, [*(opening if field.index.zero?), comma_and_key(field)], (last ? ["}"] : [])
          end
        end

        # In one call if no value is nil.
        def write(values)
          line 'opening = index == 0 ? "{" : ",{"'
          together = branch(values.map(&:condition).join(" && ")) do
            append_and_keep(values.flat_map(&:parts), values.flat_map(&:texts))
          end
          values_or_nulls(together, values) if @rows.nils?
          together.otherwise { line "break" }
        end

        def values_or_nulls(together, values)
          together.or_branch(values.map(&:condition_or_nil).join(" && ")) do
            values.each { |value| value.is_a?(RowObject) ? object_or_null(value) : value_or_null(value) }
          end
        end

        def value_or_null(value)
          branch("#{value.variable}.nil?") { append_null(value) }
            .otherwise { append_and_keep(value.parts, value.texts) }
        end

        def object_or_null(object)
          branch(object.variable) do
            append(object.before)
            object.values.each { |value| value_or_null(value) }
            append(object.after) unless object.after.empty?
          end.otherwise { append_null(object) }
        end

        def append_null(value)
          append([*value.before, "null", *value.after])
        end

        # Keeps the text, to be looked at for escapes.
        def append_and_keep(parts, texts)
          append(parts)
          line "texts.append_as_bytes(#{texts.join(", ")})" unless texts.empty?
        end
      end
    end
  end
end
