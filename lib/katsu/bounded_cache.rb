# frozen_string_literal: true

module Katsu
  # A Hash that keeps the pairs used last: at least limit of them, at most twice as many. Forgetting the oldest takes no
  # time.
  class BoundedCache
    # identity: whether keys are compared by identity.
    def initialize(limit, identity: true)
      @limit = limit
      @identity = identity
      @young = empty
      @old = empty
    end

    def [](key)
      found = @young[key]
      return found if found

      found = @old.delete(key)
      self[key] = found if found
    end

    def []=(key, value)
      if @young.size >= @limit
        @old = @young
        @young = empty
      end
      @young[key] = value
    end

    private

    def empty = @identity ? {}.compare_by_identity : {}
  end
end
