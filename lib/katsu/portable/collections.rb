# frozen_string_literal: true

module Katsu
  module Portable
    # Arrays, Hashes and streams: the part of Generator that walks them.
    module Collections
      private

      def enter
        limit = @options.max_nesting
        raise NestingError.new(@depth + 1, @path) if limit != 0 && @depth >= limit

        @depth += 1
      end

      def array(elements)
        enter
        if elements.empty?
          @out << "[]"
        else
          @out << "["
          elements_of(elements)
          leave(@options.array_nl) if @pretty
          @out << "]"
        end
        @depth -= 1
      end

      # The Array may change while a value's own method is called.
      def elements_of(elements)
        @path << 0
        index = 0
        while index < elements.size
          @out << "," if index.positive?
          newline(@options.array_nl) if @pretty
          element = elements[index]
          if Float === element && element.finite? && @numbers
            @out << Numbers.float(element)
          else
            @path[-1] = index
            value(element)
          end
          index += 1
        end
        @path.pop
      end

      def stream(elements)
        enter
        @out << "["
        @path << 0
        index = 0
        fiber = Fiber.current
        writing = false # an element has been begun and not ended
        elements.each do |*element|
          raise Error, "Katsu::Stream: each yielded after it had returned, or in another fiber" unless index && fiber.equal?(Fiber.current)
          raise Error, "Katsu::Stream: each went on after an element that could not be written" if writing

          writing = true
          @out << "," if index.positive?
          newline(@options.array_nl) if @pretty
          @path[-1] = index
          value(element.size == 1 ? element[0] : element)
          index += 1
          writing = false
        end
        raise Error, "Katsu::Stream: each ended after an element that could not be written" if writing

        @path.pop
        leave(@options.array_nl) if @pretty && index.positive?
        index = nil
        @out << "]"
        @depth -= 1
      end

      def hash(pairs)
        pairs = ordered(pairs) if @ordered
        pairs = ::Katsu::Generator.stringify_keys(pairs) if @options.rails
        enter
        if pairs.empty?
          @out << "{}"
        else
          pairs_of(pairs)
        end
        @depth -= 1
      end

      def pairs_of(pairs)
        first = nil
        mixed = false
        @path << nil
        pairs.each_pair do |key, object|
          @out << (first ? "," : "{")
          first ||= kind(key) || :other
          @path[-1] = key
          newline(@options.object_nl) if @pretty
          replaced = @options.strict && !kind(key)
          key = strict_key(key) if replaced
          mixed ||= mixed_key?(first, key, pairs)
          key(key, replaced)
          @pretty ? @out << (@options.space_before || "") << ":" << (@options.space || "") : @out << ":"
          value(object)
        end
        @path.pop
        return @out << "{}" unless first

        leave(@options.object_nl) if @pretty
        @out << "}"
      end

      def ordered(pairs)
        if @options.rfc8785 || @options.sort_keys == true
          as_json = @options.strict && @options.as_json
          pairs = ::Katsu::Generator.sort(pairs, @options.rfc8785, as_json || nil)
        else
          pairs = @options.sort_keys.call(pairs)
        end
        Checks.type(pairs, Hash)
        pairs
      end

      def newline(text)
        @out << text if text
        @out << @options.indent * @depth if @options.indent
      end

      def leave(text)
        return unless text

        @out << text
        @out << @options.indent * (@depth - 1) if @options.indent
      end
    end
  end
end
