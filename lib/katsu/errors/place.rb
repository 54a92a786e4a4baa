# frozen_string_literal: true

module Katsu
  # Adds the place of an error to detailed_message and inspect, and so to full_message, which uses detailed_message from
  # Ruby 3.2 on. The message stays what it was, so programs can compare it.
  module Place
    # Texts of any encodings joined.
    def self.join(texts, separator)
      texts.join(separator)
    rescue EncodingError
      texts.map { |text| Path.text_of(text) }.join(separator)
    end

    # Returns the message and, on lines of their own, the place and what else is known.
    def detailed_message(...)
      text = defined?(super) ? super : message
      Place.join([text, *katsu_hints], "\n")
    end

    # Returns what Exception#inspect does, with the place.
    def inspect
      return super if katsu_places.empty?

      text = super
      closed = text.end_with?(">")
      Place.join([closed ? text.chop : text, " (", katsu_places.join("; "), closed ? ")>" : ")"], "")
    end

    unless Exception.method_defined?(:detailed_message)
      def full_message(...)
        katsu_hints.empty? ? super : Place.join([super.chomp, *katsu_hints], "\n")
      end
    end

    private

    # Such as ["in users[3].name"].
    def katsu_places = []

    # The lines after the message.
    def katsu_hints = katsu_places
  end
end
