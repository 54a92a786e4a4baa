# frozen_string_literal: true

module Katsu
  class Serializer
    # One declared attribute. name: what its value is called in the object; key: what it is called in JSON; call: the Call of
    # its block, or nil; conditions: an Array of Condition, of which all have to hold; needs: a tree of what its Ruby code reads, or nil (see Needs).
    class Attribute
      attr_reader :name, :key, :call, :conditions, :needs

      def initialize(name, key: name.name, call: nil, conditions: [], needs: nil)
        @name = name
        @key = key
        @call = call
        @conditions = conditions.freeze
        @needs = needs
        freeze
      end

      # Two declarations that are alike in it mean the same.
      def signature
        [@name, @key, @call&.signature, @conditions.map(&:signature), @needs]
      end

      def inspect
        "attribute #{@name.inspect}#{", as #{@key.inspect}" if @key != @name.name}"
      end
    end
  end
end
