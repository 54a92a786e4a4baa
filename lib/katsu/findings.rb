# frozen_string_literal: true

module Katsu
  # What was found out once about plans, for all threads: for each of the plans used last, findings by their keys.
  #
  # The lock is held for looking and for storing only. To find something out may load classes and schemas, and their
  # code may ask for a finding.
  class Findings
    # limit: of plans; see BoundedCache.
    def initialize(limit)
      @limit = limit
      @lock = Mutex.new
      clear
    end

    # The finding about plan that was stored under key, or nil.
    def find(plan, key)
      @lock.synchronize { of(plan)[key] }
    end

    # Stores a finding and returns it.
    def store(plan, key, finding)
      @lock.synchronize { of(plan)[key] = finding }
    end

    def clear
      @lock.synchronize { @plans = BoundedCache.new(@limit) }
    end

    private

    def of(plan)
      @plans[plan] ||= {}
    end
  end
  private_constant :Findings
end
