# frozen_string_literal: true

module Katsu
  module Portable
    # The elements of a Katsu::Stream, one by one, and nothing else: an each may keep the block and call it later, in
    # another fiber, or after an element that raised and of which half is written.
    module StreamWalk
      def self.each(stream)
        fiber = Fiber.current
        walking = true
        writing = false
        stream.each do |*element|
          unless walking && fiber.equal?(Fiber.current)
            raise Error, "Katsu::Stream: each yielded after it had returned, or in another fiber"
          end
          raise Error, "Katsu::Stream: each went on after an element that could not be written" if writing

          writing = true
          yield element.size == 1 ? element[0] : element
          writing = false
        end
        raise Error, "Katsu::Stream: each ended after an element that could not be written" if writing
      ensure
        walking = false
      end
    end
  end
end
