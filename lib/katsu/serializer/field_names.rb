# frozen_string_literal: true

module Katsu
  class Serializer
    # The fields of a serializer, or of those of a polymorphic association, by the names that a client knows: the
    # declared one, and the key that is written.
    class FieldNames
      # names: what filters call it; written: the key as transform_keys of the class writes it.
      Field = Struct.new(:names, :written, :association)
      private_constant :Field

      # The block gives the serializers; it is called if a name is no declared one.
      def initialize(&serializers)
        @serializers = serializers
      end

      # The one of names, Symbols, that text means, or nil. A declared name means its field, whatever is written under
      # that key.
      def find(text, names)
        found = names.find { |name| name.name == text } # no Symbols are made of what a client sends
        return found if found

        field = fields.find { |one| one.names.include?(text) } || fields.find { |one| one.written == text }
        names.find { |name| field.names.include?(name.name) } if field
      end

      # The FieldNames of what the association of that name writes.
      def within(name)
        @within ||= {}
        @within[name] ||= FieldNames.new do
          associations_of(name).flat_map { |association| serializers_of(association) }
        end
      end

      private

      def fields
        @fields ||= @serializers.call.flat_map do |serializer|
          declared(serializer).map { |one| field(serializer, one) }
        end
      end

      # In views too: which of them is written is not known yet.
      def declared(serializer)
        description = serializer.description
        all = [description.attributes.values, description.associations.values, description.views.values].flatten
        all.select { |one| Attribute === one || Association === one }
      end

      def field(serializer, declared)
        association = declared if Association === declared
        Field.new([*association&.name&.name, declared.key], KeyTransform.key_of(serializer, declared.key), association)
      end

      def associations_of(name)
        fields.filter_map { |field| field.association if field.names.include?(name.name) }
      end

      def serializers_of(association)
        given = association.serializer
        (given.is_a?(Hash) ? given.values : [given]).map { |one| Resolver.resolve(association, one) }
      end
    end
  end
end
