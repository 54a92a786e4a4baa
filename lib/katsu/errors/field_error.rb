# frozen_string_literal: true

module Katsu
  # Extends the copy of an error that was raised in a method field, a block or a condition: the copy has the error's
  # class and message and also knows the place. The error itself stays as it is: an application may keep one object and
  # raise it again elsewhere.
  module FieldError
    include Place

    # The place in the document, such as posts[3].word_count; the object's class; its id, or nil.
    attr_reader :field_path, :field_class, :field_id

    # Raises the copy. segments: the path to the field. An error that carries a place already is on its way from a field
    # further in and keeps it; one that cannot be copied is raised as it is.
    def self.raise_copy(error, segments, object)
      placed = FieldError === error && error.field_path
      copy = copy_of(error) unless placed
      raise error unless copy

      copy.set_backtrace(error.backtrace) unless copy.backtrace # JRuby copies an error without it
      copy.extend(FieldError)
      copy.send(:katsu_place_at, Path.join(segments), object)
      raise copy, cause: error.cause
    end

    def self.copy_of(error)
      error.clone(freeze: false)
    rescue StandardError
      nil
    end
    private_class_method :copy_of

    # Ruby calls this for each raise and raises what it returns. An error raised again by the code that rescued it keeps
    # its place; raised later it has none.
    def exception(*)
      raised = super
      raised.send(:katsu_raised_anew) unless equal?($!)
      raised
    end

    private

    def katsu_place_at(path, object)
      @katsu_raising = true
      @field_path = path
      @field_class = Source.class_of(object)
      @field_id =
        if object.is_a?(Hash) then object[:id] || object["id"]
        elsif object.respond_to?(:id) then object.id
        end
    rescue StandardError
      @field_id = nil
    end

    def katsu_raised_anew
      return if frozen?

      @field_path = @field_class = @field_id = nil unless @katsu_raising
      @katsu_raising = false
    end

    def katsu_places
      return super unless @field_path

      id = " with id #{@field_id.inspect}" unless @field_id.nil?
      ["in #{@field_path} of #{@field_class}#{id}", *super]
    end
  end
end
