# frozen_string_literal: true

module Katsu
  class Serializer
    # The forms of a serializer class: found, or made.
    module Forms
      # At most so many forms are kept, and more for each view: a call may make its transform of keys anew.
      LIMIT = 64
      OF_A_VIEW = 8
      private_constant :LIMIT, :OF_A_VIEW

      # That of this class or of its parents, or nil.
      def key_transform
        @key_transform || (superclass.key_transform if superclass.respond_to?(:key_transform))
      end

      # See Form.
      def given_transform = nil

      # The Form for an association of outer, a serializer class or a form. An association says the view of its
      # serializer; how keys are written is said for the whole document.
      def form_within(outer, view)
        form(view, outer.given_transform)
      end

      # The Form for a view and a transform of keys, of which one may be nil; this class if both are. given: see Form.
      # Raises ArgumentError.
      def form(view, key_transform = nil, given: true)
        return self if view.nil? && key_transform.nil?

        forms = (Ractors.main? ? @forms : Ractors.local(:katsu_forms)[self]) || {}
        forms[form_key(view, key_transform, given)] || keep_form(forms, view, key_transform, given)
      end

      # Views by name: what this class declares in them.
      def own_views
        @own_views || {}.freeze
      end

      private

      def form_key(view, key_transform, given)
        given ? [view, key_transform] : [view, key_transform, given]
      end

      def keep_form(forms, view, key_transform, given)
        view = checked_view(view)
        found = forms[form_key(view, key_transform, given)] # a view may be named by a String
        return found if found

        transform = KeyTransform.checked(self, key_transform)
        form = new_form(view, transform, given)
        # Nested serializers look for a form with this form's transform. On Ruby 4.0 that is a copy of what was given,
        # if Ractors can share it.
        added = [key_transform, transform].to_h { |one| [form_key(view, one, given), form] }
        forms = forms.size < LIMIT + (OF_A_VIEW * description.views.size) ? {**forms, **added}.freeze : added.freeze
        Ractors.main? ? @forms = forms : Ractors.local(:katsu_forms)[self] = forms
        form
      end

      def new_form(view, transform, given) = Form.new(self, view, transform, given)

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
