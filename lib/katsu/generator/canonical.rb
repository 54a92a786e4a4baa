# frozen_string_literal: true

module Katsu
  module Generator
    # Canonical JSON (RFC 8785): the order of keys, and numbers as ECMAScript prints them.
    module Canonical
      class << self
        # The Hash in the order of its keys as UTF-16 code units (section 3.2.3), keys converted to Strings first.
        # as_json: the Proc that converts keys in strict mode; nil or false if there is none. path: the Hash's place.
        # Raises GeneratorError for two equal keys.
        def sort(hash, as_json, path)
          names = hash.each_with_object({}) do |(key, value), pairs|
            name = key(key, as_json, path)
            if pairs.key?(name)
              raise GeneratorError.new("detected duplicate key #{name.inspect}", hash, path)
            end

            pairs[name] = value
          end
          names.sort_by { |name, _| units(name, path) }.to_h
        end

        # A number as ECMAScript prints it (RFC 8785, section 3.2.2.3). path: its place. Raises GeneratorError for an
        # Integer beyond Float's range.
        def number(number, path)
          if number.is_a?(Integer)
            if number.abs > Float::MAX
              raise GeneratorError.new("Integer out of range for RFC 8785", number, path)
            end

            number = number.to_f
          end
          return "0" if number.zero?

          "#{"-" if number.negative?}#{magnitude(number.abs)}"
        end

        private

        # The order of its bytes is that of its code units.
        def units(name, path)
          name.encode(Encoding::UTF_16BE)
        rescue EncodingError => e
          raise GeneratorError.new(e.message, name, [*path, name])
        end

        def key(key, as_json, path)
          return AsJson.text(key) unless as_json

          called = !(String === key || Symbol === key)
          name = called ? call(as_json, key) : key
          name = name.name if Symbol === name
          refuse(name, path, key) unless String === name
          return name.to_s if utf8?(name)

          text = called ? name : call(as_json, name)
          refuse(text, path, key) unless String === text
          return text.to_s if !called && utf8?(text)

          raise GeneratorError.new("source sequence is illegal/malformed utf-8", text, [*path, key])
        end

        def call(proc, key)
          proc.lambda? && proc.arity == 1 ? proc.call(key) : proc.call(key, true)
        end

        def utf8?(text) = text.ascii_only? || (text.encoding == Encoding::UTF_8 && text.valid_encoding?)

        def refuse(name, path, key)
          klass = ::Kernel.instance_method(:class).bind_call(name)
          raise GeneratorError.new("#{klass} not allowed as object key in JSON", name, [*path, key])
        end

        # The digits of the shortest form, with point and exponent as ECMAScript's Number::toString.
        def magnitude(number)
          mantissa, exponent = format_shortest(number)
          point = exponent + 1
          count = mantissa.size
          if count <= point && point <= 21 then mantissa + "0" * (point - count)
          elsif point.between?(1, 21) then "#{mantissa[0, point]}.#{mantissa[point..]}"
          elsif point.between?(-5, 0) then "0.#{"0" * -point}#{mantissa}"
          else
            "#{mantissa[0]}#{".#{mantissa[1..]}" if count > 1}e#{"+" if exponent.positive?}#{exponent}"
          end
        end

        # The significant digits without zeros around them, and the exponent of the first.
        def format_shortest(number)
          decimal, exponent = number.to_s.split("e")
          whole, fraction = decimal.split(".")
          digits = whole + fraction
          exponent = exponent.to_i + whole.size - 1
          leading = digits[/\A0*/].size
          [digits.delete_prefix("0" * leading).sub(/0+\z/, ""), exponent - leading]
        end
      end
    end
  end
end
