# frozen_string_literal: true

module Katsu
  module Portable
    class Generator
      # The part of Generator that writes Arrays, Hashes and streams.
      module Collections
        CORE = [String, Hash, Array, Integer, Float, Symbol, NilClass, TrueClass, FalseClass].freeze
        private_constant :CORE

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
            text = Float === element && @numbers ? FloatText.of(element) : nil
            if text
              @out << text
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
          StreamWalk.each(elements) do |element|
            @out << "," if index.positive?
            newline(@options.array_nl) if @pretty
            @path[-1] = index
            value(streamed(element))
            index += 1
          end
          @path.pop
          leave(@options.array_nl) if @pretty && index.positive?
          @out << "]"
          @depth -= 1
        end

        # The value written for an element of a stream: a record's as_json, even if a library defines to_json for all
        # objects.
        def streamed(element)
          return AsJson::Overrides.apply(element) if @options.rails && AsJson::Overrides.any?
          return element if @options.strict || @options.rails || CORE.any? { |core| core === element }

          klass = ArgumentChecks.own_class_of(element) # looked at if the element before had another
          @record = ::Katsu::Generator.record?(element) unless klass.equal?(@record_class)
          @record_class = klass
          @record ? element.as_json : element
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
          close_pairs(first)
        end

        # any: whether there was a pair.
        def close_pairs(any)
          return @out << "{}" unless any

          leave(@options.object_nl) if @pretty
          @out << "}"
        end

        def ordered(pairs)
          if @options.rfc8785 || @options.sort_keys == true
            as_json = @options.strict && @options.as_json
            pairs = ::Katsu::Generator.sort(pairs, @options.rfc8785, as_json || nil, @path)
          else
            pairs = @options.sort_keys.call(pairs)
          end
          ArgumentChecks.type(pairs, Hash)
          exact_hash(pairs)
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
end
