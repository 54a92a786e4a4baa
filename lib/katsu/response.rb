# frozen_string_literal: true

module Katsu
  # A document made of values and serializers.
  #
  #   Katsu::Response.create { |r| {total: 3, posts: r.array_serializer(posts, PostSerializer)} }.to_json
  class Response
    include Chunked

    # How deep data may be nested, as max_nesting of Katsu.generate has it. The documents in it are not counted.
    MAX_NESTING = 100
    # ActiveSupport's as_json filters one as the Struct that it is. Before json 2.10 there is none.
    JSON_FRAGMENT = defined?(::JSON::Fragment) ? ::JSON::Fragment : Fragment
    private_constant :MAX_NESTING, :JSON_FRAGMENT

    # The object that create's block receives.
    module Creator
      class << self
        # Returns a Response. value: any value, or a Hash or Array of values and serializers.
        def value(value) = Response.new(value)

        # A Fragment: JSON text, embedded as it is. Raises TypeError for anything but a String.
        def json(text) = Fragment.new(text)

        # Returns an ArraySerializer of subjects. serializer: the class. options: those of ArraySerializer, as a Hash or
        # keywords. Raises what ArraySerializer.new raises.
        def array_serializer(subjects, serializer, options = nil, **keywords)
          ArraySerializer.new(subjects, {each_serializer: serializer}.merge(options || {}, keywords))
        end

        # Returns a Fragment with the JSON of object. serializer: the class. options: those of Serializer, as a Hash or
        # keywords. Raises what Serializer#initialize and serialize_to_json raise.
        def serializer(object, serializer, options = nil, **keywords)
          json(serializer.new({}.merge(options || {}, keywords)).serialize_to_json(object))
        end
      end
    end

    # Returns the Response of what the block returns: a value, or a Hash or Array of values and serializers. The block
    # is given Creator.
    def self.create
      new(yield(Creator))
    end

    # data: a value, or a Hash or Array of values and serializers.
    def initialize(data)
      @data = data
    end

    # The JSON document as a String. options: a generator's State, or what Rails' rendering passes, see RenderOptions.
    # Raises GeneratorError, UnknownAttributeError, NumberError, and NestingError for data of more than 100 levels.
    def to_json(options = nil, *)
      return RenderOptions.generate(self, options) if RenderOptions.change?(options)

      writer = Writer.new(as_json: true)
      placed { |path| write(writer, @data, nil, path) }
      writer.to_s
    end

    # Writes the JSON document to io in chunks and returns io. Raises as to_json, and Error if io takes less than it is
    # given, ArgumentError for an io without write.
    def write_to(io)
      Generator.check_io(io, "#{self.class}#write_to")
      placed { |path| write(Writer.new(io, as_json: true), @data, nil, path, chunks: true) }
      io
    end

    # Returns true if a part of the document is large or a stream, so that it is written in chunks.
    def chunked?
      written_as_declared?(Response) && streams?(@data, 0)
    rescue NestingError
      false # to_json and write_to raise it
    end

    # The document as Hashes and Arrays, for a Response inside what Rails renders. options: see RenderOptions; as Rails
    # does, they are passed on to all values, but not to the serializers and their documents among them. Raises as
    # to_json.
    def as_json(options = nil)
      return placed { |path| as_json_of(@data, path) } unless RenderOptions.filters?(options)

      Chunked === @data ? @data.as_json(options) : placed { |path| filtered(@data, options, path) }
    end

    # Returns what Rails' stale? and fresh_when ask for. It is made of the JSON, which is written for it.
    def cache_key_with_version
      "katsu/#{EntityTag.digits(to_json)}"
    end

    private

    # path: of data, an Array of keys and indexes.
    def as_json_of(data, path)
      return AsJson.of_any(data) if own_as_json?(data)

      case data
      when Hash
        within(path) { data.to_h { |name, value| [AsJson.text(name), as_json_of(value, at(path, name))] } }
      when Array
        within(path) { elements(data).map.with_index { |value, index| as_json_of(value, at(path, index)) } }
      when Chunked, Fragment then data.as_json
      else AsJson::Overrides.any? ? AsJson.of_any(data) : AsJson.of(data)
      end
    end

    # The same without the keys that the options leave out.
    def filtered(data, options, path)
      return as_json_of(data.as_json(options.dup), path) if own_as_json?(data)

      case data
      when Response then data.as_json(options)
      when Chunked, Fragment then data.as_json
      when JSON_FRAGMENT then AsJson.of(data)
      when Hash
        kept = RenderOptions.filtered(Generator.stringify_keys(data), options)
        within(path) { kept.to_h { |name, value| [name, filtered(value, options, at(path, name))] } }
      when Array
        within(path) { elements(data).map.with_index { |value, index| filtered(value, options, at(path, index)) } }
      else as_json_of(AsJson.defined_for?(data) ? data.as_json(options.dup) : data, path)
      end
    end

    # True of a Hash or Array of a class that has an as_json of its own, or has been given one by the application, and
    # of a Hash that has an each, by which ActiveSupport's as_json reads it: it is a value.
    def own_as_json?(data)
      return false unless ::Hash === data || ::Array === data
      return !AsJson::Overrides.walked?(data) if data.instance_of?(::Hash) || data.instance_of?(::Array)
      return false unless data.respond_to?(:as_json)

      AsJson.own?(data, :as_json) || (::Hash === data && AsJson.own?(data, :each))
    end

    # chunks: true if values that are worth it are written by write_to.
    def write(writer, data, key, path, chunks: false)
      return writer.push_value(data, key) if own_as_json?(data)

      case data
      when Hash
        writer.push_object(key)
        pairs = Generator.stringify_keys(data)
        within(path) do
          pairs.each { |name, value| write(writer, value, name, at(path, name), chunks: chunks) }
        end
        writer.pop
      when Array
        writer.push_array(key)
        within(path) do
          elements(data).each_with_index { |value, index| write(writer, value, nil, at(path, index), chunks: chunks) }
        end
        writer.pop
      when Chunked, Fragment
        chunks && Chunked === data && data.chunked? ? writer.push_value(data, key) : writer.push_json(data.to_json, key)
      else writer.push_value(data, key)
      end
    end

    # The elements of an Array. A subclass may have an each or to_a of its own, which is not called.
    def elements(data) = Array.instance_method(:to_a).bind_call(data)

    # The block is given an Array that has the path of what it reads: so are the paths of its errors.
    def placed
      path = []
      yield path
    rescue StandardError => e
      Generator.place_error(e, path)
    end

    # The block reads the parts of what is at path. An error leaves path as it is.
    def within(path)
      raise NestingError, path.size + 1 if path.size >= MAX_NESTING

      path << nil
      result = yield
      path.pop
      result
    end

    # path, now that of the part with that key or index.
    def at(path, segment)
      path[-1] = segment
      path
    end

    # True if something in data is worth writing in chunks. depth: how many Hashes and Arrays it is in. Raises
    # NestingError.
    def streams?(data, depth)
      raise NestingError, depth if depth > MAX_NESTING

      case data
      when Hash then data.each_value.any? { |value| streams?(value, depth + 1) }
      when Array then data.any? { |value| streams?(value, depth + 1) }
      when Chunked then data.chunked?
      else Stream === data
      end
    end
  end
end
