# frozen_string_literal: true

module Katsu
  module Portable
    # The ruby backend's methods of Katsu::ObjectWriter.
    #
    # @container is the innermost that is open, @outer are those around it. There is no initialize, which would take a
    # fifth of a small document's time: variables are nil until they are set. Keys are compared with nil and their
    # methods are not called, as a key may be any object.
    module ObjectWriter
      def push_object(key = nil)
        @container ? enclose({}, key) : begin_output({}, key)
        self
      end

      def push_array(key = nil)
        @container ? enclose([], key) : begin_output([], key)
        self
      end

      def push_key(key)
        ArgumentChecks.refuse_frozen(self) if frozen?
        raise Error, "push_key needs an open object" unless ::Hash === @container
        raise Error, "push_key is called twice without a value" if @next_key
        raise Error, "push_key needs a key" unless key

        @next_key = key
        self
      end

      def push_value(value, key = nil)
        ArgumentChecks.refuse_frozen(self) if frozen?
        # Strings and Integers are their own as_json, unless the application has overridden it.
        bare = ::Integer === value || (::String === value && value.instance_of?(::String))
        if (!bare || AsJson::Overrides.any?) && AsJson.defined_for?(value)
          value = as_json_of(value)
          ArgumentChecks.refuse_frozen(self) if frozen?
        end
        key = take_key(key) if @next_key
        if !(nil == key) && ::Hash === @container
          @container[key] = value
        else
          @container ? place(value, key) : put_output(value, key)
        end
        self
      end

      def pop
        ArgumentChecks.refuse_frozen(self) if frozen?
        result = @container
        raise Error, "pop without an open object or array" unless result
        raise Error, "pop after push_key without a value" if @next_key

        @container = @outer && @outer.pop
        @done = @output = result unless @container
        self
      end

      def output
        raise Error, "Output is called before poping all" if @container

        @output
      end

      def marshal_dump = ArgumentChecks.refuse_dump(self)

      private

      # The value's as_json. A Struct, Array or Hash may be or hold a JSON::Fragment, which ActiveSupport takes for any
      # Struct.
      def as_json_of(value)
        case value
        when ::Struct, ::Array, ::Hash then AsJson.of_any(value)
        else value.as_json
        end
      end

      # Opens the outermost container.
      def begin_output(container, key)
        check_output(key) if @done || !(nil == key)
        @container = container
      end

      # A value that stands in no container.
      def put_output(value, key)
        check_output(key) if @done || !(nil == key)
        @output = value
        @done = true
      end

      def check_output(key)
        ArgumentChecks.refuse_frozen(self) if frozen?
        raise Error, "the document is complete; output returns it" if @done

        raise Error, "a key needs an open object" unless nil == key
      end

      # Opens a container within the one that is open, and puts it there at once.
      def enclose(container, key)
        ArgumentChecks.refuse_frozen(self) if frozen?
        key = take_key(key) if @next_key
        place(container, key)
        (@outer ||= []) << @container
        @container = container
      end

      def take_key(key)
        raise Error, "push_value is called with key after push_key is called" unless nil == key

        key = @next_key
        @next_key = nil
        key
      end

      def place(value, key)
        if ::Hash === @container
          raise Error, "a value in an object needs a key" if nil == key

          @container[key] = value
        else
          raise Error, "a key needs an open object; an array is open" unless nil == key

          @container << value
        end
      end
    end
  end
end
