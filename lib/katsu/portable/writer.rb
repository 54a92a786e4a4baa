# frozen_string_literal: true

module Katsu
  # JSON push by push: into a String, or into an io whenever 64 kB are full. A push that raises leaves the document as it was.
  #
  #   writer = Katsu::Writer.new
  #   writer.push_object
  #   writer.push_value(1, "id")
  #   writer.pop
  #   writer.to_s   # => {"id":1}
  class Writer
    CHUNK = 65_536
    private_constant :CHUNK

    # as_json: true writes values as serializers do, by their as_json.
    def initialize(io = nil, as_json: false)
      unless io.nil? || io.respond_to?(:write)
        raise ArgumentError, "Katsu::Writer.new: #{io.class} has no write method"
      end

      @io = io
      @out = String.new(capacity: 256, encoding: Encoding::UTF_8)
      @options = as_json ? Portable::RAILS_OPTIONS : Portable::DEFAULT_OPTIONS
      @open = []
      @filled = []
      @keyed = @done = @busy = @broken = false
    end

    def push_object(key = nil) = operate { push_container("{", key) }

    def push_array(key = nil) = operate { push_container("[", key) }

    # The key of the next value.
    def push_key(key)
      operate do
        misuse("push_key needs an open object") unless @open.last == "{"
        misuse("push_key is called twice without a value") if @keyed
        put_key(key)
        @keyed = true
      end
    end

    def push_value(value, key = nil)
      operate do
        begin_value(key)
        put_value(value)
        end_value
      end
    end

    # json: a String of JSON, written as it is.
    def push_json(json, key = nil)
      raise TypeError, "wrong argument type #{json.class} (expected String)" unless json.is_a?(String)

      operate do
        begin_value(key)
        Portable::Generator.new(@options, nil, @out).json(json)
        end_value
      end
    end

    def pop
      check_idle
      misuse("pop without an open object or array") if @open.empty?
      misuse("pop after push_key without a value") if @keyed
      @filled.pop
      @out << (@open.pop == "{" ? "}" : "]")
      end_value
      self
    end

    # The whole document. Raises Error while something is open, or where it went to an io.
    def to_s
      check_idle
      misuse("#{@open.size} objects or arrays are still open") unless @open.empty?
      misuse("the document went to the io") if @io
      @out.dup
    end

    private

    # What is called meanwhile (an io, a value's to_json, a key's encode) may not push. A push that was left by an
    # exception or a throw has not been, unless some of it is out already.
    def operate
      check_idle
      length, filled, keyed, succeeded = @out.bytesize, @filled.last, @keyed, false
      begin
        @busy = true
        yield
        succeeded = true
      ensure
        @busy = false
        take_back(length, filled, keyed) unless succeeded || @broken
      end
      self
    end

    def take_back(length, filled, keyed)
      @out.replace(@out.byteslice(0, length))
      @filled[-1] = filled unless @filled.empty?
      @keyed = keyed
    end

    def push_container(kind, key)
      begin_value(key)
      @out << kind
      @open << kind
      @filled << false
    end

    def put_key(key)
      key = key.name if key.is_a?(Symbol)
      raise TypeError, "wrong argument type #{key.class} (expected String)" unless key.is_a?(String)

      @out << "," if @filled.last
      put_string(key)
      @out << ":"
      @filled[-1] = true
    end

    # What values mostly are needs no generator.
    def put_value(value)
      if Integer === value then @out << value.to_s
      elsif value.instance_of?(String) then put_string(value)
      else Portable::Generator.new(@options, nil, @out).value(value)
      end
    end

    def put_string(text)
      Portable::Text.plain?(text) ? @out << '"' << text << '"' : Portable::Generator.new(@options, nil, @out).string(text)
    end

    def begin_value(key)
      if @open.empty?
        misuse("the document is complete; to_s returns it") if @done
        misuse("a key needs an open object") unless key.nil?
      elsif @open.last == "{"
        begin_pair(key)
      else
        misuse("a key needs an open object; an array is open") unless key.nil?
        @out << "," if @filled.last
        @filled[-1] = true
      end
    end

    def begin_pair(key)
      if @keyed
        misuse("push_value is called with key after push_key is called") unless key.nil?
        @keyed = false
      else
        misuse("a value in an object needs a key") if key.nil?
        put_key(key)
      end
    end

    def end_value
      @done = @open.empty?
      return unless @io && (@done || @out.bytesize >= CHUNK)

      write_out
    end

    def write_out
      @busy = @broken = true
      Portable::Chunk.write(@io, @out)
      @out = String.new(capacity: CHUNK, encoding: Encoding::UTF_8)
      @broken = false
    ensure
      @busy = false
    end

    def check_idle
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?

      misuse("a value is being written; its to_json may not push") if @busy
      misuse("a push failed when part of it had gone to the io; the document cannot be completed") if @broken
    end

    def misuse(what)
      raise Error, "Katsu::Writer: #{what}"
    end
  end
end
