# frozen_string_literal: true

module Katsu
  module Query
    # The raw values of a row that a driver holds, read by [] as those of an Array are. A value is made when it is read.
    class RowValues
      def initialize(rows, index)
        @rows = rows
        @index = index
      end

      def [](position) = @rows.value(@index, position)
    end
  end
end
