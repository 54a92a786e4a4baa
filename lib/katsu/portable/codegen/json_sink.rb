# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # The lambda that writes an object as JSON. opening is "{", or ",{" for all but the first of a collection.
      class JsonSink < Sink
        # Ruby 3.4 appends all parts in one call and need not compare encodings.
        AS_BYTES = String.method_defined?(:append_as_bytes)
        private_constant :AS_BYTES

        private

        def parameters
          "batch, object, out, opening"
        end

        # The first fields are written in one call if all are as expected. A brace is written together with the first or
        # last field if that is always there.
        def body
          raw = raw_first
          if raw.empty?
            write_fields(@fields)
          else
            with_row(raw, -> { write_fields(raw) }) { |fields, variables, codes| write_raw(fields, variables, codes) }
            each_in_parts(@fields.drop(raw.size)) { |field| write_field(field) }
          end
          line 'out << "}"' unless closes?(@fields.last)
        end

        # The first fields of the plan.
        def write_fields(fields)
          together = expected_first.first(fields.size)
          write_together(together) unless together.empty?
          line "out << opening" unless opens?(fields.first)
          each_in_parts(fields.drop(together.size)) { |field| write_field(field) }
        end

        def raw?(_code) = true

        # In one call if all values are as expected.
        def write_raw(fields, variables, codes)
          branch(codes.map(&:condition).join(" && ")) do
            append(fields.zip(codes).flat_map { |field, code| parts(field, code) })
          end.otherwise do
            fields.zip(variables, codes) { |field, variable, code| write_raw_field(field, variable, code) }
          end
        end

        def write_raw_field(field, variable, code)
          null = ValueCode.new(nil, ["null"])
          chain = branch("#{variable}.nil?") { append(parts(field, null)) }
                  .or_branch(code.condition) { append(parts(field, code)) }
          chain.or_branch(code.escaped.condition) { append(parts(field, code.escaped)) } if code.escaped
          chain.otherwise { write_field(field) }
        end

        def opens?(field)
          field&.index&.zero? && field.own_value?
        end

        def closes?(field)
          field.equal?(@fields.last) && field&.own_value?
        end

        def write_together(fields)
          codes = fields.map { |field| field.expected_code(@readers.variable(field)) }
          @readers.read_ahead(fields)
          forget_column
          branch(codes.map(&:condition).join(" && ")) do
            append(fields.zip(codes).flat_map { |field, code| parts(field, code) })
          end.otherwise do
            fields.each do |field|
              @readers.read_again(field)
              write_value(field)
            end
          end
        end

        def write_field(field)
          guarded(field) do
            # A JSON column is read when it is written.
            @readers.read(field) unless field.json_column?
            unless_skipped(field) do
              forget_column
              write_value(field)
            end
          end
        end

        # The key and value.
        def write_value(field)
          if field.step.plan
            write_key(field)
            line associated("write_associated", field)
          elsif field.json_column?
            write_key(field)
            json_column("write_json_column", field)
            close(field)
          elsif certain_comma?(field)
            choose(field, together: true) { write_key(field) }
          else
            write_key(field)
            choose(field, together: false)
          end
        end

        # The value by the first code that fits, together with the key if that is certain; the block's lines and the
        # value otherwise.
        def choose(field, together:)
          field.codes("value").each_with_index do |code, index|
            parts = together ? parts(field, code) : [*code.parts, *closing(field)]
            @emitter.public_send(index.zero? ? :branch : :or_branch, code.condition) { append(parts) }
          end
          @emitter.otherwise do
            yield if together
            line "batch.value(value, #{field.name})"
            close(field)
          end
        end

        # What a field whose comma is certain is written as: Symbols are Ruby code, Strings text.
        def parts(field, code)
          [*(:opening if opens?(field)), comma_and_key(field), *code.parts, *closing(field)]
        end

        def closing(field)
          closes?(field) ? ["}"] : []
        end

        def close(field)
          line 'out << "}"' if closes?(field)
        end

        def write_key(field)
          return append([*(:opening if opens?(field)), comma_and_key(field)]) if certain_comma?(field)

          key = field.step.json_key
          line "out << (out.end_with?(\"{\") ? #{key.dump} : #{",#{key}".dump})"
        end

        def comma_and_key(field)
          field.index.zero? ? field.step.json_key : ",#{field.step.json_key}"
        end

        # True if this key is the first one, or a key before it is always written.
        def certain_comma?(field)
          field.index.zero? || field.index > @first_always
        end

        # Part by part: to make one String of them takes longer than the appends. All of it is UTF-8, or ASCII.
        def append(parts)
          parts.chunk { |part| part.is_a?(Statement) }.each do |statement, chunk|
            statement ? chunk.each { |part| line part.code } : append_texts(chunk)
          end
        end

        def append_texts(parts)
          texts = parts.chunk_while { |one, other| one.is_a?(String) && other.is_a?(String) }
          codes = texts.flat_map { |chunk| chunk.first.is_a?(String) ? chunk.join.dump : chunk.map(&:name) }
          line AS_BYTES ? "out.append_as_bytes(#{codes.join(", ")})" : ["out", *codes].join(" << ")
        end
      end
    end
  end
end
