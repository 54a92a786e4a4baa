# frozen_string_literal: true

module Katsu
  class Serializer
    # One declared attribute. name: its name in the object; key: its key in JSON; call: the Call of its block, or nil;
    # conditions: an Array of Condition, which must all hold; needs: a tree of the names that its Ruby code reads, or
    # nil (see Needs); rule: the FieldRule, or nil.
    class Attribute
      attr_reader :name, :key, :call, :conditions, :needs

      def initialize(name, key: name.name, call: nil, conditions: [], needs: nil, rule: nil, ruled_calls: {})
        @name = name
        @key = key
        @call = call
        @conditions = conditions.freeze
        @needs = needs
        @rule = rule
        @ruled_calls = ruled_calls.freeze
        freeze
      end

      # Two declarations of equal signature mean the same.
      def signature
        [@name, @key, @call&.meaning, @conditions.map(&:signature), @needs, @rule&.signature]
      end

      # What the rule says, for keys of caches; nil without a rule.
      def told = @rule&.told

      # The Call that gives the value: call, of its block or of a method field, or nil if the object gives it; around
      # that the rule, if there is one.
      def ruled(call)
        return call unless @rule

        @ruled_calls[call ? (call.equal?(@call) ? :block : :method) : :object]
      end

      # True if call is the rule around what the object has under the attribute's name.
      def reads?(call)
        @rule && call.equal?(@ruled_calls[:object])
      end

      # The same of a rule that reads nothing else.
      def only_ruled?(call)
        reads?(call) && !@rule.calls?
      end

      # For messages and consoles.
      def inspect
        "attribute #{@name.inspect}#{", as #{@key.inspect}" if @key != @name.name}"
      end
    end
  end
end
