# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Where a plan keeps what Codegen made for it. A Module, as that is the one object that changes and that Ractors may share;
      # what other Ractors than the first generate they keep to themselves.
      class Cache < Module
        # A plan keeps no class, where Ruby has a Hash for that: so many otherwise, and other Ractors so many plans.
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
