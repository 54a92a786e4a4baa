# frozen_string_literal: true

module Katsu
  module Portable
    # Writing to an io that may take less than it is given.
    module Chunk
      def self.write(io, text)
        until text.empty?
          written = io.write(text)
          break unless written.is_a?(Integer) && written < text.bytesize
          unless written.positive?
            raise Error, "#{io.class}#write took #{written} of #{text.bytesize} bytes; is it non-blocking or closed?"
          end

          text = text.byteslice(written..)
        end
      end
    end
  end
end
