# frozen_string_literal: true

require_relative "../portable/full_write"

module Katsu
  module Query
    # Newline-delimited JSON on its way to an io, in chunks.
    class Lines
      CHUNK = 65_536
      private_constant :CHUNK

      def initialize(io)
        @io = io
        @text = String.new(capacity: CHUNK, encoding: Encoding::UTF_8)
      end

      # Appends an object's JSON.
      def <<(json)
        @text << json << "\n"
        flush if @text.bytesize >= CHUNK
        self
      end

      # Writes what is left, and returns the io.
      def finish
        flush
        @io
      end

      private

      def flush
        Portable::FullWrite.call(@io, @text.dup)
        @text.clear
      end
    end
  end
end
