# frozen_string_literal: true

module Katsu
  # Raised for a collection given in the place of one object, or one object in the place of a collection.
  class NumberError < TypeError
    include Place::OfPath

    # What was given.
    attr_reader :object
    # Its place in the document, such as "users[3].name"; empty for the document's root, nil outside of a document.
    attr_reader :path

    def initialize(message = nil, object = nil, path = nil)
      @object = object
      @path = path && Path.join(path)
      super(message)
    end

    class << self
      # The error for a collection. name: the has_one of serializer that has it; nil if it was given to serializer
      # itself. path: the keys and indexes that lead to it in the document, or nil.
      def collection(serializer, name, object, path = nil)
        return to_serializer(serializer, object, path) unless name

        instead = "for a collection write has_many #{name.inspect}"
        instead = "the association's value is to be an object of it" if Module === object
        new("#{serializer}: has_one #{name.inspect} is #{described(object)}; #{instead}", object, path)
      end

      # The error for one object. name: the has_many of serializer that has it; nil if it was given to an
      # ArraySerializer. path: as for collection.
      def single(serializer, name, object, path = nil)
        return to_array_serializer(serializer, object, path) unless name

        new("#{serializer}: has_many #{name.inspect} is #{described(object)}, which is no collection; " \
            "for one object write has_one #{name.inspect}", object, path)
      end

      # The error for one object that was given to many of a serializer.
      def many(serializer, object)
        instead = "for one object write #{serializer}.one(object), or serializer: in render json:"
        instead = "give it #{object}.all" if Module === object
        new("#{serializer}.many was given #{described(object)}, which is no collection; #{instead}", object)
      end

      private

      def to_serializer(serializer, object, path)
        objects = Module === object ? "#{object}.all" : "objects"
        new("#{serializer} writes one object and was given #{described(object)}; for a collection write " \
            "Katsu::ArraySerializer.new(#{objects}, each_serializer: #{serializer}).to_json", object, path)
      end

      def to_array_serializer(serializer, object, path)
        instead = "for one object write #{serializer}.new.serialize_to_json(object)"
        instead = "give it #{object}.all" if Module === object
        new("Katsu::ArraySerializer was given #{described(object)}, which is no collection; #{instead}", object, path)
      end

      def described(object)
        klass = Kernel.instance_method(:class).bind_call(object)
        return "the class #{object}" if klass <= Class
        return "the module #{object}" if klass <= Module

        "#{klass.to_s.match?(/\A[AEIOU]/) ? "an" : "a"} #{klass}"
      end
    end
  end
end
