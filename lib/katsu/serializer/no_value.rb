# frozen_string_literal: true

module Katsu
  class Serializer
    # Refuses a serializer that is put in a document: it has no object to write. The class is not refused, so that logs
    # can name it.
    module NoValue
      # What to write instead.
      def self.hint(serializer)
        "#{serializer}.new.serialize_to_json(object) is an object's JSON, serialize(object) its Hash; " \
          "Katsu::ArraySerializer.new(objects, each_serializer: #{serializer}) is for collections"
      end

      # Raises ArgumentError, whatever is given.
      def to_json(*)
        raise ArgumentError, no_value
      end

      # Raises ArgumentError, whatever is given.
      def as_json(*)
        raise ArgumentError, no_value
      end

      private

      def no_value
        "#{katsu_class} has no object to write: #{NoValue.hint(katsu_class)}"
      end
    end
  end
end
