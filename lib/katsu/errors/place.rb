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

    # Raises the error. If it has no path yet, it gets the one of segments, an Array of keys and indexes.
    def self.raise_at(error, segments)
      error.instance_variable_set(:@path, Path.join(segments)) if error.path.nil? && !error.frozen?
      raise error
    end

    # Runs the block. An error from it has its path changed by moved, which is given the path and returns another one.
    def self.moving(moved)
      yield
    rescue StandardError => e
      path = path_of(e)
      e.instance_variable_set(name_of(e), moved.call(path)) if path && !e.frozen?
      raise
    end

    # Raises the error of a part of a document with its place in the whole. segments: the part's, an Array of keys and
    # indexes. It is a copy that is raised, as the part may raise the same error elsewhere again. A FieldError is one.
    def self.raise_below(error, segments)
      path = path_of(error)
      raise error unless path

      copy = FieldError === error ? error : error.clone(freeze: false)
      copy.instance_variable_set(name_of(error), outer_path(error, segments, path)) unless copy.frozen?
      raise copy if copy.equal?(error)

      raise copy, cause: error.cause
    end

    # nil for an error that has no place.
    def self.path_of(error)
      path = error.instance_variable_get(name_of(error)) if Place === error
      path if path.is_a?(::String)
    end

    # A NestingError has the outermost part of its path.
    def self.outer_path(error, segments, path)
      if NestingError === error && segments.size >= Limits::PATH_SEGMENTS
        return Path.join(segments.first(Limits::PATH_SEGMENTS))
      end

      below(Path.join(segments), path)
    end
    private_class_method :outer_path

    def self.name_of(error) = FieldError === error ? :@field_path : :@path
    private_class_method :path_of, :name_of

    # The path of what is at path below place.
    def self.below(place, path)
      "#{place}#{"." unless place.empty? || path.empty? || path.start_with?("[")}#{path}"
    end

    # Runs the block. Of an error from it, adds count to the index that its path begins with: so many objects of the
    # collection were written before.
    def self.after(count, &)
      moving(->(path) { path.sub(/\A\[(\d+)\]/) { "[#{$1.to_i + count}]" } }, &)
    end

    # Runs the block. Of an error from it, puts [index] before the path: the object at index was written by itself.
    def self.element(index, &)
      moving(->(path) { below("[#{index}]", path) }, &)
    end

    # Runs the block. Of an error from it, removes the [0] that its path begins with: one object was written as a
    # collection.
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

    # Of an error whose path is that of the object that it is about.
    module OfPath
      include Place

      private

      def katsu_places = @path.to_s.empty? ? super : ["in #{@path}", *super]
    end
  end
end
