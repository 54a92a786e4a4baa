# frozen_string_literal: true

module Katsu
  module Portable
    class Generator
      # The part of Generator that writes values that JSON has no form for: by their as_json, their to_json or as their
      # text. The twin of ext/katsu/values/objects.c.
      module Objects
        private

        # Appends a value that JSON has no form for.
        def other(object, as_json_calls)
          if Stream === object && ::Katsu::Generator.stream?(object)
            stream(object)
          elsif @io && Chunked === object && hand_over?(object)
            hand_over(object)
          elsif @options.rails
            rails_value(object, as_json_calls)
          elsif @options.strict
            refuse(object, "not allowed in JSON") if as_json_calls || !@options.as_json
            value(call_as_json(object, false), true)
          elsif !object.respond_to?(:to_json)
            string("" + object.to_s) # as C takes a String: what has a to_str becomes one
          elsif ::Katsu::Generator.as_text?(object)
            without_to_json(object)
          else
            json(json_of(object))
          end
        end

        # Appends a BasicObject, which has no methods but those that its class defines.
        def basic(object, as_json_calls)
          return rails_value(object, as_json_calls) if @options.rails

          unless @options.strict
            return json(json_of(object)) if AsJson.answers?(object, :to_json)

            return string("#{object}")
          end
          refuse(object, "not allowed in JSON") if as_json_calls || !@options.as_json
          value(call_as_json(object, false), true)
        end

        # An object without a to_json of its own.
        def without_to_json(object)
          case object
          when String, Hash, Array then core_value(object, true)
          else string("#{object}") # if to_s returns no String, Ruby's own text
          end
        end

        def rails_value(object, as_json_calls)
          if AsJson.defined_for?(object)
            json = Chunked === object ? as_json_of(object) : object.as_json
            as_json_calls = as_json_calls ? as_json_calls.succ : 1
            refuse(object, "gives as_json another object each time") if as_json_calls > Limits::AS_JSON_CALLS
            return value(json, as_json_calls) unless json.equal?(object)

            own = AsJson.of_itself(object)
            return value(own, as_json_calls) unless own.equal?(object)
          end

          case object
          when String, Hash, Array then core_value(object, true)
          else value(AsJson::Substitute.of(object), as_json_calls || 0)
          end
        end

        def call_as_json(object, is_key)
          proc = @options.as_json
          proc.lambda? && proc.arity == 1 ? proc.call(object) : proc.call(object, is_key)
        end

        def json_of(object)
          json = object.to_json(state)
          return json if String === json

          raise TypeError, "#{ArgumentChecks.own_class_of(object)}#to_json gave " \
                           "#{ArgumentChecks.own_class_of(json)}, expected a String"
        rescue StandardError => e
          place(e)
        end

        # The State that to_json methods receive; made once, and again if one of them froze it.
        def state
          @state = @options.source.empty? ? State.new : State.new(@options.source) if @state.nil? || @state.frozen?
          @state.depth = @depth
          @state
        end

        # A document does not write itself with options that change its text.
        def hand_over?(object)
          !(@options.strict && !@options.rails) && !@options.changes_text? && object.chunked?
        end

        # Lets a Chunked object write itself to the io, after what is written so far.
        def hand_over(object)
          flush
          ::Katsu::Generator.write_part([object, @io])
        rescue StandardError => e
          place(e)
        end

        # The as_json of a Chunked object. Its errors get their path in the whole JSON.
        def as_json_of(object)
          object.as_json
        rescue StandardError => e
          place(e)
        end

        # Raises an error of an object's own method again: its place was within the object.
        def place(error)
          ::Katsu::Generator.place_error(error, @path)
        end
      end
    end
  end
end
