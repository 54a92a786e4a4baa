# frozen_string_literal: true

module Katsu
  module Query
    class Explanation
      # The associations that a relation loads itself when it makes records.
      class Loads
        # Their paths: of those that are joined (eager_load), and of those that ActiveRecord's preloader reads.
        attr_reader :joined, :preloaded

        # relation: one of which records are made, or nil.
        def initialize(relation)
          @relation = relation
          joined, preloaded = relation ? names : [[], []]
          @joined = paths(joined)
          @preloaded = paths(preloaded) - @joined
        end

        # True if ActiveRecord reads the keys of the records first: a limit does not count the rows of a join.
        def keys_first?
          return false unless @relation&.eager_loading? && @relation.has_limit_or_offset?
          return false unless @relation.group_values.empty?

          joins = (@relation.joins_values + @relation.left_outer_joins_values).grep_v(::String)
          collection?(@relation.klass, names[0]) || collection?(@relation.klass, joins)
        end

        private

        def names
          preload, includes = @relation.preload_values, @relation.includes_values
          @relation.eager_loading? ? [@relation.eager_load_values | includes, preload] : [[], preload | includes]
        end

        # names: as includes takes them.
        def paths(names, path = [])
          pairs(names).flat_map { |name, below| [[*path, name].join("."), *paths(below, [*path, name])] }
        end

        def collection?(model, names)
          pairs(names).any? do |name, below|
            reflection = Reflections.of(model, name)
            next false if reflection.nil? || Reflections.polymorphic?(reflection)

            reflection.collection? || collection?(reflection.klass, below)
          end
        end

        # Each name with what is below it.
        def pairs(names)
          case names
          when ::Hash then names.to_a
          when ::Array then names.flat_map { |name| pairs(name) }
          when ::String, ::Symbol then [[names, nil]]
          else []
          end
        end
      end
      private_constant :Loads
    end
  end
end
