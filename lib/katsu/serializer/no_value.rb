# frozen_string_literal: true

module Katsu
  class Serializer
    # Refuses a serializer that is given to render json:, or put in a document, and has no object to write. Its class is as
    # any class, so that logs can name it.
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
        "#{self.class} has no object to write: #{NoValue.hint(self.class)}"
      end
    end
  end
end
