# frozen_string_literal: true

module Katsu
  class Serializer
    # The forms of a serializer class: found, or made.
    module Forms
      LIMIT = 64
      private_constant :LIMIT

      # That of this class or of its parents, or nil.
      def key_transform
        @key_transform || (superclass.key_transform if superclass.respond_to?(:key_transform))
      end

      # The Form for a view and a transform of keys, of which one may be nil; this class if both are. Raises
      # ArgumentError.
      def form(view, key_transform = nil)
        return self if view.nil? && key_transform.nil?

        forms = (Ractors.main? ? @forms : Ractors.local(:katsu_forms)[self]) || {}
        forms[[view, key_transform]] || keep_form(forms, view, key_transform)
      end

      # Views by name: what this class declares in them.
      def own_views
        @own_views || {}.freeze
      end

      private

      def keep_form(forms, view, key_transform)
        view = checked_view(view)
        found = forms[[view, key_transform]] # a view may be named by a String
        return found if found

        form = Form.new(self, view, KeyTransform.checked(self, key_transform))
        # Nested serializers look for a form with this form's transform. On Ruby 4.0 that is a copy of what was given,
        # if Ractors can share it.
        added = {[view, key_transform] => form, [view, form.given_transform] => form}
        forms = forms.size < LIMIT ? {**forms, **added}.freeze : added.freeze
        Ractors.main? ? @forms = forms : Ractors.local(:katsu_forms)[self] = forms
        form
      end

      def checked_view(given)
        return if given.nil?

        known = description.views.keys
        named = given.is_a?(Symbol) || given.is_a?(String)
        return given.to_sym if named && known.any? { |name| name.name == given.to_s }

        there = "there are #{known.map(&:inspect).join(", ")}.#{NearestName.hint(given.to_s, known)}"
        raise ArgumentError, "#{self} has no view #{given.inspect}; #{known.empty? ? "it declares no views" : there}"
      end

      def forget_own_forms
        @forms = nil
      end
    end
  end
end
