# frozen_string_literal: true

module Katsu
  # Raised for an attribute that a serializer declares and the object does not have.
  class UnknownAttributeError < Error
    def initialize(serializer, name, object, path = [], reason = nil)
      owner = object.is_a?(Hash) ? "the Hash" : object.class
      where = path.empty? ? "" : " at #{Path.join(path)}"
      super("#{serializer} declares #{name}, but #{owner} has #{reason || "no such column, method or key"}#{where}." \
            "#{NearestName.hint(name, known(object))}")
    end

    private

    def known(object)
      return object.keys if object.is_a?(Hash)
      return object.class.attribute_names if object.class.respond_to?(:attribute_names)

      object.public_methods(false)
    end
  end
end
