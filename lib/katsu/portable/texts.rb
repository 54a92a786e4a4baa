# frozen_string_literal: true

module Katsu
  module Portable
    # What a Batch does with a collection of which the JSON of each object is a String of its own: texts, an Array that
    # has nil for those that are to be written.
    module Texts
      # Writes the objects at whose places texts has nil into texts. first: the index of the first, for errors.
      def write_missing(plan, objects, texts, first)
        @path << first
        objects.each_with_index do |object, index|
          next if texts[index]

          @path[-1] = first + index
          write(plan, object)
          texts[index] = @out.dup
          @out.clear
        end
        texts
      end
    end
  end
end
