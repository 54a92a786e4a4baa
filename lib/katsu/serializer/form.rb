# frozen_string_literal: true

module Katsu
  class Serializer
    # A serializer class in one of its views, or with its keys written in another way than it declares: new(view:
    # :index), new(transform_keys: :camel). It stands for the class when plans are found and compiled, and keeps plans
    # of its own.
    class Form
      include Plans

      # serializer: the class; view: a Symbol, or nil; key_transform: see KeyTransform, nil for that of the class.
      attr_reader :serializer, :view

      class << self
        # The serializer, or its form if options, a Hash, say so. Raises ArgumentError.
        def of(serializer, options)
          return serializer unless options.key?(:view) || options.key?(:transform_keys)

          serializer.form(options[:view], options[:transform_keys])
        end

        # The class that a form is of.
        def class_of(form)
          form.is_a?(Form) ? form.serializer : form
        end
      end

      # given: false if key_transform was not given for the whole document.
      def initialize(serializer, view, key_transform, given)
        @serializer = serializer
        @view = view
        @key_transform = key_transform
        @given_transform = key_transform if given
      end

      # What was given for the whole document, or nil.
      attr_reader :given_transform

      def key_transform
        @key_transform || @serializer.key_transform
      end

      # Made again when the class has changed: another Ractor or thread may still use this object.
      def description
        whole = @serializer.description
        return whole unless @view

        described, description = @description
        return description if described.equal?(whole)

        description = whole.in_view(@serializer, @view)
        @description = [whole, description].freeze
        description
      end

      # False for filters_for if the class has none, which may change.
      def respond_to?(name, all = false)
        super && (name != :filters_for || Filters.of_class?(@serializer))
      end

      def filters_for(context, scope)
        @serializer.__send__(:filters_for, context, scope)
      end

      def to_s
        @view ? "#{@serializer} (view #{@view.inspect})" : @serializer.to_s
      end
      alias inspect to_s
    end
  end
end
