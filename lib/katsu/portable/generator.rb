# frozen_string_literal: true

require_relative "generator/keys"
require_relative "generator/collections"

module Katsu
  module Portable
    # Any Ruby value to JSON; the plain Ruby twin of ext/katsu/values/generate.c.
    #
    # With rails options it prints values as serializers do: what JSON has no form for by its as_json,
    # NaN and infinities as null.
    class Generator
      include Keys
      include Collections
      CHUNK = 65_536
      private_constant :CHUNK

      attr_reader :out
      # True if something went to the io.
      attr_reader :flushed

      # out: the String to append to; with an io its content is written there whenever a chunk is full.
      def initialize(options = DEFAULT_OPTIONS, io = nil, out = String.new(capacity: 256, encoding: Encoding::UTF_8),
                     path = [])
        @options = options
        @io = io
        @out = out
        @depth = options.depth
        @path = path
        @plain = !(options.script_safe || options.ascii_only)
        @pretty = options.pretty?
        @ordered = options.sort_keys || options.rfc8785
        @numbers = !options.rfc8785 && !io
      end

      # One whole document: the String, or the io.
      def document(object, core: false)
        core ? core_value(object) : value(object)
        return @out unless @io

        flush
        ::Katsu::Generator.finish(@io)
      end

      # asked: how often as_json has been called on the way to this value; nil for never.
      def value(object, asked = nil)
        case object
        when String then object.instance_of?(String) ? text(object, asked) : other(object, asked)
        when Integer then integer(object)
        when nil then @out << "null"
        when true then @out << "true"
        when false then @out << "false"
        when Float then float(object)
        when Hash then object.instance_of?(Hash) ? hash(object) : other(object, asked)
        when Array then object.instance_of?(Array) ? array(object) : other(object, asked)
        when Symbol then symbol(object, asked)
        when *FRAGMENTS then FRAGMENTS.include?(object.class) ? fragment(object) : other(object, asked)
        when ::Object then other(object, asked)
        else basic(object, asked)
        end
        flush if @io && @out.bytesize >= CHUNK
      end

      # Subclasses of String, Array and Hash are written like their parents.
      def core_value(object, asked = false)
        case object
        when String then text(object, true)
        when Hash then hash(object)
        when Array then array(object)
        else value(object, asked)
        end
      end

      def string(text)
        text = transcode(text) unless Text.utf8?(text)
        escaped = @plain ? Text.escape(text) : Text.escape_more(text, @options.script_safe, @options.ascii_only)
        @out << '"' << escaped << '"'
      end

      # Text that is JSON already. It is taken as UTF-8, whatever its encoding says.
      def json(text)
        @out << (text.encoding == Encoding::UTF_8 || text.ascii_only? ? text : text.b.force_encoding(Encoding::UTF_8))
      end

      private

      FRAGMENTS = [Fragment, (::JSON::Fragment if defined?(::JSON::Fragment))].compact.freeze
      # How often an as_json may answer with an object that has to be asked again.
      MOST_AS_JSON = 16
      private_constant :FRAGMENTS, :MOST_AS_JSON

      def text(object, asked)
        return string(object) if asked || !@options.strict || !@options.as_json || Text.utf8?(object)

        replacement = call_as_json(object, false)
        return string(object) if replacement.equal?(object)

        refuse_bytes(object) if replacement.is_a?(String) && !Text.utf8?(replacement)
        value(replacement, true)
      end

      def transcode(text)
        encoded = begin
          text.encode(Encoding::UTF_8)
        rescue StandardError => e
          raise GeneratorError.new(e.message, text, @path)
        end
        refuse_bytes(text) unless Text.utf8?(encoded)
        encoded
      end

      def refuse_bytes(text)
        raise GeneratorError.new("source sequence is illegal/malformed utf-8", text, @path)
      end

      def refuse(object, what)
        raise GeneratorError.new("#{object.class} #{what}", object, @path)
      end

      def integer(object)
        @out << (@options.rfc8785 ? ::Katsu::Generator.canonical_number(object) : object.to_s)
      end

      def float(object)
        return not_finite(object) unless object.finite?

        @out << (@options.rfc8785 ? ::Katsu::Generator.canonical_number(object) : FloatText.of(object))
      end

      def not_finite(object)
        return @out << "null" if @options.rails
        return @out << object.to_s if @options.allow_nan

        if @options.strict && @options.as_json
          replacement = call_as_json(object, false)
          unless replacement.equal?(object)
            enter
            value(replacement)
            return @depth -= 1
          end
        end
        raise GeneratorError.new("#{object} not allowed in JSON", object, @path)
      end

      def symbol(object, asked)
        return string(object.name) if @options.strict || @options.rails || !Symbol.method_defined?(:to_json, false)

        other(object, asked)
      end

      def fragment(object)
        ArgumentChecks.type(object.json, String)
        json(object.json)
      end

      # What JSON has no form for.
      def other(object, asked)
        if Stream === object
          stream(object)
        elsif @io && Chunked === object && !(@options.strict && !@options.rails) && object.chunked?
          hand_over(object)
        elsif @options.rails
          rails_value(object, asked)
        elsif @options.strict
          refuse(object, "not allowed in JSON") if asked || !@options.as_json
          value(call_as_json(object, false), true)
        elsif !object.respond_to?(:to_json)
          string(text_of(object))
        elsif ::Katsu::Generator.as_text?(::Kernel.instance_method(:method).bind_call(object, :to_json))
          plain(object)
        else
          json(json_of(object))
        end
      end

      # A BasicObject answers nothing but what it defines.
      def basic(object, asked)
        return rails_value(object, asked) if @options.rails

        unless @options.strict
          asked = ArgumentChecks.class_of(object).method_defined?(:to_json)
          return asked ? json(json_of(object)) : string("#{object}")
        end
        raise GeneratorError.new("BasicObject not allowed in JSON", object, @path) if asked || !@options.as_json

        value(call_as_json(object, false), true)
      end

      # An object without a to_json of its own.
      def plain(object)
        case object
        when String, Hash, Array then core_value(object, true)
        else string("#{object}") # where to_s gives no String, Ruby's own text
        end
      end

      def text_of(object)
        text = object.to_s
        return text if text.is_a?(String)

        raise TypeError, "can't convert #{object.class} to String (#{object.class}#to_s gives #{text.class})"
      end

      def rails_value(object, asked)
        if AsJson.defined_for?(object)
          json = object.as_json
          asked = asked ? asked.succ : 1
          refuse(object, "gives as_json another object each time") if asked > MOST_AS_JSON
          return value(json, asked) unless json.equal?(object)
        end

        case object
        when String, Hash, Array then core_value(object, true)
        else value(AsJson::Substitute.of(object), asked || 0)
        end
      end

      def call_as_json(object, is_key)
        proc = @options.as_json
        proc.lambda? && proc.arity == 1 ? proc.call(object) : proc.call(object, is_key)
      end

      def json_of(object)
        @state ||= @options.source.empty? ? State.new : State.new(@options.source)
        @state.depth = @depth
        json = object.to_json(@state)
        return json if json.is_a?(String)

        raise TypeError, "#{object.class}#to_json gave #{json.class}, expected a String"
      end

      # What writes itself to an io in chunks does so, behind what there is.
      def hand_over(object)
        flush
        object.write_to(@io)
      end

      def flush
        @flushed = true
        FullWrite.call(@io, @out.dup)
        @out.clear
      end
    end
  end
end
