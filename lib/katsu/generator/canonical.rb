# frozen_string_literal: true

module Katsu
  # What both backends ask Ruby for while they generate: rare, and easier to read here.
  module Generator
    OPTIONS = %i[
      indent space space_before object_nl array_nl depth max_nesting allow_nan strict script_safe ascii_only
      as_json sort_keys allow_duplicate_key buffer_initial_length rfc8785
    ].freeze

    class << self
      # True where this to_json is the json gem's own for any object: to_s as a String.
      def as_text?(method)
        to_json_owner(method).equal?(OBJECT_METHODS)
      end

      # True for an object with an as_json of its class's, as records have, and no to_json but that of all objects. What
      # ActiveSupport gives Ruby's own classes does not count: a Time is written as without it.
      def record?(object)
        return false unless ::Object === object && object.respond_to?(:as_json)

        method = ::Kernel.instance_method(:method)
        as_json = method.bind_call(object, :as_json)
        !of_all_objects?(as_json) && !as_json.source_location&.first.to_s.include?("active_support/core_ext/") &&
          (!object.respond_to?(:to_json) || of_all_objects?(method.bind_call(object, :to_json)))
      end

      # Has io hand on what it holds back, as json does. Not a GzipWriter, which compresses less with each flush.
      def finish(io)
        io.flush if io.respond_to?(:flush) && !(defined?(::Zlib::GzipWriter) && ::Zlib::GzipWriter === io)
        io
      end

      # Raises ArgumentError for option names that are not in OPTIONS.
      def refuse_options(names)
        list = names.map(&:inspect).join(", ")
        raise ArgumentError, "unknown keyword#{"s" if names.size > 1}: #{list}; known are #{OPTIONS.join(", ")}"
      end

      # Raises where a String and a Symbol key would come out as the same key.
      def check_duplicate_keys(hash)
        seen = {}
        hash.each_key do |key|
          name = key.to_s
          if seen[name]
            raise GeneratorError.new("detected duplicate key #{name.inspect} in #{hash.inspect}", hash)
          end

          seen[name] = true
        end
      end

      # The Hash with Strings as keys; of two that come out the same the last, as as_json does it.
      def stringify_keys(hash)
        hash.each_with_object({}) { |(key, value), strings| strings[key.to_s] = value }
      end

      # The Hash in the order of its keys: as they compare, or for canonical JSON by UTF-16 code units
      # (RFC 8785, section 3.2.3), keys converted to Strings first.
      def sort(hash, canonical, as_json)
        return sorted(hash) unless canonical

        names = hash.transform_keys { |key| canonical_key(key, as_json) }
        raise GeneratorError.new("detected duplicate key in #{hash.inspect}", hash) if names.size < hash.size

        names.sort_by { |name, _| name.encode(Encoding::UTF_16BE).unpack("n*") }.to_h
      rescue EncodingError => e
        raise GeneratorError.new(e.message, hash)
      end

      # A number as ECMAScript prints it (RFC 8785, section 3.2.2.3). Integers beyond Float raise.
      def canonical_number(number)
        if number.is_a?(Integer)
          if number.abs > Float::MAX
            raise GeneratorError.new("Integer out of range for RFC 8785", number)
          end

          number = number.to_f
        end
        return "0" if number.zero?

        "#{"-" if number.negative?}#{canonical_magnitude(number.abs)}"
      end

      private

      def of_all_objects?(method)
        ::Object.ancestors.include?(method.owner)
      end

      # hash.sort.to_h; keys that are all Strings are compared without an Array a pair.
      def sorted(hash)
        return hash.sort.to_h if hash.compare_by_identity? || !hash.each_key.all?(String)

        hash.keys.sort!.to_h { |key| [key, hash[key]] }
      end

      # Where the to_json is defined that a State comes to. ActiveSupport's own hands it on.
      def to_json_owner(method)
        method = method.super_method while method && method.owner.name == "ActiveSupport::ToJsonWithActiveSupportEncoder"
        method&.owner
      end

      def canonical_key(key, as_json)
        return key.to_s unless as_json && !key.is_a?(String) && !key.is_a?(Symbol)

        name = as_json.call(key, true)
        raise GeneratorError.new("#{name.class} not allowed as object key in JSON", name) unless name.is_a?(String) || name.is_a?(Symbol)

        name.to_s
      end

      # The digits of the shortest form, placed as ECMAScript's Number::toString does.
      def canonical_magnitude(number)
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

      # Significant digits without zeros around them, and the exponent of the first.
      def format_shortest(number)
        decimal, exponent = number.to_s.split("e")
        whole, fraction = decimal.split(".")
        digits = whole + fraction
        exponent = exponent.to_i + whole.size - 1
        leading = digits[/\A0*/].size
        [digits.delete_prefix("0" * leading).sub(/0+\z/, ""), exponent - leading]
      end
    end

    # Where the json gem defines Object#to_json; nil where another has defined it before.
    OBJECT_METHODS = to_json_owner(Object.instance_method(:to_json)).then { |owner| owner if owner&.name.to_s.start_with?("JSON") }
    private_constant :OBJECT_METHODS
  end
end
