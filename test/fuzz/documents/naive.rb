# frozen_string_literal: true

module Fuzz
  # What Katsu::Writer and Katsu::ObjectWriter are to do, in the plainest way: each push makes a whole text, or object,
  # and only then anything is changed.
  module Naive
    # A value as ActiveSupport's encoder prints it.
    def self.rails(value)
      case value
      when nil, true, false, Integer, ::Katsu::Fragment, ::JSON::Fragment then value
      when Symbol then value.name
      when Float then value.finite? ? value : nil
      else rails_object(value)
      end
    end

    def self.rails_object(value)
      return value if value.instance_of?(String)
      return strings(value).transform_values { |inner| rails(inner) } if value.instance_of?(Hash)
      return value.map { |inner| rails(inner) } if value.instance_of?(Array)

      json = value.as_json
      json.equal?(value) ? "#{value}" : rails(json)
    end

    # Of equal keys only the last value is asked.
    def self.strings(hash) = hash.each_with_object({}) { |(key, value), strings| strings[key.to_s] = value }

    def self.write(io, text)
      raise Katsu::Error if !text.empty? && io.write(text) < text.bytesize
    end

    class Writer
      # An open object or array: what goes before its first member and behind its last, and its members' texts.
      Frame = Struct.new(:opener, :closer, :members)

      def initialize(io, as_json)
        @io = io
        @as_json = as_json
        @frames = []
      end

      def push_object(key = nil) = open("{", "}", key)

      def push_array(key = nil) = open("[", "]", key)

      def push_key(key)
        check_idle
        raise Katsu::Error if !object? || @key

        @key = key_text(key)
      end

      def push_value(value, key = nil)
        add(key) { @as_json ? JSON.generate(Naive.rails(value)) : JSON.generate(value) }
      end

      def push_json(json, key = nil)
        raise TypeError unless json.is_a?(String)

        add(key) { json.b.force_encoding("UTF-8") }
      end

      def pop
        check_idle
        raise Katsu::Error if @frames.empty? || @key

        frame = @frames.pop
        put("#{frame.opener}#{frame.members.join(",")}#{frame.closer}")
      end

      def to_s
        check_idle
        raise Katsu::Error if !@frames.empty? || @io

        @document || +""
      end

      # What has been written so far, open objects included.
      def partial
        @document || @frames.map { |frame| "#{frame.opener}#{frame.members.map { |text| "#{text}," }.join}" }.join
      end

      private

      def object? = @frames.last&.closer == "}"

      def check_idle
        raise FrozenError if frozen?
        raise Katsu::Error if @busy || @broken
      end

      # What is called meanwhile may not push.
      def busy
        @busy = true
        yield
      ensure
        @busy = false
      end

      def key_text(key)
        raise TypeError unless key.is_a?(String) || key.is_a?(Symbol)

        "#{busy { JSON.generate(key.to_s) }}:"
      end

      # The text of the key that the place needs.
      def place(key)
        raise Katsu::Error if @document || (object? && !@key ? key.nil? : !key.nil?)

        @key || (object? ? key_text(key) : "")
      end

      def add(key)
        check_idle
        text = place(key) + busy { yield }
        @key = nil
        put(text)
      end

      def open(opener, closer, key)
        check_idle
        @frames << Frame.new(place(key) + opener, closer, [])
        @key = nil
      end

      def put(text)
        return @frames.last.members << text unless @frames.empty?

        @document = text
        return unless @io

        @broken = true
        Naive.write(@io, text)
        @broken = false
      end
    end

    class ObjectWriter
      def initialize = @open = []

      def push_object(key = nil) = open({}, key)

      def push_array(key = nil) = open([], key)

      def push_key(key)
        raise FrozenError if frozen?
        raise Katsu::Error if @key || !key || !@open.last.is_a?(Hash)

        @key = key
      end

      def push_value(value, key = nil)
        raise FrozenError if frozen?

        put(value.respond_to?(:as_json) ? value.as_json : value, key)
      end

      def push_json(json, key = nil) = push_value(json.is_a?(String) ? parse(json) : json, key)

      def pop
        raise FrozenError if frozen?
        raise Katsu::Error if @open.empty? || @key

        container = @open.pop
        complete(container) if @open.empty?
      end

      def output
        raise Katsu::Error unless @open.empty?

        @output
      end

      private

      def parse(json)
        JSON.parse(json, allow_duplicate_key: true)
      rescue JSON::ParserError, EncodingError
        raise Katsu::GeneratorError
      end

      def open(container, key)
        raise FrozenError if frozen?

        @open.empty? ? check_output(key) : put(container, key)
        @open << container
      end

      def put(value, key)
        container = @open.last
        unless container
          check_output(key)
          return complete(value)
        end
        key = take_key(key) if @key
        raise Katsu::Error if container.is_a?(Hash) == key.nil?

        container.is_a?(Hash) ? container[key] = value : container << value
      end

      def check_output(key)
        raise Katsu::Error if @done || !key.nil?
      end

      def complete(output)
        @done = true
        @output = output
      end

      def take_key(key)
        raise Katsu::Error unless key.nil?

        @key.tap { @key = nil }
      end
    end
  end
end
