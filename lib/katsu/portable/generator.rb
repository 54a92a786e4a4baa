# frozen_string_literal: true

require_relative "generator/keys"
require_relative "generator/collections"
require_relative "generator/objects"

module Katsu
  module Portable
    # Writes any Ruby value as JSON; the twin of ext/katsu/values/generate.c.
    #
    # With rails options it writes values as serializers do: those that JSON has no form for by their as_json, NaN and
    # infinities as null.
    class Generator
      include Keys
      include Collections
      include Objects

      attr_reader :out
      # True if something was written to the io.
      attr_reader :flushed

      # out: the String to append to; with an io its content is written there whenever a chunk is full.
      def initialize(options = DEFAULT_OPTIONS, io = nil, out = String.new(capacity: 256, encoding: Encoding::UTF_8),
                     path = [])
        @options = options
        @io = io
        @out = out
        @depth = options.depth
        @path = path
        @default_escapes = !(options.script_safe || options.ascii_only)
        @pretty = options.pretty?
        @ordered = options.sort_keys || options.rfc8785
        @numbers = !options.rfc8785 && !io
      end

      # Writes a whole document and returns the String, or the io. core: true does not call the outermost value's
      # to_json.
      def document(object, core: false)
        core ? core_value(object) : value(object)
        return @out unless @io

        flush
        ::Katsu::Generator.finish(@io)
      end

      # Appends the value's JSON. as_json_calls: how many calls of as_json gave this value; nil for none.
      def value(object, as_json_calls = nil)
        case object
        when String then object.instance_of?(String) ? text(object, as_json_calls) : other(object, as_json_calls)
        when Integer then integer(object)
        when nil then @out << "null"
        when true then @out << "true"
        when false then @out << "false"
        when Float then float(object)
        when Hash then object.instance_of?(Hash) ? hash(object) : other(object, as_json_calls)
        when Array then object.instance_of?(Array) ? array(object) : other(object, as_json_calls)
        when Symbol then symbol(object, as_json_calls)
        when *FRAGMENTS then FRAGMENTS.include?(object.class) ? fragment(object) : other(object, as_json_calls)
        when ::Object then other(object, as_json_calls)
        else basic(object, as_json_calls)
        end
        flush if @io && @out.bytesize >= Limits::CHUNK
      end

      # Appends the value; a String, Array or Hash of a subclass is written as its parent class, by that one's methods.
      def core_value(object, as_json_calls = false)
        case object
        when String
          object.instance_of?(String) ? text(object, as_json_calls, core: true) : text_of_own(object, as_json_calls)
        when Hash then hash(@ordered ? object : exact_hash(object))
        when Array then array(object.instance_of?(Array) ? object : Array.instance_method(:to_a).bind_call(object))
        else value(object, as_json_calls)
        end
      end

      # Appends a JSON string. Raises GeneratorError for text that is not UTF-8 and cannot be converted.
      def string(text)
        text = exact(transcode(text)) unless Text.utf8?(text)
        escaped =
          if @default_escapes then Text.escape(text)
          else Text.escape_more(text, @options.script_safe, @options.ascii_only)
          end
        @out << '"' << escaped << '"'
      end

      # Appends JSON text as it is. Its bytes are taken as UTF-8, whatever its encoding is.
      def json(text)
        @out << (text.encoding == Encoding::UTF_8 || text.ascii_only? ? text : text.b.force_encoding(Encoding::UTF_8))
      end

      private

      FRAGMENTS = [Fragment, (::JSON::Fragment if defined?(::JSON::Fragment))].compact.freeze
      private_constant :FRAGMENTS

      # core: see core_value.
      def text(object, as_json_calls, core: false)
        return string(object) unless @options.strict && @options.as_json && !Text.utf8?(object)

        refuse_bytes(object) if as_json_calls
        replacement = call_as_json(object, false)
        return string(object) if replacement.equal?(object)

        refuse_bytes(object) if String === replacement && !Text.utf8?(replacement)
        core ? core_value(replacement, true) : value(replacement, true)
      end

      # The same text, without the methods of a class of its own.
      def exact(text)
        text.instance_of?(String) ? text : String.new(text)
      end

      # The same Hash. No constant: an UnboundMethod is not shareable.
      def exact_hash(hash)
        hash.instance_of?(Hash) ? hash : Hash.instance_method(:to_h).bind_call(hash)
      end

      # A String of a subclass; encode is the only method of its class that is called.
      def text_of_own(object, as_json_calls)
        text = exact(object)
        return string(text) if Text.utf8?(text)

        return text(object, as_json_calls, core: true) if @options.strict && @options.as_json

        string(exact(transcode(object)))
      end

      def transcode(text)
        encoded = begin
          text.encode(Encoding::UTF_8)
        rescue StandardError => e
          raise GeneratorError.new(e.message, text, @path)
        end
        raise TypeError, "encode gave #{encoded.class} (expected String)" unless ::String === encoded

        refuse_bytes(text) unless Text.utf8?(exact(encoded))
        encoded
      end

      def refuse_bytes(text)
        raise GeneratorError.new("source sequence is illegal/malformed utf-8", text, @path)
      end

      def refuse(object, what)
        raise GeneratorError.new("#{ArgumentChecks.own_class_of(object)} #{what}", object, @path)
      end

      def integer(object)
        @out << (@options.rfc8785 ? ::Katsu::Generator.canonical_number(object, @path) : object.to_s)
      end

      def float(object)
        return not_finite(object) unless object.finite?

        @out << (@options.rfc8785 ? ::Katsu::Generator.canonical_number(object, @path) : FloatText.of(object))
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

      def symbol(object, as_json_calls)
        text = @options.strict || @options.rails || !Symbol.method_defined?(:to_json, false)
        text ? text(object.name, as_json_calls) : other(object, as_json_calls)
      end

      def fragment(object)
        ArgumentChecks.type(object.json, String)
        json(object.json)
      end

      def flush
        @flushed = true
        FullWrite.call(@io, @out.dup)
        @out.clear
      end
    end
  end
end
