# frozen_string_literal: true

module Katsu
  class Serializer
    # What becomes of an attribute's value: type:, format:; of nil and of an error: default:, omit_nil:, on_error:.
    #
    # The rule is a method of the serializer around what gives the value, so only attributes that have one pay for it.
    class FieldRule
      OPTIONS = %i[default omit_nil on_error].freeze
      ON_ERROR = %i[raise null skip].freeze
      EVENT = "field_error.katsu"
      private_constant :ON_ERROR

      class << self
        # The rule of options, or nil if there is none. what: the declaration. declared: the rule that the class has for
        # all, {omit_nil:, on_error:}. Raises ArgumentError.
        def of(serializer, what, options, declared)
          given = declared.merge(options.slice(*OPTIONS))
          both = options.key?(:default) && options[:omit_nil]
          refuse(serializer, "#{what} has default: and omit_nil:; give one of them") if both
          given.delete(:omit_nil) if options.key?(:default)
          check_omit_nil(serializer, what, given[:omit_nil])
          on_error = on_error(serializer, what, given[:on_error])
          conversion = Conversion.of(serializer, what, options)
          return unless given.key?(:default) || given[:omit_nil] || on_error || conversion

          new(default(serializer, what, given[:default]), given[:omit_nil] || false, on_error, conversion).freeze
        end

        def check_omit_nil(serializer, what, given)
          return if [nil, true, false].include?(given)

          refuse(serializer, "#{what} has omit_nil: #{given.inspect}; accepted are true and false")
        end

        # A Symbol or a Call; nil to raise.
        def on_error(serializer, what, given)
          return if given.nil? || given == :raise
          return given if ON_ERROR.include?(given) || given.is_a?(Call)
          return callable(serializer, what, given) if given.respond_to?(:call)

          hint = NearestName.hint(given.to_s, ON_ERROR) if given.is_a?(Symbol) || given.is_a?(String)
          refuse(serializer, "#{what} has on_error: #{given.inspect}; " \
                             "accepted are #{ON_ERROR.map(&:inspect).join(", ")} " \
                             "and a callable that takes the error and the object.#{hint}")
        end

        private

        def callable(serializer, what, given)
          Call.define(serializer, given, 2, "#{what}, on_error:", gets: "the error", second: "the object")
        end

        def default(serializer, what, given)
          collection = given.is_a?(::Hash) || given.is_a?(::Array) # one of a class of its own may answer call, too
          return Call.define(serializer, given, 1, "#{what}, default:") if !collection && given.respond_to?(:call)

          collection && AsJson.own?(given, :as_json) ? given.dup : Filters.frozen_copy(given)
        end

        def refuse(serializer, message)
          raise ArgumentError, "#{serializer}: #{message}"
        end
      end

      attr_reader :default, :omit_nil, :on_error, :conversion

      def initialize(default, omit_nil, on_error, conversion)
        @default = default
        @omit_nil = omit_nil
        @on_error = on_error
        @conversion = conversion
      end

      # Equal signatures mean equal behaviour.
      def signature
        [@default, @on_error].map { |one| one.is_a?(Call) ? one.meaning : one } << @omit_nil << @conversion&.signature
      end

      # What it says, but for callables, the same in each process.
      def told
        [(in_json(@default) unless @default.is_a?(Call)), @omit_nil, (@on_error unless @on_error.is_a?(Call)),
         @conversion&.told]
      end

      # True if it runs code of the serializer's that may read the object.
      def calls?
        @default.is_a?(Call) || @conversion&.calls? || false
      end

      # The Calls around the value of attribute name: {method: the method field, object: what is read of the object}, or
      # with a block, a Call: {block: it, method: the method field of a child}.
      def calls(serializer, name, block)
        what = "attribute #{name.inspect}, value"
        method = around_method(serializer, what, name)
        return {block: around_block(serializer, what, name, block), method: method} if block

        of_object = around_object(serializer, what, name) if @omit_nil || !@default.nil? || @conversion
        {method: method, object: of_object}
      end

      # What is written of the block's value. instance: the serializer.
      def value(instance, name)
        value = converted(instance, yield)
      rescue LazyLoadError, NeedsError
        raise
      rescue StandardError => e
        raise unless @on_error

        of_error(instance, name, e) { of_nil(instance, name) }
      else
        value.nil? ? of_nil(instance, name) : value
      end

      # The same of what the object has: what it raises is not the serializer's.
      def read(instance, name)
        found = Source.read_checked(instance.__send__(:katsu_class), object_of(instance), name)
        value(instance, name) { found }
      end

      private

      # nil for what cannot be written.
      def in_json(value)
        Katsu.generate(AsJson.of_any(value))
      rescue StandardError
        nil
      end

      # A serializer may have a field called object.
      def object_of(instance) = instance.__send__(:katsu_object)

      def converted(instance, value)
        @conversion && !value.nil? && !SKIP.equal?(value) ? @conversion.call(instance, value) : value
      end

      def of_nil(instance, name)
        return SKIP if @omit_nil

        @default.is_a?(Call) ? called_default(instance, name) : @default
      end

      # If it raises, :null writes null: there is no default left.
      def called_default(instance, name)
        instance.__send__(@default.name, *[object_of(instance)].first(@default.arguments))
      rescue LazyLoadError, NeedsError
        raise
      rescue StandardError => e
        raise unless @on_error

        of_error(instance, name, e) { nil }
      end

      # The block gives what :null writes.
      def of_error(instance, name, error)
        Katsu::Caching::Failures.met
        report(instance, name, error)
        case @on_error
        when :skip then SKIP
        when :null then yield
        else instance.__send__(@on_error.name, *[error, object_of(instance)].first(@on_error.arguments))
        end
      end

      # ActiveSupport's subscribers, and so the log of Rails, are told what was raised; without them, and in Ractors
      # other than the main one, which cannot reach them, it is a warning.
      def report(instance, name, error)
        unless defined?(::ActiveSupport::Notifications) && Ractors.main?
          return warn("katsu: #{instance.__send__(:katsu_class)}: #{name}: #{error.class}: #{error.message}")
        end

        payload = {serializer: instance.__send__(:katsu_class), field: name, object: object_of(instance), error: error}
        ::ActiveSupport::Notifications.instrument(EVENT, payload)
      end

      def around_block(serializer, what, name, block)
        rule = self
        inner = block.name
        body = block.arguments.zero? ? proc { rule.value(self, name) { __send__(inner) } } : nil
        body ||= proc { |object| rule.value(self, name) { __send__(inner, object) } } if block.arguments == 1
        body ||= proc { |object, context| rule.value(self, name) { __send__(inner, object, context) } }
        Call.define(serializer, body, 2, what, around: around(inner))
      end

      # The methods of the serializer that run around a value.
      def around(*inner)
        [*inner, *[@default, @on_error, @conversion&.format].grep(Call).map(&:name)].freeze
      end

      def around_method(serializer, what, name)
        rule = self
        Call.define(serializer, proc { rule.value(self, name) { __send__(name) } }, 2, what, around: around(name))
      end

      def around_object(serializer, what, name)
        rule = self
        Call.define(serializer, proc { rule.read(self, name) }, 2, what, around: around)
      end
    end
  end
end
