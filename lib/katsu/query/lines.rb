# frozen_string_literal: true

module Katsu
  module Query
    # Newline-delimited JSON on its way to an io, in chunks.
    class Lines
      def initialize(io)
        @io = io
        @text = new_text
      end

      # Appends an object's JSON. In JSON a line break is a space, which columns and fragments may have.
      def <<(json)
        json = json.tr("\n\r", " ") if json.include?("\n") || json.include?("\r")
        @text << json << "\n"
        return self if @text.bytesize < Limits::CHUNK

        text = @text
        @text = new_text
        FullWrite.hand_over(@io, text)
        self
      end

      # Writes what is left, and returns the io.
      def finish
        FullWrite.hand_over(@io, @text)
        @io
      end

      private

      def new_text = String.new(capacity: Limits::CHUNK, encoding: Encoding::UTF_8)
    end
  end
end
