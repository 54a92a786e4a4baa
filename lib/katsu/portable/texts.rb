# frozen_string_literal: true

module Katsu
  module Portable
    # Writes the objects whose text is nil, each into a String of its own.
    module Texts
      # texts: an Array with a text or nil for each of objects; it is filled and returned. first: the index of the first
      # object, for errors.
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
