# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Keeps what Codegen made for a plan. A Module, the only mutable object that Ractors may share; what Ractors other
      # than the main one generate they keep to themselves.
      class CompiledCodes < Module
        # Limits: of a plan's classes if the keys are not weak, and of plans in Ractors other than the main one.
        CLASSES = 128
        PLANS = 1024

        # {class of objects => CompiledCode}, for klass. Each change of a model makes other classes of row objects, and
        # their code refers to them, so that weak keys would keep them.
        def by_class(klass)
          return @of_rows ||= BoundedCache.new(CLASSES) if klass <= Query::Row
          return @by_class ||= new_table if Ractors.main?

          kept = Ractors.local(:katsu_compiled_codes)[:kept] ||= BoundedCache.new(PLANS)
          kept[self] ||= new_table
        end

        private

        def new_table
          defined?(::ObjectSpace::WeakKeyMap) ? ::ObjectSpace::WeakKeyMap.new : BoundedCache.new(CLASSES)
        end
      end
    end
  end
end
