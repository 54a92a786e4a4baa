# frozen_string_literal: true

module Katsu
  module Portable
    # Writes text to an io, which has to take all of it.
    module FullWrite
      def self.call(io, text)
        return if text.empty?

        written = io.write(text)
        # What has an encoding writes all or raises, and counts the bytes that it made of these.
        return unless written.is_a?(Integer) && written < text.bytesize && !io.respond_to?(:external_encoding)

        raise Error, "#{io.class}#write took #{written} of #{text.bytesize} bytes; is it non-blocking or closed?"
      end
    end
  end
end
