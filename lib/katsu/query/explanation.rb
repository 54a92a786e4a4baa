# frozen_string_literal: true

module Katsu
  module Query
    # How a document is read and written.
    class Explanation
      def initialize(serializer, contents)
        @serializer = serializer
        @contents = contents
      end
    end
  end
end
