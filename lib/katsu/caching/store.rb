# frozen_string_literal: true

module Katsu
  module Caching
    # A store during one call. If it raises, the call goes on without it, and the log says so once. If it is in a
    # database, its queries are no lazy loads.
    class Store
      NONE = {}.freeze
      private_constant :NONE

      # rule: the Serializer::CacheRule. expires_in: seconds, or nil. Raises Error if there is no store.
      def initialize(serializer, rule, expires_in)
        @serializer = serializer
        @options = expires_in ? {expires_in: expires_in} : NONE
        given = rule.store || Katsu.config.cache_store
        given = given.call if given.respond_to?(:call) && !Serializer::CacheRule.store?(given)
        @store = given || rails || refuse_none
        refuse(@store) unless Serializer::CacheRule.store?(@store)
      end

      # The texts that are there, by their keys.
      def read(keys)
        return NONE if keys.empty? || @failed

        found = Query::LazyLoads.pause { @store.read_multi(*keys) }
        found.is_a?(Hash) ? found : NONE
      rescue StandardError => e
        failed(e)
        NONE
      end

      # Keeps texts, {key => text}.
      def write(texts)
        return if texts.empty? || @failed

        Query::LazyLoads.pause { @store.write_multi(texts, **@options) }
      rescue StandardError => e
        failed(e)
      end

      private

      def rails
        ::Rails.cache if defined?(::Rails) && ::Rails.respond_to?(:cache)
      end

      def failed(error)
        @failed = true
        Caching.say("#{@serializer}: its records are written without the cache: #{error.class}: #{error.message}")
      end

      def refuse_none
        raise Error, "#{@serializer} is cached and there is no store; name one: cache store: ..., or " \
                     "Katsu.configure { |config| config.cache_store = ActiveSupport::Cache::MemoryStore.new }"
      end

      def refuse(given)
        raise Error, "#{@serializer}: cache, store: gave a #{given.class}; #{Serializer::CacheRule::ACCEPTED_STORE}"
      end
    end
  end
end
