# frozen_string_literal: true

module Katsu
  # Writes text to an io, which has to take all of it.
  module FullWrite
    class << self
      # Raises Error if io takes less.
      def call(io, text)
        return if text.empty?

        check(io, text.bytesize, io.write(text))
      end

      # The same for a String that nobody else has, whose memory the native backend gives back at once if io keeps
      # nothing of it.
      def hand_over(io, text)
        return call(io, text) unless defined?(Native)

        size = text.bytesize
        check(io, size, Native.write_out(io, text)) if size.positive?
      end

      private

      # An io with an encoding writes all or raises, and counts the bytes after conversion.
      def check(io, size, written)
        return unless written.is_a?(Integer) && written < size && !io.respond_to?(:external_encoding)

        raise Error, "#{io.class}#write took #{written} of #{size} bytes; is it non-blocking or closed?"
      end
    end
  end
end
