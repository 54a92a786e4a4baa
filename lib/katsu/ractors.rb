# frozen_string_literal: true

module Katsu
  # Ractors, or what stands in for them if Ruby has none (JRuby, TruffleRuby).
  module Ractors
    PRESENT = defined?(::Ractor) ? true : false

    SHAREABLE_PROCS = PRESENT && ::Ractor.respond_to?(:shareable_proc)
    EXCEPTION = SHAREABLE_PROCS ? ", unless all variables around them that they read can be shared" : ""
    private_constant :SHAREABLE_PROCS, :EXCEPTION

    ISOLATION_ERRORS = (PRESENT ? [::Ractor::IsolationError] : []).freeze

    # The message that tells why a serializer class cannot be used in this Ractor.
    def self.refusal(serializer, error)
      "#{serializer}: blocks and lambdas can be called in the Ractor that made them only#{EXCEPTION}; " \
        "for other Ractors, declare attributes and conditions by methods of the serializer: " \
        "def name, if: :name (#{error.message})"
    end

    # object, frozen with all that it refers to.
    def self.share(object)
      PRESENT ? ::Ractor.make_shareable(object) : object.freeze
    end

    # A block or lambda that other Ractors can call too, from Ruby 4.0 on: the same code with the same self, if that and
    # the variables around it that it reads can be shared and nothing assigns them. Otherwise, and for any other object,
    # the argument itself.
    def self.share_proc(given)
      return given unless SHAREABLE_PROCS && given.instance_of?(::Proc) && !::Ractor.shareable?(given)

      receiver = given.binding.receiver
      return given unless ::Ractor.shareable?(receiver)

      return ::Ractor.shareable_lambda(self: receiver, &given) if given.lambda?

      ::Ractor.shareable_proc(self: receiver, &given)
    rescue ::StandardError
      # Not isolated, which Ruby says with the inspect of a value, which may raise anything; or a Symbol's Proc, which
      # has no binding, or a Method's, which has no code.
      given
    end

    # True in the main Ractor, whose results may be kept for all.
    def self.main?
      !PRESENT || ::Ractor.current.equal?(MAIN)
    end

    # The Hash of that name of this Ractor, or of this thread if there are no Ractors.
    def self.local(name)
      return ::Ractor.current[name] ||= {}.compare_by_identity if PRESENT

      thread = Thread.current
      thread.thread_variable_get(name) ||
        {}.compare_by_identity.tap { |hash| thread.thread_variable_set(name, hash) }
    end

    MAIN = PRESENT ? ::Ractor.current : nil
    private_constant :MAIN
  end
end
