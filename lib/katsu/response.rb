# frozen_string_literal: true

module Katsu
  # A document put together from values and serializers.
  #
  #   Katsu::Response.create { |r| {total: 3, posts: r.array_serializer(posts, PostSerializer)} }.to_json
  class Response
    # What create's block receives.
    module Creator
      class << self
        # A value, or a Hash or Array of values and serializers.
        def value(value) = Response.new(value)

        # JSON text, embedded as it is.
        def json(text) = Fragment.new(text)

        def array_serializer(subjects, serializer, options = nil, **keywords)
          ArraySerializer.new(subjects, {each_serializer: serializer}.merge(options || {}, keywords))
        end

        def serializer(object, serializer, options = nil, **keywords)
          json(serializer.new({}.merge(options || {}, keywords)).serialize_to_json(object))
        end
      end
    end

    def self.create
      new(yield(Creator))
    end

    def initialize(data)
      @data = data
    end

    # The JSON document. options: see Rendering.
    def to_json(options = nil, *)
      return Katsu.generate(as_json(options)) if Rendering.filters?(options)

      writer = Writer.new(as_json: true)
      write(writer, @data, nil)
      writer.to_s
    end

    # So that a Response may stand inside what Rails renders.
    def as_json(options = nil)
      Rendering.filtered(plain(@data), options)
    end

    private

    def plain(data)
      case data
      when Hash then data.to_h { |name, value| [name.to_s, plain(value)] }
      when Array then data.map { |value| plain(value) }
      when Response, ArraySerializer, Fragment then data.as_json
      else Cast.as_json(data)
      end
    end

    def write(writer, data, key)
      case data
      when Hash
        writer.push_object(key)
        data.each { |name, value| write(writer, value, name.to_s) }
        writer.pop
      when Array
        writer.push_array(key)
        data.each { |value| write(writer, value, nil) }
        writer.pop
      when Response, ArraySerializer, Fragment then writer.push_json(data.to_json, key)
      else writer.push_value(data, key)
      end
    end
  end
end
