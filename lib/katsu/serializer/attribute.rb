# frozen_string_literal: true

module Katsu
  class Serializer
    # One declared attribute. name: where its value comes from; key: what it is called in JSON.
    class Attribute
      attr_reader :name, :key, :block, :condition

      def initialize(name, key: name, block: nil, condition: nil)
        @name = name.to_sym
        @key = key.to_s.dup.freeze
        @block = block
        @condition = condition
        freeze
      end
    end
  end
end
