# frozen_string_literal: true

module Katsu
  # Ractors, and what stands for them where Ruby has none (JRuby, TruffleRuby).
  module Ractors
    PRESENT = defined?(::Ractor) ? true : false

    ISOLATION_ERRORS = (PRESENT ? [::Ractor::IsolationError] : []).freeze

    # Why a serializer class cannot be used in this Ractor.
    def self.refusal(serializer, error)
      "#{serializer}: blocks and lambdas can be called in the Ractor that made them only; for other Ractors, declare " \
        "attributes and conditions by methods of the serializer: def name, if: :name (#{error.message})"
    end

    # object, frozen with all that it refers to.
    def self.share(object)
      PRESENT ? ::Ractor.make_shareable(object) : object.freeze
    end

    # True where what is found out may be kept for all.
    def self.main?
      !PRESENT || ::Ractor.current.equal?(MAIN)
    end

    # A Hash of the Ractor's own, or of the thread's.
    def self.local(name)
      return ::Ractor.current[name] ||= {}.compare_by_identity if PRESENT

      Thread.current.thread_variable_get(name) || {}.compare_by_identity.tap { |hash| Thread.current.thread_variable_set(name, hash) }
    end

    MAIN = PRESENT ? ::Ractor.current : nil
    private_constant :MAIN
  end
end
