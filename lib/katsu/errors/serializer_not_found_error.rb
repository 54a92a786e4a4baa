# frozen_string_literal: true

module Katsu
  # Raised if an association's serializer is not found by its name or by the object's class.
  class SerializerNotFoundError < Error
    include Place::OfPath

    # The place in the document of an object whose class has none, such as "events[3].subject"; otherwise nil.
    attr_reader :path

    # tried: the names that were looked for.
    def self.by_name(serializer, association, tried)
      new("#{serializer} has no serializer for #{association.inspect}; tried #{tried.join(", ")}. " \
          "Give its class, or the name of its class, by serializer:")
    end

    # For an object of a class that an association's map of serializers does not name.
    def self.by_class(serializer, association, klass, known)
      new("#{serializer} has no serializer for an object of class #{klass} in #{association.inspect}; " \
          "it has one for #{known.join(", ")}")
    end
  end
end
