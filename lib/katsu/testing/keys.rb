# frozen_string_literal: true

module Katsu
  module Testing
    # The keys that a serializer writes, as a list: ["id", "title", {"author" => ["id", "name"]}].
    module Keys
      class << self
        # Those of a serializer class; nothing is written. options: only:, except:, view:, transform_keys:, context:,
        # scope:. Of a polymorphic association, and of a serializer within itself, there is the key alone.
        def of(serializer, options = {})
          unless serializer.is_a?(Class) && serializer < Serializer
            raise ArgumentError, "Katsu::Testing: #{serializer.inspect} is no subclass of Katsu::Serializer"
          end

          Serializer::Keywords.check(serializer, options, Serializer::Keywords::FILTERS)
          form = Serializer::Form.of(serializer, options)
          of_plan(form.plan(*options.values_at(:only, :except, :context, :scope)), [])
        end

        # A list of names, or one, or a Hash of them by association, as a list of such keys. Raises ArgumentError for
        # anything else.
        def listed(names)
          (names.is_a?(::Hash) ? [names] : Array(names)).flat_map do |name|
            case name
            when ::Hash then name.map { |key, inner| {key.to_s => listed(inner)} }
            when ::Symbol, ::String then [name.to_s]
            else
              raise ArgumentError, "Katsu::Testing: #{name.inspect} is no name of a key; accepted are Symbols and " \
                                   "Strings, and a Hash for associations, such as [:id, {author: [:name]}]"
            end
          end
        end

        # The same as an object by key, for Difference.
        def tree(list)
          list.to_h { |entry| entry.is_a?(::Hash) ? [entry.keys[0], tree(entry.values[0])] : [entry, true] }
        end

        private

        def of_plan(plan, outer)
          plan.steps.map do |step|
            nested = step.plan.is_a?(Plan) && !outer.include?(step.plan) && !plan.equal?(step.plan)
            nested ? {step.key => of_plan(step.plan, [*outer, plan])} : step.key
          end
        end
      end
    end
  end
end
