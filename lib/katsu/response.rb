# frozen_string_literal: true

module Katsu
  # A document made of values and serializers.
  #
  #   Katsu::Response.create { |r| {total: 3, posts: r.array_serializer(posts, PostSerializer)} }.to_json
  class Response
    include Chunked

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
    # Raises GeneratorError, UnknownAttributeError and NumberError.
    def to_json(options = nil, *)
      return RenderOptions.generate(self, options) if RenderOptions.change?(options)

      writer = Writer.new(as_json: true)
      write(writer, @data, nil)
      writer.to_s
    end

    # Writes the JSON document to io in chunks and returns io. Raises as to_json, and Error if io takes less than it is
    # given, ArgumentError for an io without write.
    def write_to(io)
      Generator.check_io(io, "#{self.class}#write_to")
      write(Writer.new(io, as_json: true), @data, nil, chunks: true)
      io
    end

    # Returns true if a part of the document is large or a stream, so that it is written in chunks.
    def chunked?
      written_as_declared?(Response) && streams?(@data)
    end

    # The document as Hashes and Arrays, for a Response inside what Rails renders. options: see RenderOptions; as Rails
    # does, they are passed on to all values, but not to the serializers and their documents among them.
    def as_json(options = nil)
      return as_json_of(@data) unless RenderOptions.filters?(options)

      Chunked === @data ? @data.as_json(options) : filtered(@data, options)
    end

    # Returns what Rails' stale? and fresh_when ask for. It is made of the JSON, which is written for it.
    def cache_key_with_version
      "katsu/#{EntityTag.digits(to_json)}"
    end

    private

    def as_json_of(data)
      return AsJson.of_any(data) if own_as_json?(data)

      case data
      when Hash then data.to_h { |name, value| [AsJson.text(name), placed(name) { as_json_of(value) }] }
      when Array then data.map.with_index { |value, index| placed(index) { as_json_of(value) } }
      when Chunked, Fragment then data.as_json
      else AsJson::Overrides.any? ? AsJson.of_any(data) : AsJson.of(data)
      end
    end

    # The same without the keys that the options leave out.
    def filtered(data, options)
      return as_json_of(data.as_json(options.dup)) if own_as_json?(data)

      case data
      when Response then data.as_json(options)
      when Chunked, Fragment then data.as_json
      when Hash
        kept = RenderOptions.filtered(Generator.stringify_keys(data), options)
        kept.to_h { |name, value| [name, placed(name) { filtered(value, options) }] }
      when Array then data.map.with_index { |value, index| placed(index) { filtered(value, options) } }
      else as_json_of(AsJson.defined_for?(data) ? data.as_json(options.dup) : data)
      end
    end

    # True of a Hash or Array of a class that has an as_json of its own: it is a value.
    def own_as_json?(data)
      return false unless ::Hash === data || ::Array === data
      return false if data.instance_of?(::Hash) || data.instance_of?(::Array) || !data.respond_to?(:as_json)

      !(::Hash <= data.method(:as_json).owner || ::Array <= data.method(:as_json).owner)
    end

    # chunks: true if values that are worth it are written by write_to.
    def write(writer, data, key, chunks: false)
      return writer.push_value(data, key) if own_as_json?(data)

      case data
      when Hash
        writer.push_object(key)
        Generator.stringify_keys(data).each do |name, value|
          placed(name) { write(writer, value, name, chunks: chunks) }
        end
        writer.pop
      when Array
        writer.push_array(key)
        data.each_with_index { |value, index| placed(index) { write(writer, value, nil, chunks: chunks) } }
        writer.pop
      when Chunked, Fragment
        chunks && Chunked === data && data.chunked? ? writer.push_value(data, key) : writer.push_json(data.to_json, key)
      else writer.push_value(data, key)
      end
    end

    # The block is of the part with that key or index: so are the paths of its errors.
    def placed(segment)
      yield
    rescue StandardError => e
      Place.raise_below(e, [segment])
    end

    # True if something in data is worth writing in chunks.
    def streams?(data)
      case data
      when Hash then data.each_value.any? { |value| streams?(value) }
      when Array then data.any? { |value| streams?(value) }
      when Chunked then data.chunked?
      else Stream === data
      end
    end
  end
end
