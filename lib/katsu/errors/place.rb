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

    # Runs the block. An error from it has its path changed by moved, which is given the path and returns another one.
    def self.moving(moved)
      yield
    rescue StandardError => e
      move(e, moved)
      raise
    end

    # Changes an error's path as moving does.
    def self.move(error, moved)
      name = FieldError === error ? :@field_path : :@path
      path = error.instance_variable_get(name) if Place === error
      error.instance_variable_set(name, moved.call(path)) if path.is_a?(::String) && !error.frozen?
    end

    # Puts segments, an Array of keys and indexes, before an error's path: it is of a part of a document.
    def self.put_below(error, segments)
      move(error, ->(path) { Place.below(Path.join(segments), path) })
    end

    # The path of what is at path below place.
    def self.below(place, path)
      "#{place}#{"." unless place.empty? || path.empty? || path.start_with?("[")}#{path}"
    end

    # The same for the objects of a collection of which earlier ones were written by themselves.
    def self.after(count, &)
      moving(->(path) { path.sub(/\A\[(\d+)\]/) { "[#{$1.to_i + count}]" } }, &)
    end

    # The same for an object that was written by itself: the one at index of its collection.
    def self.element(index, &)
      moving(->(path) { below("[#{index}]", path) }, &)
    end

    # The same for one that was written as a collection.
    def self.alone(&)
      moving(->(path) { path.sub(/\A\[0\]\.?/, "") }, &)
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
