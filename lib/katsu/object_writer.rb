# frozen_string_literal: true

module Katsu
  # The calls of Writer, building Hashes and Arrays.
  class ObjectWriter
    def initialize
      @open = []
      @keys = []
      @next_key = nil
      @output = nil
    end

    def push_object(key = nil) = open({}, key)

    def push_array(key = nil) = open([], key)

    # The key of the next value.
    def push_key(key)
      @next_key = key
    end

    # value: anything; stored as its as_json where it has one. Raises Error where both push_key and key say a key.
    def push_value(value, key = nil)
      store(value.respond_to?(:as_json) ? value.as_json : value, key)
    end

    # json: a String of JSON, parsed; any other value is stored as by push_value.
    def push_json(json, key = nil)
      json.is_a?(String) ? store(::JSON.parse(json), key) : push_value(json, key)
    end

    def pop
      raise Error, "pop without an open object or array" if @open.empty?

      result = @open.pop
      key = @keys.pop
      if @open.empty?
        @output = result
      else
        place(result, key)
      end
    end

    # The finished Hash or Array; nil before anything was pushed.
    def output
      raise Error, "Output is called before poping all" unless @open.empty?

      @output
    end

    private

    def open(container, key)
      @keys << take_key(key)
      @open << container
    end

    def take_key(key)
      return key if @next_key.nil?
      raise Error, "push_value is called with key after push_key is called" unless key.nil?

      key = @next_key
      @next_key = nil
      key
    end

    def store(value, key)
      key = take_key(key)
      @open.empty? ? @output = value : place(value, key)
    end

    def place(value, key)
      container = @open.last
      if container.is_a?(Array)
        raise Error, "a key needs an open object; an array is open" unless key.nil?

        container << value
      else
        raise Error, "a value in an object needs a key" if key.nil?

        container[key.to_s] = value
      end
    end
  end
end
