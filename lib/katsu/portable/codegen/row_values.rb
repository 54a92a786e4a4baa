# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # What RowsSink writes for one field: the value in a variable, by its code. before, after: what is written around
      # it, see JsonSink#parts.
      RowValue = Struct.new(:variable, :code, :before, :after) do
        def condition = code.unescaped_or_not

        def condition_or_nil = "(#{variable}.nil? || #{condition})"

        def parts = [*before, *code.parts, *after]

        # Code for the text in it, to be looked at for escapes.
        def texts = [code.text].compact
      end

      # The same for the object of an Inlined in a variable, nil for none. values: an Array of RowValue, which write its
      # braces too.
      RowObject = Struct.new(:variable, :values, :before, :after) do
        def condition = [variable, *values.map(&:condition)].join(" && ")

        def condition_or_nil = "(#{variable} ? #{values.map(&:condition_or_nil).join(" && ")} : true)"

        def parts = [*before, *values.flat_map(&:parts), *after]

        def texts = values.flat_map(&:texts)
      end
    end
  end
end
