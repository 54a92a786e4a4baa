# frozen_string_literal: true

module Katsu
  class Serializer
    # What a serializer class and its parents declared; immutable. A later declaration of the same key
    # replaces the earlier one in its place.
    class Description
      attr_reader :attributes, :associations

      EMPTY_HASH = {}.freeze
      private_constant :EMPTY_HASH

      # attributes, associations: Hashes of what is declared by its key in JSON.
      def initialize(attributes = EMPTY_HASH, associations = EMPTY_HASH)
        @attributes = attributes.freeze
        @associations = associations.freeze
        freeze
      end

      # Declared again, a method field stays one.
      def with_attribute(attribute)
        before = @attributes[attribute.key]
        attribute = attribute.as_method if before&.kind == :method && before.name == attribute.name && attribute.kind == :attribute
        Description.new(@attributes.merge(attribute.key => attribute), @associations)
      end

      # The serializer has defined a method: the attributes of that name are method fields from now on.
      def with_method(name)
        taken = @attributes.each_value.select { |attribute| attribute.name == name && attribute.kind == :attribute }
        return self if taken.empty?

        others = @attributes.reject { |_, attribute| taken.include?(attribute) }
        Description.new(others.merge(taken.to_h { |attribute| [attribute.key, attribute.as_method] }), @associations)
      end

      def with_association(association)
        Description.new(@attributes, @associations.merge(association.key => association))
      end

      # The names that filters may use.
      def names
        @attributes.keys.map(&:to_sym) + @associations.values.map(&:name)
      end

      # True where filters may use that name: an attribute's key, or an association's.
      def name?(name)
        @attributes.key?(name.to_s) || association?(name)
      end

      # True where an association has that name, or that key.
      def association?(name)
        @associations.key?(name.to_s) || @associations.each_value.any? { |association| association.name.name == name.to_s }
      end
    end
  end
end
