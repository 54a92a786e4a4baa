# frozen_string_literal: true

module Katsu
  class Serializer
    # The word cache.
    module Caching
      # Keeps the JSON of this class's records, and of its subclasses', in a store, under a key of the record's version
      # and of all that the JSON depends on; see docs/caching.md. given: false ends it for a subclass. expires_in:
      # seconds. vary: a callable that takes the context (and is run in the serializer) or the name of a method, for
      # what the JSON depends on besides: a value or a record; nil if it is the same for every context and scope. store:
      # an object with read_multi and write_multi, or a callable that returns one; otherwise that of Katsu.configure, or
      # Rails.cache. touch: the associations of which each change changes updated_at of the record, or true for all.
      #
      # What a subclass does not say again is as its parent says it.
      #
      #   cache expires_in: 10.minutes, vary: ->(context) { context[:role] }
      #   cache false   # of a subclass: nothing is kept
      #
      # Returns nil. Raises ArgumentError.
      def cache(given = true, **options)
        refuse_in_view("cache")
        unless given == true || (given == false && options.empty?)
          refuse_word("cache takes expires_in:, vary:, store: and touch:, or false")
        end
        parent = superclass.cache_rule if superclass.respond_to?(:cache_rule)
        @cache_rule = given && CacheRule.of(self, options, parent)
        forget_plans
        nil
      end

      # The CacheRule of this class or of its parents; nil or false for none.
      def cache_rule
        return @cache_rule if defined?(@cache_rule)

        superclass.cache_rule if superclass.respond_to?(:cache_rule)
      end
    end
  end
end
