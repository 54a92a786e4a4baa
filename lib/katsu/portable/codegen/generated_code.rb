# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Keeps what Codegen made for a plan. A Module, the only mutable object that Ractors may share; what Ractors other
      # than the main one generate they keep to themselves.
      class GeneratedCode < Module
        # Limits: of classes for a plan if Ruby has no Hash with weak keys, and of plans in Ractors other than the main
        # one.
        CLASSES = 128
        PLANS = 1024

        # The Writers of the plan's objects by their class.
        def writers
          return @writers ||= by_class if Ractors.main?

          kept = Ractors.local(:katsu_writers)[:writers] ||= BoundedCache.new(PLANS)
          kept[self] ||= by_class
        end

        private

        def by_class
          defined?(::ObjectSpace::WeakKeyMap) ? ::ObjectSpace::WeakKeyMap.new : BoundedCache.new(CLASSES)
        end
      end
    end
  end
end
