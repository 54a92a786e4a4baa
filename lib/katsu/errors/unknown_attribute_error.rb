# frozen_string_literal: true

module Katsu
  # Raised for an attribute that a serializer declares and the object does not have.
  class UnknownAttributeError < Error
    include Place::OfPath

    # Its place in the document, such as "users[3].name"; empty for the document's root, nil outside of a document.
    attr_reader :path

    def initialize(serializer, name, object, path = nil, reason = nil)
      @path = path && Path.join(path)
      klass = Source.class_of(object)
      owner = klass <= Hash ? "the Hash" : klass
      super("#{serializer} declares #{name}, but #{owner} has #{reason || "no such column, method or key"}." \
            "#{NearestName.hint(name, known(object, klass))}")
    end

    private

    def known(object, klass)
      return object.keys if klass <= Hash
      return klass.attribute_names if klass.respond_to?(:attribute_names)

      Source.responds?(object, :public_methods) ? object.public_methods(false) : klass.public_instance_methods(false)
    end
  end
end
