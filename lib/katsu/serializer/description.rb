# frozen_string_literal: true

module Katsu
  class Serializer
    # What a serializer class and its parents declared; immutable. A declaration of a class replaces that of a parent with the
    # same key, in its place if both are attributes or both are associations.
    class Description
      attr_reader :attributes, :associations

      EMPTY_HASH = {}.freeze
      private_constant :EMPTY_HASH

      # attributes, associations: Hashes of what is declared by its key in JSON. moved: the names of attributes whose methods were
      # defined after them.
      def initialize(attributes = EMPTY_HASH, associations = EMPTY_HASH, moved = EMPTY_HASH)
        @attributes = attributes.freeze
        @associations = associations.freeze
        @moved = moved.freeze
        freeze
      end

      # Also of an Attribute or an Association.
      def with(declared)
        added = {declared.key => declared}
        return Description.new(@attributes.merge(added), @associations.except(declared.key), @moved) if declared.is_a?(Attribute)

        Description.new(@attributes.except(declared.key), @associations.merge(added), @moved)
      end

      # The serializer has defined a method: the attributes of that name stand where it is defined.
      def with_method(name)
        return self if @moved.key?(name)

        moving, others = @attributes.partition { |_, attribute| attribute.name == name && attribute.call.nil? }
        moving.empty? ? self : Description.new((others + moving).to_h, @associations, {**@moved, name => true})
      end

      # True where attributes of that name were declared before a method of that name.
      def moved?(name)
        @moved.key?(name)
      end

      # True where an attribute or association is read by that name.
      def reads?(name)
        [@attributes, @associations].any? { |declared| declared.each_value.any? { |one| one.name == name } }
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
