# frozen_string_literal: true

module Katsu
  module Query
    # The raw values of one of a driver's rows, in the place of an Array of them: a value is made when it is read.
    class RowValues
      def initialize(rows, index)
        @rows = rows
        @index = index
      end

      def [](position) = @rows.value(@index, position)
    end
  end
end
