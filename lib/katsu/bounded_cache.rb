# frozen_string_literal: true

module Katsu
  # A Hash by identity that keeps the pairs used last: at least limit of them, at most twice as many. Forgetting the
  # oldest takes no time.
  class BoundedCache
    def initialize(limit)
      @limit = limit
      @young = {}.compare_by_identity
      @old = {}.compare_by_identity
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
        @young = {}.compare_by_identity
      end
      @young[key] = value
    end
  end
end
