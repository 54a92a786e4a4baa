# frozen_string_literal: true

module Katsu
  # The calls of Writer, building Hashes and Arrays. Each push, and pop, returns the writer.
  #
  #   writer = Katsu::ObjectWriter.new
  #   writer.push_object            # push_array; with the key if one is needed
  #   writer.push_value(1, "id")    # or push_key("id").push_value(1)
  #   writer.pop
  #   writer.output                 # => {"id" => 1}; nil before anything was pushed
  #
  # A value is stored as its as_json if it has one, a key as it is. As Writer's, all methods raise Error for a call that
  # is out of place: a value without a key in an object, a key that has no object or no value, a second document.
  class ObjectWriter
    include Portable::ObjectWriter if Katsu.backend == :ruby

    ##
    # :singleton-method: new
    # :call-seq: new -> ObjectWriter
    #
    # Returns a writer in which nothing is open.

    ##
    # :method: push_object
    # :call-seq: push_object(key = nil) -> self
    #
    # Opens a Hash. key: any object, needed in a Hash unless push_key was called.

    ##
    # :method: push_array
    # :call-seq: push_array(key = nil) -> self
    #
    # Opens an Array. key: as for push_object.

    ##
    # :method: push_key
    # :call-seq: push_key(key) -> self
    #
    # The key of the next value, which needs an open Hash: any object but nil and false.

    ##
    # :method: push_value
    # :call-seq: push_value(value, key = nil) -> self
    #
    # Stores the value's as_json, or the value if it has none. key: as for push_object.

    ##
    # :method: pop
    # :call-seq: pop -> self
    #
    # Closes the innermost Hash or Array that is open.

    ##
    # :method: output
    # :call-seq: output -> Hash, Array or value
    #
    # What was built; nil before anything was pushed. Raises Katsu::Error while something is open.

    # json: a String of JSON, parsed as JSON columns are: up to 512 levels, the last of equal keys; any other value is
    # stored as by push_value. key: as for push_object. Returns self. Raises GeneratorError if the String is no JSON,
    # and nothing is pushed.
    def push_json(json, key = nil)
      push_value(json.is_a?(::String) ? parsed(json) : json, key)
    end

    # Returns the JSON of output, for a writer that stands among values, or is rendered. options: a State, as for output
    # itself; otherwise see RenderOptions. Raises as output, and GeneratorError.
    def to_json(options = nil, *)
      return Katsu.generate(output, options) if ::JSON::State === options

      RenderOptions.change?(options) ? RenderOptions.generate(self, options) : Katsu.generate(output)
    end

    # Returns output, for a writer inside what Rails renders. options: see RenderOptions. Raises as output.
    def as_json(options = nil)
      RenderOptions.filtered(output, options)
    end

    undef_method :initialize_copy

    private

    # parser: nil if the json gem has none that is made once.
    def parse(parser, text, levels)
      parser ? parser.load(text) : ::JSON.parse(text, max_nesting: levels)
    end

    def parsed(json)
      text = json.encoding == Encoding::BINARY ? json.dup.force_encoding(Encoding::UTF_8) : json.encode(Encoding::UTF_8)
      raise EncodingError unless text.valid_encoding?

      begin
        parse(Cast::Json::SHALLOW_PARSER, text, Limits::JSON_DEPTH - 1)
      rescue ::JSON::ParserError
        raise if Cast::Json.too_deep?(text)

        parse(Cast::Json::PARSER, text, Limits::JSON_DEPTH)
      end
    rescue ::JSON::JSONError, EncodingError
      raise GeneratorError.new("text is not JSON, or nested too deep: #{json.inspect[0, 60]}", json)
    end
  end
end
