# frozen_string_literal: true

module Katsu
  module Portable
    # The ruby backend's methods of Katsu::Writer.
    module Writer
      # Ruby 3.4 appends all parts in one call.
      AS_BYTES = String.method_defined?(:append_as_bytes)
      private_constant :AS_BYTES

      # as_json: true writes values as serializers do, by their as_json.
      def initialize(io = nil, as_json: false)
        unless io.nil? || io.respond_to?(:write)
          raise ArgumentError, "Katsu::Writer.new: #{io.class} has no write method"
        end
        raise Error, "Katsu::Writer: initialized twice" unless @out.nil? || @out.empty?

        @io = io
        @out = +""
        @options = as_json ? RAILS_OPTIONS : DEFAULT_OPTIONS
        @object = nil # of the innermost that is open: true for an object, false for an array
        @outer = []   # the same of those around it
        @comma = ""   # what precedes the next value, or its key
        @takes = :value # what may be pushed, :key or :value; nil for nothing
        @keyed = @done = @busy = @broken = @checked = false
      end

      def push_object(key = nil) = push_container("{", true, key)

      def push_array(key = nil) = push_container("[", false, key)

      # The key of the next value.
      def push_key(key)
        check_idle
        misuse("push_key needs an open object") unless @object
        misuse("push_key is called twice without a value") if @keyed
        unescaped?(key) ? put(nil, '"', key, '":') : operate { put_key(key) }
        @comma = ""
        @takes = :value
        @keyed = true
        self
      end

      def push_value(value, key = nil)
        @checked = true # raises if the writer is frozen, and takes a tenth of the time of frozen?
        return push_any(key) { write_value(AsJson::Overrides.apply(value)) } if overridden?

        if !takes?(key) then push_any(key) { write_value(value) }
        elsif Integer === value then put_value(key, "", value.to_s, "")
        elsif unescaped?(value) then put_value(key, '"', value, '"')
        else push_any(key) { write_value(value) }
        end
      end

      # json: a String of JSON, written as it is.
      def push_json(json, key = nil)
        ArgumentChecks.type(json, String)
        push_any(key) { generator.json(json) }
      end

      def pop
        @checked = true
        check_pop if @takes.nil? || @object.nil? || @keyed
        @out << (@object ? "}" : "]")
        @object = @outer.pop
        @comma = ","
        end_value
      end

      # The whole document. Raises Error while something is open, or if it went to an io.
      def to_s
        check_idle
        misuse("#{@outer.size + 1} objects or arrays are still open") unless @object.nil?
        misuse("the document went to the io") if @io
        @out.dup
      end

      def marshal_dump = ArgumentChecks.refuse_dump(self)

      private

      # Code that is called meanwhile (an io, a value's to_json, a key's encode) must not push. A push abandoned by an
      # exception or throw is rolled back, unless part of it was already written to the io.
      def operate
        check_idle
        length, comma, keyed, takes, succeeded = @out.bytesize, @comma, @keyed, @takes, false
        begin
          @busy = true
          @takes = nil
          yield
          @busy = false # raises if what was called has frozen the writer
          succeeded = true
        ensure
          roll_back(length, comma, keyed, takes) unless succeeded || frozen?
        end
        self
      end

      def roll_back(length, comma, keyed, takes)
        @busy = false
        return if @broken

        @out.replace(@out.byteslice(0, length))
        @comma = comma
        @keyed = keyed
        @takes = takes
      end

      # A value that the block writes.
      def push_any(key)
        operate do
          check_place(key)
          unescaped_key?(key) ? put(key, "", "", "") : put_key(key)
          yield
          end_value
        end
      end

      def push_container(opener, object, key)
        takes?(key) ? put(key, opener, "", "") : put_escaped(key, opener)
        @outer << @object unless @object.nil?
        @object = object
        @takes = object ? :key : :value
        @comma = ""
        self
      end

      def put_escaped(key, opener)
        check_idle
        check_place(key)
        operate { put_key(key) }
        @out << opener
      end

      # True if a value with this key can be put at once: it may stand here, and the key needs no generator.
      def takes?(key)
        nil == key ? @takes == :value : @takes == :key && unescaped?(key)
      end

      def overridden?
        @options.rails && AsJson::Overrides.any?
      end

      def check_pop
        check_idle
        misuse("pop without an open object or array") if @object.nil?
        misuse("pop after push_key without a value") if @keyed
      end

      # Keys are compared with nil and their methods are not called, as any object may be given by mistake.
      def check_place(key)
        misuse("the document is complete; to_s returns it") if @done
        if @object && !@keyed
          misuse("a value in an object needs a key") if nil == key
        elsif !(nil == key) # != takes five times as long
          misuse("push_value is called with key after push_key is called") if @keyed
          misuse("a key needs an open object#{"; an array is open" unless @object.nil?}")
        end
      end

      # Writes the comma, key, which is nil or unescaped, and the three parts of a value. It calls no other code, so
      # nothing needs to be rolled back.
      def put(key, opening, text, closing)
        comma = @comma
        @comma = ","
        @keyed = false
        if !AS_BYTES then put_parts(comma, key, opening, text, closing)
        elsif nil == key then @out.append_as_bytes(comma, opening, text, closing)
        else @out.append_as_bytes(comma, '"', key, '":', opening, text, closing)
        end
      end

      def put_value(key, opening, text, closing)
        put(key, opening, text, closing)
        end_value
      end

      def put_parts(comma, key, opening, text, closing)
        @out << comma
        @out << '"' << key << '":' unless nil == key
        @out << opening << text << closing
      end

      def put_key(key)
        key = key.name if Symbol === key
        ArgumentChecks.type(key, String)
        put(nil, "", "", "")
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
        @broken = true if !written && generator&.flushed && !frozen?
      end

      def generator
        Generator.new(@options, nil, @out)
      end

      def end_value
        @done = @object.nil?
        @takes = @object ? :key : (:value unless @done)
        write_out if @io && (@done || @out.bytesize >= Limits::CHUNK)
        self
      end

      def write_out
        takes = @takes
        @takes = nil
        @busy = @broken = true
        FullWrite.call(@io, @out)
        ::Katsu::Generator.finish(@io) if @done
        @out = String.new(capacity: Limits::CHUNK, encoding: Encoding::UTF_8)
        @broken = false
        @takes = takes
      ensure
        @busy = false unless frozen?
      end

      def check_idle
        @checked = true
        misuse("a value is being written; its to_json may not push") if @busy
        misuse("a push failed when part of it had gone to the io; the document cannot be completed") if @broken
      end

      def misuse(what)
        raise Error, "Katsu::Writer: #{what}"
      end
    end
  end
end
