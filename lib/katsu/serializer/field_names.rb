# frozen_string_literal: true

module Katsu
  class Serializer
    # The fields of a serializer, or of those of a polymorphic association, by the names that a client knows: the
    # declared one, and the key that is written.
    class FieldNames
      # names: what filters call it; written: the key as transform_keys of the class writes it.
      Field = Struct.new(:names, :written)
      private_constant :Field

      # The serializer classes, or their forms in a view.
      attr_reader :forms

      def initialize(forms)
        @forms = forms
      end

      # True if one of the serializers declares the name, a Symbol.
      def name?(name)
        @forms.any? { |form| form.description.name?(name) }
      end

      # The first of the serializers of which the name is no association but an attribute, or nil.
      def with_attribute(name)
        @forms.find { |form| form.description.name?(name) && !form.description.association?(name) }
      end

      # The one of names, Symbols, that text means, or nil. A declared name means its field, whatever is written under
      # that key.
      def find(text, names)
        found = names.find { |name| name.name == text } # no Symbols are made of what a client sends
        return found if found

        field = fields.find { |one| one.names.include?(text) } || fields.find { |one| one.written == text }
        names.find { |name| field.names.include?(name.name) } if field
      end

      # The keys that are written for names, Strings. A name that none of the serializers declares is a key.
      def written(names)
        names.flat_map do |name|
          keys = fields.select { |field| field.names.include?(name) }.map(&:written)
          keys.empty? ? name : keys
        end
      end

      # True if a field has that name or is written so. text: a String.
      def known?(text)
        fields.any? { |field| field.written == text || field.names.include?(text) }
      end

      # The FieldNames of what the association of that name writes; of no serializer if there is no such association.
      # Raises SerializerNotFoundError.
      def within(name)
        @within ||= {}
        @within[name] ||= FieldNames.new(@forms.flat_map { |form| forms_within(form, name) })
      end

      private

      def fields
        @fields ||= @forms.flat_map do |form|
          description = form.description
          attributes = description.attributes.each_value.map { |one| field(form, one, [one.key]) }
          attributes + description.associations.each_value.map do |one|
            field(form, one, description.filter_names(one).map(&:name))
          end
        end
      end

      def field(form, declared, names)
        Field.new(names, KeyTransform.key_of(form, declared.key))
      end

      def forms_within(form, name)
        description = form.description
        named = description.associations.each_value.select { |one| description.filter_names(one).include?(name) }
        named.flat_map do |association|
          given = association.serializer
          (given.is_a?(Hash) ? given.values : [given]).map do |one|
            Resolver.resolve(association, one).form_within(form, association.view)
          end
        end
      end
    end
  end
end
