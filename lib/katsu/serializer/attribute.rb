# frozen_string_literal: true

module Katsu
  class Serializer
    # One declared attribute. name: where its value comes from; key: what it is called in JSON.
    class Attribute
      attr_reader :name, :key, :block, :condition

      # method: true where the value is what the serializer's method of that name returns.
      def initialize(name, key: name, block: nil, condition: nil, method: false)
        @name = name.to_sym
        @key = key.to_s.dup.freeze
        @block = Ractors.share_proc(block)
        @condition = Ractors.share_proc(condition)
        @method = method
        freeze
      end

      # How its value is found: :block, :method or :attribute (of the object).
      def kind
        return :block if @block

        @method ? :method : :attribute
      end

      def as_method
        Attribute.new(@name, key: @key, condition: @condition, method: true)
      end
    end
  end
end
