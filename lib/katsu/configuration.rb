# frozen_string_literal: true

module Katsu
  # The settings of all documents; see Katsu.configure.
  class Configuration
    ON_LAZY_LOAD = %i[allow log raise].freeze

    # What happens when a method field makes a query: :allow, :log or :raise.
    attr_reader :on_lazy_load

    # Sets how keys are written by all serializers that do not say it themselves. given: as
    # Serializer::Views#transform_keys takes it; ArgumentError for anything else.
    def transform_keys=(given)
      Serializer::KeyTransform.default = given
    end

    # The rule of keys for all serializers, as it was set; nil if it was not.
    def transform_keys
      Serializer::KeyTransform.default
    end

    # The store of cached serializers that do not name one, or a callable that returns it; nil for Rails.cache.
    attr_reader :cache_store

    # Sets that store. given: an object with read_multi and write_multi, or a callable; ArgumentError for anything else.
    def cache_store=(given)
      @cache_store = Serializer::CacheRule.check_store("Katsu.configure: cache_store =", given)
    end

    # Every lazy load is allowed until it is set.
    def initialize
      @on_lazy_load = :allow
    end

    # Sets what happens when a method field makes a query. given: :allow, :log or :raise; ArgumentError for anything
    # else.
    def on_lazy_load=(given)
      unless ON_LAZY_LOAD.include?(given)
        raise ArgumentError, "Katsu.configure: on_lazy_load = #{given.inspect}; accepted are " \
                             "#{ON_LAZY_LOAD.map(&:inspect).join(", ")}.#{NearestName.hint(given, ON_LAZY_LOAD)}"
      end

      Query::LazyLoads.listen unless given == :allow
      @on_lazy_load = given
    end
  end

  @config = Configuration.new

  class << self
    # The Configuration.
    attr_reader :config

    # Yields the Configuration to change the settings, and returns it:
    #
    #   Katsu.configure { |config| config.on_lazy_load = :raise }
    def configure
      yield @config
      @config
    end
  end
end
