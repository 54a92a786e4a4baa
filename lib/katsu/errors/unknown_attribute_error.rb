# frozen_string_literal: true

module Katsu
  # Raised for an attribute that a serializer declares and the object does not have.
  class UnknownAttributeError < Error
    def initialize(serializer, name, object, path = [], reason = nil)
      owner = Hash === object ? "the Hash" : Source.class_of(object)
      where = path.empty? ? "" : " at #{Path.join(path)}"
      super("#{serializer} declares #{name}, but #{owner} has #{reason || "no such column, method or key"}#{where}." \
            "#{NearestName.hint(name, known(object))}")
    end

    private

    def known(object)
      return object.keys if Hash === object

      klass = Source.class_of(object)
      return klass.attribute_names if klass.respond_to?(:attribute_names)

      Object === object ? object.public_methods(false) : klass.public_instance_methods(false)
    end
  end
end
