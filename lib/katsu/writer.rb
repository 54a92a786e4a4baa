# frozen_string_literal: true

module Katsu
  # Writes a JSON document push by push: into a String, or into an io each time 64 kB are full.
  #
  #   writer = Katsu::Writer.new
  #   writer.push_object
  #   writer.push_value(1, "id")
  #   writer.pop
  #   writer.to_s   # => {"id":1}
  #
  # A push that raises leaves the document as it was, unless part of it has gone to the io already: then the writer
  # refuses every further call. Each push, and pop, returns the writer. All methods raise Katsu::Error for a call that
  # is out of place, such as a value in an object without a key, and FrozenError on a frozen writer. The methods are
  # defined by the backend.
  class Writer
    if Katsu.backend == :ruby
      include Portable::Writer
      undef_method :initialize_copy
    end

    ##
    # :singleton-method: new
    # :call-seq: new(io = nil, as_json: false) -> Writer
    #
    # io: an object with write, which receives the document; nil for a String. as_json: true writes values as
    # serializers do, by their as_json. Raises ArgumentError for an io without write.

    ##
    # :method: push_object
    # :call-seq: push_object(key = nil) -> self
    #
    # Opens an object. key: a String or Symbol, needed in an object unless push_key was called; TypeError for anything
    # else.

    ##
    # :method: push_array
    # :call-seq: push_array(key = nil) -> self
    #
    # Opens an array. key: as for push_object.

    ##
    # :method: push_key
    # :call-seq: push_key(key) -> self
    #
    # The key of the next value, a String or Symbol; TypeError for anything else.

    ##
    # :method: push_value
    # :call-seq: push_value(value, key = nil) -> self
    #
    # Writes value as Katsu.generate does. key: as for push_object. Raises GeneratorError and NestingError.

    ##
    # :method: push_json
    # :call-seq: push_json(json, key = nil) -> self
    #
    # Writes json, a String of JSON, as it is; it is not checked. key: as for push_object. Raises TypeError for anything
    # but a String.

    ##
    # :method: pop
    # :call-seq: pop -> self
    #
    # Closes the innermost object or array that is open.

    ##
    # :method: to_s
    # :call-seq: to_s -> String
    #
    # The whole document. Raises Katsu::Error while something is open, and if the document went to an io.

    # Returns the document of a writer that stands among values, or is rendered. options: see RenderOptions. Raises as
    # to_s, and Error if nothing was pushed.
    def to_json(options = nil, *)
      RenderOptions.change?(options) ? RenderOptions.generate(self, options) : written
    end

    # Returns the values of the document, for a writer in a serializer, or in what Rails renders. options: see
    # RenderOptions. Raises as to_json, and JSON::ParserError if what was pushed as JSON is none.
    def as_json(options = nil)
      RenderOptions.filtered(Fragment.new(written).as_json, options)
    end

    private

    def written
      text = to_s
      raise Error, "Katsu::Writer: nothing was pushed" if text.empty?

      text
    end
  end
end
