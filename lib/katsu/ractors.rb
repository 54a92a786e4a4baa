# frozen_string_literal: true

module Katsu
  # Ractors, and what stands for them where Ruby has none (JRuby, TruffleRuby).
  module Ractors
    PRESENT = defined?(::Ractor) ? true : false

    SHAREABLE_PROCS = PRESENT && ::Ractor.respond_to?(:shareable_proc)
    EXCEPTION = SHAREABLE_PROCS ? ", unless all that they read of what is around them can be shared" : ""
    private_constant :SHAREABLE_PROCS, :EXCEPTION

    ISOLATION_ERRORS = (PRESENT ? [::Ractor::IsolationError] : []).freeze

    # Why a serializer class cannot be used in this Ractor.
    def self.refusal(serializer, error)
      "#{serializer}: blocks and lambdas can be called in the Ractor that made them only#{EXCEPTION}; " \
        "for other Ractors, declare attributes and conditions by methods of the serializer: def name, if: :name (#{error.message})"
    end

    # object, frozen with all that it refers to.
    def self.share(object)
      PRESENT ? ::Ractor.make_shareable(object) : object.freeze
    end

    # A block or lambda that other Ractors can call too, from Ruby 4.0 on: the same code with the same self, if that
    # and the variables around it that it reads can be shared and nothing assigns them. Otherwise, and for any other
    # object, what is given.
    def self.share_proc(given)
      return given unless SHAREABLE_PROCS && given.instance_of?(::Proc)

      receiver = given.binding.receiver
      return given unless ::Ractor.shareable?(receiver)

      given.lambda? ? ::Ractor.shareable_lambda(self: receiver, &given) : ::Ractor.shareable_proc(self: receiver, &given)
    rescue ::Ractor::IsolationError, ::ArgumentError, ::RuntimeError # a Symbol's Proc has no binding, a Method's no code
      given
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
