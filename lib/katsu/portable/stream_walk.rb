# frozen_string_literal: true

module Katsu
  module Portable
    # Walks the elements of a Katsu::Stream and guards against an each that keeps the block and calls it later, in
    # another fiber, or after an element that raised and is half written.
    module StreamWalk
      # Yields each element. Raises Error for such a call.
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
