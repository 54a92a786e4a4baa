# frozen_string_literal: true

module Katsu
  module Rails
    # rails 'katsu:explain[PostSerializer]': how many reads the records of a model.
    module ExplainTask
      class << self
        # The text. serializer, model, view: names; without a model that of the serializer's name. Raises ArgumentError
        # for names that are none.
        def call(serializer, model = nil, view = nil)
          found = serializer(serializer)
          options = view ? {view: view} : {}
          found.many(model(found, model).all, options).explain.to_s
        end

        private

        def serializer(name)
          refuse("which serializer? rails 'katsu:explain[PostSerializer]'") if name.to_s.empty?

          found = name.safe_constantize
          return found if found.is_a?(Class) && found < Serializer

          ::Rails.application.eager_load!
          known = Serializer.all_subclasses.filter_map(&:name)
          refuse("there is no serializer #{name}.#{NearestName.hint(name, known)}")
        end

        # PostSerializer and Api::PostSerializer are of Post, unless there is an Api::Post.
        def model(serializer, given)
          names = given ? [given] : candidates(serializer)
          found = names.lazy.map(&:safe_constantize).find { |one| one.is_a?(Class) && one < ::ActiveRecord::Base }
          found || refuse("there is no model #{names.join(" or ")}; name it: " \
                          "rails 'katsu:explain[#{serializer},Post]'")
        end

        def candidates(serializer)
          parts = serializer.name.delete_suffix("Serializer").split("::")
          parts.each_index.map { |index| parts.drop(index).join("::") }
        end

        def refuse(message)
          raise ArgumentError, "katsu:explain: #{message}"
        end
      end
    end
  end
end
