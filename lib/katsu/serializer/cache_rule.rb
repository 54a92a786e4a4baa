# frozen_string_literal: true

module Katsu
  class Serializer
    # What a serializer class says by `cache`: how long and in which store the JSON of its records is kept, what it
    # varies by, and which associations touch the record.
    class CacheRule
      OPTIONS = %i[expires_in vary store touch].freeze
      ACCEPTED_STORE = "accepted are an object with read_multi and write_multi, such as Rails.cache, " \
                       "and a callable that returns one"
      private_constant :OPTIONS

      class << self
        # parent: the CacheRule of the serializer's parent, which holds for what options do not say; nil or false for
        # none. Raises ArgumentError for what has no meaning.
        def of(serializer, options, parent)
          Keywords.check_declared(serializer, "cache", options, OPTIONS)
          said = (parent ? parent.to_h : {}).merge(of_options(serializer, options))
          new(said[:expires_in], said[:vary], said.key?(:vary), said[:store], said[:touch] || [].freeze)
        end

        # given, a store or nil. what: the place that has it. Raises ArgumentError.
        def check_store(what, given)
          return given if given.nil? || given.respond_to?(:call) || store?(given)

          raise ArgumentError, "#{what} #{given.inspect[0, 100]}; #{ACCEPTED_STORE}"
        end

        # True for what can be asked for many keys at once.
        def store?(given)
          given.respond_to?(:read_multi) && given.respond_to?(:write_multi)
        end

        private

        # {name: what it means} of those that are given.
        def of_options(serializer, options)
          options.to_h do |name, given|
            meaning = case name
                      when :expires_in then check_expires_in(serializer, given)
                      when :vary then vary(serializer, given)
                      when :store then check_store("#{serializer}: cache has store:", given)
                      else touch(serializer, given)
                      end
            [name, meaning]
          end
        end

        def check_expires_in(serializer, given)
          return given if given.nil?
          return given if given.respond_to?(:to_f) && !given.is_a?(String) && given.to_f.positive?

          raise ArgumentError, "#{serializer}: cache has expires_in: #{given.inspect}; " \
                               "accepted are seconds, such as 600 and 10.minutes"
        end

        # A Call, or nil for none.
        def vary(serializer, given)
          return Call.new(given, 0).freeze if given.is_a?(Symbol)
          return Call.define(serializer, given, 1, "cache, vary:", gets: "the context") if given.respond_to?(:call)
          return unless given

          raise ArgumentError, "#{serializer}: cache has vary: #{given.inspect}; accepted are a callable that takes " \
                               "the context or nothing, the name of a method of the serializer, and nil if the JSON " \
                               "is the same for every context and scope"
        end

        def touch(serializer, given)
          return given if given == true

          Array(given).map { |name| Names.check(serializer, "cache, touch:", name) }.freeze
        end
      end

      attr_reader :expires_in, :vary, :store

      def initialize(expires_in, vary, varies, store, touch)
        @expires_in = expires_in
        @vary = vary
        @varies = varies
        @store = store
        @touch = touch
        freeze
      end

      # What it says, by the names of options.
      def to_h
        {expires_in: @expires_in, store: @store, touch: @touch, **(@varies ? {vary: @vary} : {})}
      end

      # True if vary: is given, even as nil.
      def varies? = @varies

      # True if touch: names an association.
      def touch? = @touch == true || @touch.any?

      # True if a change of that association changes the version of the record.
      def touches?(name)
        @touch == true || @touch.include?(name)
      end

      # The names of touch:; empty for true.
      def touched = @touch == true ? [] : @touch
    end
  end
end
