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

      def initialize(serializer, view, key_transform)
        @serializer = serializer
        @view = view
        @given_transform = key_transform
        extend(Contextual) if Filters.of_class?(serializer)
      end

      # What was given for the whole document, or nil.
      attr_reader :given_transform

      def key_transform
        @given_transform || @serializer.key_transform
      end

      def description
        @description ||= @view ? @serializer.description.in_view(@serializer, @view) : @serializer.description
      end

      def to_s
        @view ? "#{@serializer} (view #{@view.inspect})" : @serializer.to_s
      end
      alias inspect to_s

      # Of a class that has filters_for.
      module Contextual
        def filters_for(context, scope)
          @serializer.__send__(:filters_for, context, scope)
        end
      end
      private_constant :Contextual
    end
  end
end
