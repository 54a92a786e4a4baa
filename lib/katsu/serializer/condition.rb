# frozen_string_literal: true

require_relative "call"

module Katsu
  class Serializer
    # A condition of writing a key: the result of call must be true (if:) or false (unless:).
    Condition = Struct.new(:call, :wanted) do
      # The conditions among options. what: the declaration, for messages. Raises ArgumentError for a value that is no
      # condition.
      def self.of(serializer, what, options)
        Condition::WORDS.filter_map do |word, wanted|
          new(call(serializer, options[word], "#{what}, #{word}:"), wanted).freeze if options.key?(word)
        end.freeze
      end

      def self.call(serializer, given, what)
        return Call.new(given, 0).freeze if given.is_a?(Symbol)
        return Call.define(serializer, given, 1, what) if given.respond_to?(:call)

        raise ArgumentError,
              "#{serializer}: #{what} #{given.inspect} is no condition; accepted are a Symbol, " \
              "a method of the serializer, and a callable that takes the object or nothing"
      end
      private_class_method :call

      # Conditions of equal signature mean the same.
      def signature
        [call.meaning, wanted]
      end
    end
    Condition::WORDS = {if: true, unless: false}.freeze
  end
end
