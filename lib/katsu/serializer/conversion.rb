# frozen_string_literal: true

module Katsu
  class Serializer
    # What type: and format: of an attribute make of a value that is not nil.
    class Conversion
      OPTIONS = %i[type format].freeze
      # Formats that need nothing but Ruby.
      OWN = %i[iso8601 unix].freeze
      TYPES = %i[big_integer boolean date datetime decimal float immutable_string integer string time].freeze
      # What numbers know by to_fs.
      NUMBERS = %i[phone currency percentage delimited rounded human human_size].freeze
      private_constant :OWN, :TYPES, :NUMBERS

      class << self
        # nil if options have neither. what: the declaration. Raises ArgumentError.
        def of(serializer, what, options)
          return unless options.key?(:type) || options.key?(:format)

          new(type(serializer, what, options), format(serializer, what, options))
        end

        private

        def type(serializer, what, options)
          return unless options.key?(:type)

          given = options[:type]
          return given if given.respond_to?(:cast) && !given.is_a?(Module)

          looked_up(given) || refuse(serializer, what, :type, given, TYPES, "and an object with cast")
        end

        def looked_up(given)
          return unless given.is_a?(Symbol)

          require "active_model/type"
          type = ::ActiveModel::Type.lookup(given)
          # Others may keep what they make.
          type.class.name&.start_with?("ActiveModel::Type::") ? Ractors.share(type) : type
        rescue ::ArgumentError
          nil
        rescue ::LoadError
          raise ArgumentError, "type: #{given.inspect} is a type of ActiveModel, which is not installed; " \
                               "give an object with cast, or a block"
        end

        def format(serializer, what, options)
          return unless options.key?(:format)

          given = options[:format]
          return Call.define(serializer, given, 1, "#{what}, format:", gets: "the value") if given.respond_to?(:call)
          return given.dup.freeze if given.is_a?(String) && !given.empty?
          return given if given.is_a?(Symbol) && known_formats.include?(given)

          refuse(serializer, what, :format, given, known_formats,
                 "a String for strftime (of numbers, for Kernel#format), and a callable that takes the value")
        end

        def known_formats
          registered = [::Time, (::Date if defined?(::Date))].compact.flat_map do |owner|
            owner.const_defined?(:DATE_FORMATS) ? owner.const_get(:DATE_FORMATS).keys : []
          end
          OWN | registered | (defined?(::ActiveSupport::NumericWithFormat) ? NUMBERS : [])
        end

        def refuse(serializer, what, word, given, known, more)
          hint = NearestName.hint(given.to_s, known) if given.is_a?(Symbol) || given.is_a?(String)
          raise ArgumentError, "#{serializer}: #{what} has #{word}: #{given.inspect}; accepted are " \
                               "#{known.map(&:inspect).join(", ")}, #{more}.#{hint}"
        end
      end

      attr_reader :type, :format

      def initialize(type, format)
        @type = type
        @format = format
        freeze
      end

      # Equal signatures mean equal behaviour.
      def signature
        [@type.class, settings, @format.is_a?(Call) ? @format.meaning : @format]
      end

      # What it says, but for callables, the same in each process.
      def told
        format = @format unless calls?
        return [nil, format] unless @type

        [[@type.class.name, told_settings, Plan::Digest.of_methods([@type.method(:cast)])], format]
      end

      # True if it runs code of the serializer's.
      def calls? = @format.is_a?(Call)

      # The value as it is written; nil if the type makes nil of it. instance: the serializer.
      def call(instance, value)
        value = @type.cast(value) if @type
        return value if @format.nil? || value.nil?

        case @format
        when Call then instance.__send__(@format.name, *[value].first(@format.arguments))
        when String then by_pattern(value)
        else by_name(value)
        end
      end

      private

      # What one type of a class may have and another not.
      def settings
        @type.instance_variables.to_h { |name| [name, @type.instance_variable_get(name)] }
      end

      # Of other values only the class is known in each process.
      def told_settings
        settings.map do |name, value|
          [name, value.is_a?(Range) ? value.inspect : Query::Version.part(value) || value.class.name]
        end
      end

      def by_pattern(value)
        return value.strftime(@format) if value.respond_to?(:strftime)
        return Kernel.format(@format, value) if value.is_a?(Numeric)

        refuse(value)
      end

      def by_name(value)
        if OWN.include?(@format)
          return @format == :unix ? unix(value) : iso8601(value) if value.respond_to?(:strftime)
        elsif value.respond_to?(:to_fs) && !value.is_a?(Array)
          return value.to_fs(@format) if knows?(value)

          raise Error, "format: #{@format.inspect} is none that a #{value.class} knows"
        end

        refuse(value)
      end

      # to_fs takes what it does not know for to_s.
      def knows?(value)
        return NUMBERS.include?(@format) if value.is_a?(Numeric)
        return true unless value.respond_to?(:strftime)

        (date?(value) ? ::Date : ::Time)::DATE_FORMATS.key?(@format)
      end

      # A date begins at midnight in UTC: its own to_time is in the zone of the machine.
      def unix(value) = (date?(value) ? value.to_datetime : value).to_time.to_i

      # True for a day, without a time.
      def date?(value) = defined?(::Date) && value.is_a?(::Date) && !value.is_a?(::DateTime)

      # Without the standard library's "time", Time has no iso8601 before Ruby 3.4.
      def iso8601(value)
        return value.iso8601 if value.respond_to?(:iso8601)

        value.strftime("%Y-%m-%dT%H:%M:%S") + (value.utc? ? "Z" : value.strftime("%:z"))
      end

      def refuse(value)
        raise Error, "format: #{@format.inspect} is for times, dates and numbers, and was given a #{value.class}; " \
                     "type: makes one of text, such as type: :datetime"
      end
    end
  end
end
