# frozen_string_literal: true

module Katsu
  # An association's serializer could not be found by its name.
  class SerializerNotFoundError < Error
    # What was tried: names of serializers.
    def self.by_name(serializer, association, tried)
      new("#{serializer} has no serializer for #{association.inspect}; tried #{tried.join(", ")}. " \
          "Name it with serializer: PostSerializer or serializer: \"PostSerializer\"")
    end

    # For an object of a class that an association's map of serializers does not name.
    def self.by_class(serializer, association, klass, known)
      new("#{serializer} has no serializer for #{association.inspect} where it is a #{klass}; " \
          "serializer: knows #{known.join(", ")}")
    end
  end
end
