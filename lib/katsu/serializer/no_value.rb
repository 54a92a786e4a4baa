# frozen_string_literal: true

module Katsu
  class Serializer
    # Refuses what is given to render json:, or put in a document, before it has got an object: a serializer, its class, the class
    # ArraySerializer.
    module NoValue
      def self.hint(serializer)
        "#{serializer}.new.serialize_to_json(object) is an object's JSON, serialize(object) its Hash; " \
          "Katsu::ArraySerializer.new(objects, each_serializer: #{serializer}) is for collections"
      end

      # Raises ArgumentError, whatever is given.
      def to_json(*)
        raise ArgumentError, no_value
      end

      def as_json(*)
        raise ArgumentError, no_value
      end

      private

      def no_value
        serializer = is_a?(Module) ? self : self.class
        "#{serializer} has no object to write: #{NoValue.hint(serializer < Serializer ? serializer : "PostSerializer")}"
      end
    end
  end
end
