# frozen_string_literal: true

require "digest"
require_relative "caching/failures"
require_relative "caching/hits"
require_relative "caching/store"
require_relative "caching/rules"
require_relative "caching/shape"
require_relative "caching/keys"
require_relative "caching/call"

module Katsu
  # The JSON of records that is kept in a store, for serializers that declare `cache`.
  module Caching
    LIMIT = 256
    private_constant :LIMIT

    @uncached = BoundedCache.new(LIMIT)
    @told = {}
    @lock = Mutex.new

    class << self
      # The plan that writes the same without a store.
      def uncached(plan)
        return plan unless plan.is_a?(Plan::Cached)

        @lock.synchronize { @uncached[plan] ||= Plan.new(plan.serializer, plan.steps) }
      end

      # The plan, or the same without a store if this context and scope cannot be cached.
      def plan_for(plan, context, scope)
        return plan if !plan.is_a?(Plan::Cached) || usable?(plan.serializer, context, scope)

        Ractors.main? ? uncached(plan) : plan # which uses no store in another Ractor
      end

      # False in Ractors other than the main one, without ActiveRecord, whose records are what is kept, and if the JSON
      # may depend on a context or scope that is in no key.
      def usable?(serializer, context, scope)
        return false unless Ractors.main? && defined?(::ActiveRecord::Base)
        # Not by nil?, which is true of a null object.
        return true if (nil == context && nil == scope) || serializer.cache_rule.varies?

        tell_once(serializer, nil == context ? "scope" : "context")
        false
      end

      # Logs a line, as a warning.
      def say(line)
        logger = ::Rails.logger if defined?(::Rails) && ::Rails.respond_to?(:logger)
        logger ||= ::ActiveRecord::Base.logger if defined?(::ActiveRecord::Base)
        logger ? logger.warn("katsu: #{line}") : warn("katsu: #{line}")
      end

      # Forgets the classes of before, as they are loaded again.
      def forget
        @lock.synchronize do
          @uncached = BoundedCache.new(LIMIT)
          @told.clear
        end
        Rules.forget
        Shape.forget
      end

      private

      def tell_once(serializer, given)
        first = @lock.synchronize { !@told[serializer.to_s] && (@told[serializer.to_s] = true) }
        return unless first

        say("#{serializer}: its records are written without the cache, as a #{given} is given and no vary:; " \
            "say what of it the JSON depends on: cache vary: ->(context) { ... }, or vary: nil if nothing does")
      end
    end
  end
end
