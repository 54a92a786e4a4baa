# frozen_string_literal: true

module Katsu
  class Serializer
    # The words for what a serializer writes in one place, and for how its keys are written.
    module Views
      # Says how the keys of this class and its subclasses are written. kind, or the block: :lower_camel, :camel, :dash,
      # :none, or a callable that takes the declared key. Of associations only those that are declared in place follow.
      # Filters keep the declared names. Returns nil. Raises ArgumentError.
      #
      #   transform_keys :lower_camel   # created_at is written as createdAt
      def transform_keys(kind = nil, &block)
        refuse_in_view("transform_keys")
        refuse_word("transform_keys takes a kind or a block") unless kind.nil? ^ block.nil?
        kind = KeyTransform.checked(self, kind || block)
        KeyTransform.check_declared(self, kind)
        @key_transform = kind
        forget_plans
        nil
      end

      # Declares what new(view: name) and has_one(..., view: name) write, after what the class itself declares: the
      # words of the block. A view may be opened again, in a subclass too. Returns the name. Raises ArgumentError.
      #
      #   view :index do
      #     attributes :title
      #     include_view :minimal
      #     exclude :body
      #   end
      def view(name, &block)
        name = Names.check(self, "view", name)
        refuse_word("view #{name.inspect} takes a block, such as view(#{name.inspect}) { attributes :id }") unless block
        refuse_word("view #{name.inspect} stands in view #{@in_view.inspect}; #{taking_over(name)}") if @in_view
        add_to_view(name, [])
        within_view(name, block)
        name
      end

      # Takes over what the views of those names declare; stands in a view. Returns the names. Raises ArgumentError.
      def include_view(*names)
        in_view_only("include_view", names) { |name| Description::Inclusion.new(name).freeze }
      end

      # Leaves out what the class, or what stands before in the view, declares under those names; stands in a view.
      # Returns the names. Raises ArgumentError.
      def exclude(*names)
        in_view_only("exclude", names) { |name| Description::Exclusion.new(name).freeze }
      end

      private

      # A view within it is refused before it comes here.
      def within_view(name, block)
        @in_view = name
        class_exec(&block)
      ensure
        @in_view = nil
      end

      def in_view_only(word, names)
        refuse_word("#{word} stands in a view, such as view(:index) { #{word} :a }") unless @in_view
        refuse_word("#{word} has no names") if names.empty?
        names = names.map { |name| Names.check(self, word, name) }
        add_to_view(@in_view, names.map { |name| yield name })
        names
      end

      # What a word says for the whole class is no part of a view.
      def refuse_in_view(word)
        refuse_word("#{word} is for the whole class and stands outside of view #{@in_view.inspect}") if @in_view
      end

      def taking_over(name)
        "include_view #{name.inspect} takes over another view"
      end

      def add_to_view(name, declared)
        @own_views = {**own_views, name => [*own_views[name], *declared].freeze}.freeze
        forget_plans
      end
    end
  end
end
