# frozen_string_literal: true

module Katsu
  module Portable
    # Writes text to an io, which has to take all of it.
    module FullWrite
      # Raises Error if io takes less.
      def self.call(io, text)
        return if text.empty?

        written = io.write(text)
        # An io with an encoding writes all or raises, and counts the bytes after conversion.
        return unless written.is_a?(Integer) && written < text.bytesize && !io.respond_to?(:external_encoding)

        raise Error, "#{io.class}#write took #{written} of #{text.bytesize} bytes; is it non-blocking or closed?"
      end
    end
  end
end
