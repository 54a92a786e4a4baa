# frozen_string_literal: true

module Katsu
  # The as_json of values that serializers write.
  module AsJson
    # JSON text of the json gem, which has it since 2.10.
    JSON_FRAGMENT = defined?(::JSON::Fragment) ? ::JSON::Fragment : nil
    CORE = [::NilClass, ::TrueClass, ::FalseClass, ::Integer, ::Float, ::String, ::Symbol, ::Array, ::Hash].freeze
    private_constant :JSON_FRAGMENT, :CORE

    class << self
      # The value as it stands in a Hash that a serializer builds. Core values are not asked, as their as_json is
      # ActiveSupport's.
      def of(value)
        case value
        when nil, true, false, ::Integer then value
        when Symbol then value.name
        when ::Float then value.finite? ? value : nil
        when ::String then value.instance_of?(::String) ? value : of_object(value)
        else of_object(value)
        end
      end

      # The same, but core values are asked too: the application may have overridden their as_json.
      def of_any(value)
        defined_for?(value) ? of_object(value) : of(value)
      end

      # The same as a value of one of JSON's own classes: the as_json of an object may be another object. The value
      # itself if it is text, which is no UTF-8 then, or gives another object each time.
      def core(value)
        return value if value.instance_of?(::String)

        Limits::AS_JSON_CALLS.times do
          json = of_any(value)
          return json if CORE.include?(Source.class_of(json))
          return parsed(of_itself(value)) if json.equal?(value)

          value = json
        end
        value
      end

      # What stands for an object that is its own as_json: the text of its to_json if its class has one, as Rails has
      # it. A String, Hash or Array without one stands for itself.
      def of_itself(value)
        return Fragment.new(::JSON.generate(value)) if own?(value, :to_json)

        parent(value) == ::Object ? Substitute.of(value) : value
      end

      # True if the class of the value has that public method itself: it does not inherit it from Object, or a subclass
      # of String, Hash or Array from that class.
      def own?(value, name)
        return false unless answers?(value, name)

        !(parent(value) <= ::Kernel.instance_method(:method).bind_call(value, name).owner)
      rescue ::NameError
        false # the value says that it has the method, and has none
      end

      # The to_s of an object, such as the key of a Hash. Raises TypeError if there is none, or if it gives no String.
      def text(object)
        return object.to_s if ::Symbol === object || (::String === object && object.instance_of?(::String))

        raise TypeError, "can't convert #{Source.class_of(object)} into String" unless answers?(object, :to_s)

        text = object.to_s
        return text if ::String === text

        klass = Source.class_of(object)
        raise TypeError, "can't convert #{klass} to String (#{klass}#to_s gives #{Source.class_of(text)})"
      end

      # True if the value has an as_json.
      def defined_for?(value)
        answers?(value, :as_json)
      end

      # True if the value has a public method of that name, or says so. A BasicObject may have no respond_to?.
      def answers?(value, name)
        return value.respond_to?(name) if ::Object === value

        klass = ::Kernel.instance_method(:class).bind_call(value)
        return value.respond_to?(name) if klass.method_defined?(:respond_to?)

        ::Kernel.instance_method(:respond_to?).bind_call(value, name)
      end

      private

      # What of_itself gives, as one of the classes in CORE.
      def parsed(value)
        case value
        when Fragment then value.as_json
        when ::Hash then {}.merge!(value)
        when ::Array then [*value]
        when ::String then ::String.new(value)
        else value
        end
      end

      def parent(value)
        [::String, ::Hash, ::Array].find { |klass| klass === value } || ::Object
      end

      def of_object(value)
        return Fragment.new(value.json).as_json if JSON_FRAGMENT && JSON_FRAGMENT === value
        return value.as_json if defined_for?(value) && !Overrides.walked?(value)

        case value
        when ::Hash then value.to_h { |key, inner| [text(key), of(inner)] }
        when ::Array then value.map { |inner| of(inner) }
        when ::String then value.to_s
        else of(Substitute.of(value))
        end
      end
    end
  end
end

require_relative "as_json/substitute"
require_relative "as_json/overrides"
