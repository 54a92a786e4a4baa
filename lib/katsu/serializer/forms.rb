# frozen_string_literal: true

module Katsu
  class Serializer
    # The forms of a serializer class, and the words that declare them.
    module Forms
      LIMIT = 64
      private_constant :LIMIT

      # How the keys of this class and its subclasses are written: :lower_camel, :camel, :dash, :none, or a callable that takes
      # the declared key. Of associations only those that are declared in place follow. Filters keep the declared names.
      #
      #   transform_keys :lower_camel   # created_at is written as createdAt
      def transform_keys(kind = nil, &block)
        refuse_word("transform_keys takes a kind or a block") unless kind.nil? ^ block.nil?
        @key_transform = KeyTransform.checked(self, kind || block)
        forget_plans
      end

      # That of this class or of its parents, or nil.
      def key_transform
        @key_transform || (superclass.key_transform if superclass.respond_to?(:key_transform))
      end

      # Declarations for new(view: name) and has_one(..., view: name): they come after those of the class itself. A view may be
      # opened again, in a subclass too.
      #
      #   view :index do
      #     attributes :title
      #     include_view :minimal
      #     exclude :body
      #   end
      def view(name, &block)
        name = Names.check(self, "view", name)
        refuse_word("view #{name.inspect} takes a block, such as view(#{name.inspect}) { attributes :id }") unless block
        refuse_word("view #{name.inspect} stands in view #{@in_view.inspect}; include_view #{name.inspect} takes over another view") if @in_view
        @in_view = name
        add_to_view(name, [])
        class_exec(&block)
        name
      ensure
        @in_view = nil
      end

      # In a view: what those views declare, too.
      def include_view(*names)
        in_view_only("include_view", names) { |name| Description::Inclusion.new(name) }
      end

      # In a view: leaves out what the class, or what stands before in the view, declares.
      def exclude(*names)
        in_view_only("exclude", names) { |name| Description::Exclusion.new(name) }
      end

      # The Form for a view and a transform of keys, of which one may be nil; this class if both are. Raises ArgumentError.
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
        forms = forms.size < LIMIT ? {**forms, [view, key_transform] => form}.freeze : {}.freeze
        Ractors.main? ? @forms = forms : Ractors.local(:katsu_forms)[self] = forms
        form
      end

      def checked_view(given)
        return if given.nil?

        known = description.views.keys
        return given.to_sym if (given.is_a?(Symbol) || given.is_a?(String)) && known.any? { |name| name.name == given.to_s }

        there = known.empty? ? "it declares no views" : "there are #{known.map(&:inspect).join(", ")}.#{NearestName.hint(given.to_s, known)}"
        raise ArgumentError, "#{self} has no view #{given.inspect}; #{there}"
      end

      def in_view_only(word, names)
        refuse_word("#{word} stands in a view, such as view(:index) { #{word} :a }") unless @in_view
        refuse_word("#{word} has no names") if names.empty?
        add_to_view(@in_view, names.map { |name| yield Names.check(self, word, name) })
      end

      def add_to_view(name, declared)
        @own_views = {**own_views, name => [*own_views[name], *declared].freeze}.freeze
        forget_plans
      end

      def forget_own_forms
        @forms = nil
      end
    end
  end
end
