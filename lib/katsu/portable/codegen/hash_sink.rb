# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # The lambda that builds an object's Hash.
      class HashSink < Sink
        private

        def parameters
          "batch, object"
        end

        # The first fields are in the Hash from the start if all are as expected.
        def body
          raw = raw_first
          if raw.empty?
            build_fields(@fields)
          else
            with_row(raw, -> { build_fields(raw) }) do |fields, variables, codes|
              fields.first.equal?(raw.first) ? build_raw(fields, variables, codes) : add_raw(fields, variables, codes)
            end
            each_in_parts(@fields.drop(raw.size)) { |field| build_field(field) }
          end
          line "hash"
        end

        # The first fields of the plan.
        def build_fields(fields)
          together = expected_first.first(fields.size)
          if together.empty?
            line "hash = {}"
          else
            build_together(together)
          end
          each_in_parts(fields.drop(together.size)) { |field| build_field(field) }
        end

        # JSON text is parsed, not copied.
        def raw?(code) = !code.built.nil?

        def build_raw(fields, variables, codes)
          branch(codes.map(&:built_condition).join(" && ")) do
            line "hash = {#{fields.zip(codes).map { |field, code| "#{field.key} => #{code.built}" }.join(", ")}}"
          end.otherwise do
            line "hash = {}"
            add_raw(fields, variables, codes)
          end
        end

        def add_raw(fields, variables, codes)
          fields.zip(variables, codes) do |field, variable, code|
            branch("#{variable}.nil?") { line "hash[#{field.key}] = nil" }
              .or_branch(code.built_condition) { line "hash[#{field.key}] = #{code.built}" }
              .otherwise { build_field(field) }
          end
        end

        def build_together(fields)
          codes = fields.map { |field| field.expected_code(@readers.variable(field)) }
          pairs = fields.zip(codes).map { |field, code| "#{field.key} => #{code.built}" }
          @readers.read_ahead(fields)
          forget_column
          branch(codes.map(&:built_condition).join(" && ")) { line "hash = {#{pairs.join(", ")}}" }.otherwise do
            line "hash = {}"
            fields.each do |field|
              @readers.read_again(field)
              line "hash[#{field.key}] = #{value(field)}"
            end
          end
        end

        def build_field(field)
          guarded(field) do
            next json_column("parse_json_column", field, "hash[#{field.key}] = ") if field.json_column?

            @readers.read(field)
            unless_skipped(field) do
              line "hash[#{field.key}] = #{field.step.plan ? associated("build_associated", field) : value(field)}"
              forget_column
            end
          end
        end

        # Code for value as it stands in a Hash.
        def value(field)
          choices = field.codes("value").map { |code| "#{code.built_condition} ? #{code.built} : " }
          "#{choices.join}batch.built(value, #{field.name})"
        end
      end
    end
  end
end
