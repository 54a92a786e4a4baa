# frozen_string_literal: true

module Katsu
  # Raised for a value that JSON has no form for: NaN, text that is not UTF-8, in strict mode any other object. The
  # message is json's; path, detailed_message and inspect tell where in the document the value is.
  class GeneratorError < Error
    include Place

    # The value itself.
    attr_reader :invalid_object
    # Its place, such as "users[3].name"; empty for the document's root.
    attr_reader :path

    def initialize(reason = "the value has no form in JSON", invalid_object = nil, segments = [])
      @invalid_object = invalid_object
      @path = Path.join(segments)
      super(::String === reason && reason.ascii_only? ? reason.encode(Encoding::UTF_8) : reason)
    end

    private

    def katsu_places
      place = [("in #{@path}" unless @path.to_s.empty?), byte_place].compact.join(", ")
      place.empty? ? super : [place, *super]
    end

    # The invalid object too, as in json's error.
    def katsu_hints
      return super if nil.equal?(@invalid_object) || !(::Object === @invalid_object)

      [*super, "Invalid object: #{@invalid_object.inspect}"]
    end

    def byte_place
      return unless ::String === @invalid_object && !@invalid_object.valid_encoding?

      valid = 0
      @invalid_object.each_char { |char| char.valid_encoding? ? valid += char.bytesize : break }
      "at byte #{valid}"
    end
  end
end
