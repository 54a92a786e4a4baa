# frozen_string_literal: true

module Katsu
  module Portable
    # The ruby backend's methods of Katsu::Writer.
    module Writer
      CHUNK = 65_536
      private_constant :CHUNK

      # as_json: true writes values as serializers do, by their as_json.
      def initialize(io = nil, as_json: false)
        unless io.nil? || io.respond_to?(:write)
          raise ArgumentError, "Katsu::Writer.new: #{io.class} has no write method"
        end

        @io = io
        @out = +""
        @options = as_json ? RAILS_OPTIONS : DEFAULT_OPTIONS
        @closer = nil # of the innermost that is open
        @outer = []   # the closers of those around it
        @filled = @keyed = @done = @busy = @broken = false
      end

      def push_object(key = nil) = push_container("{", "}", key)

      def push_array(key = nil) = push_container("[", "]", key)

      # The key of the next value.
      def push_key(key)
        check_idle
        misuse("push_key needs an open object") unless @closer == "}"
        misuse("push_key is called twice without a value") if @keyed
        unescaped?(key) ? put(key) : operate { put_key(key) }
        @keyed = true
        self
      end

      def push_value(value, key = nil)
        number = Integer === value
        overridden = @options.rails && AsJson::Overrides.any?
        if overridden || !(number || unescaped?(value)) || !unescaped_key?(key)
          return push_any(key) { write_value(overridden ? AsJson::Overrides.apply(value) : value) }
        end

        check_idle
        check_place(key)
        put(key)
        number ? @out << value.to_s : @out << '"' << value << '"'
        end_value
      end

      # json: a String of JSON, written as it is.
      def push_json(json, key = nil)
        ArgumentChecks.type(json, String)
        push_any(key) { generator.json(json) }
      end

      def pop
        check_idle
        misuse("pop without an open object or array") unless @closer
        misuse("pop after push_key without a value") if @keyed
        closer = @closer
        @closer = @outer.pop
        @filled = true
        @out << closer
        end_value
      end

      # The whole document. Raises Error while something is open, or if it went to an io.
      def to_s
        check_idle
        misuse("#{@outer.size + 1} objects or arrays are still open") if @closer
        misuse("the document went to the io") if @io
        @out.dup
      end

      private

      # Code that is called meanwhile (an io, a value's to_json, a key's encode) must not push. A push abandoned by an
      # exception or throw is rolled back, unless part of it was already written to the io.
      def operate
        check_idle
        length, filled, keyed, succeeded = @out.bytesize, @filled, @keyed, false
        begin
          @busy = true
          yield
          succeeded = true
        ensure
          @busy = false
          roll_back(length, filled, keyed) unless succeeded || @broken
        end
        self
      end

      def roll_back(length, filled, keyed)
        @out.replace(@out.byteslice(0, length))
        @filled = filled
        @keyed = keyed
      end

      # A value that the block writes.
      def push_any(key)
        operate do
          check_place(key)
          unescaped_key?(key) ? put(key) : put_key(key)
          yield
          end_value
        end
      end

      def push_container(opener, closer, key)
        check_idle
        check_place(key)
        unescaped_key?(key) ? put(key) : operate { put_key(key) }
        @out << opener
        @outer << @closer if @closer
        @closer = closer
        @filled = false
        self
      end

      # Keys are compared with nil and their methods are not called, as any object may be given by mistake.
      def check_place(key)
        misuse("the document is complete; to_s returns it") if @done
        if @closer == "}" && !@keyed
          misuse("a value in an object needs a key") if nil == key
        elsif nil != key
          misuse("push_value is called with key after push_key is called") if @keyed
          misuse("a key needs an open object#{"; an array is open" if @closer}")
        end
      end

      # Writes what precedes a value: the comma, and key, which is nil or unescaped. It calls no other code, so nothing
      # needs to be rolled back.
      def put(key)
        comma = @filled && !@keyed ? "," : ""
        @filled = true
        @keyed = false
        nil == key ? @out << comma : @out << comma << '"' << key << '":'
      end

      def put_key(key)
        key = key.name if Symbol === key
        ArgumentChecks.type(key, String)
        put(nil)
        generator.string(key)
        @out << ":"
      end

      def unescaped_key?(key)
        nil == key || unescaped?(key)
      end

      # True for text that needs no generator.
      def unescaped?(value)
        String === value && value.instance_of?(String) && Text.unescaped?(value)
      end

      # What was written to the io cannot be rolled back.
      def write_value(value)
        generator = Generator.new(@options, @io, @out)
        written = false
        generator.value(value)
        written = true
      ensure
        @broken = true if !written && generator&.flushed
      end

      def generator
        Generator.new(@options, nil, @out)
      end

      def end_value
        @done = @closer.nil?
        write_out if @io && (@done || @out.bytesize >= CHUNK)
        self
      end

      def write_out
        @busy = @broken = true
        FullWrite.call(@io, @out)
        @out = String.new(capacity: CHUNK, encoding: Encoding::UTF_8)
        @broken = false
      ensure
        @busy = false
      end

      def check_idle
        ArgumentChecks.refuse_frozen(self) if frozen?
        misuse("a value is being written; its to_json may not push") if @busy
        misuse("a push failed when part of it had gone to the io; the document cannot be completed") if @broken
      end

      def misuse(what)
        raise Error, "Katsu::Writer: #{what}"
      end
    end
  end
end
