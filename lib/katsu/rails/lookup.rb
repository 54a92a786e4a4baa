# frozen_string_literal: true

module Katsu
  module Rails
    # Finds the serializer of what is rendered by the name of its model: PostSerializer for a Post and for its relations
    # and Arrays, first in the namespaces of the controller. A subclass without a serializer of its own has that of its
    # parent.
    module Lookup
      class << self
        # nil if the value is no record, or holds what is none, or a record has no such class. Raises ArgumentError for
        # records of several serializers.
        def serializer(controller, value)
          found = models(value).map { |model| of_model(controller, model) }.uniq
          return if found.include?(nil)
          return found.first if found.size <= 1

          raise ArgumentError, "render json: records of several serializers (#{found.map(&:inspect).join(", ")}); " \
                               "name them by each_serializer:"
        end

        private

        def models(value)
          return [] unless defined?(::ActiveRecord::Base)
          return [value.klass] if value.is_a?(::ActiveRecord::Relation)
          return [value.class] if value.is_a?(::ActiveRecord::Base)

          value.is_a?(Array) && value.all?(::ActiveRecord::Base) ? value.map(&:class).uniq : []
        end

        def of_model(controller, model)
          while model.name && model < ::ActiveRecord::Base
            found = by_name(controller, model)
            return found if found

            model = model.superclass
          end
        end

        def by_name(controller, model)
          namespaces = controller.name.to_s.split("::")[0...-1]
          namespaces.size.downto(0) do |count|
            found = name_in(namespaces.first(count), model.name.split("::")).safe_constantize
            return found if found.is_a?(Class) && found < Serializer
          end
          nil
        end

        # Blog::Admin::PostSerializer for a Blog::Post in Blog::Admin: the namespace that both are in is named once.
        def name_in(namespaces, model)
          shared = namespaces.zip(model[0...-1]).take_while { |one, other| one == other }.size
          "#{[*namespaces, *model.drop(shared)].join("::")}Serializer"
        end
      end
    end
  end
end
