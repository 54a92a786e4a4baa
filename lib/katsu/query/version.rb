# frozen_string_literal: true

require_relative "../plan/digest"

module Katsu
  module Query
    # What tells one state of a document from another without writing it, for HTTP and for caches.
    module Version
      class << self
        # A String, or nil if something that the document is made of has no version: records have one if their table has
        # updated_at, contexts and scopes if they are such records or plain values. one: true for a document of one.
        def of(plan, source, context, scope, one:)
          viewer = [part(context), part(scope)]
          return if viewer.include?(nil) || !versioned?(source)

          require "active_support/cache"
          places = [(::I18n.locale if defined?(::I18n)), (::Time.zone&.name if ::Time.respond_to?(:zone))]
          kind = one ? "one" : "many"
          viewer = ::Digest::SHA256.hexdigest(viewer.inspect)[0, 32] # so that no separator of a key stands in it
          ::ActiveSupport::Cache.expand_cache_key(["katsu", kind, Plan::Digest.of(plan), source, viewer, places])
        end

        private

        # What tells a context or scope from every other, or nil.
        def part(value)
          case value
          when nil, true, false, ::String, ::Symbol, ::Numeric then value.inspect
          when ::Array then parts(value)
          when ::Hash then parts(value.to_a)
          else
            "#{value.class} #{value.cache_key_with_version}" if Query.record?(value) && versioned?(value)
          end
        end

        def parts(values)
          found = values.map { |value| part(value) }
          found.inspect unless found.include?(nil)
        end

        def versioned?(source)
          return timestamped?(source.klass) if Query.relation?(source)
          return source.all? { |element| versioned?(element) } if source.is_a?(Array)

          Query.record?(source) && source.persisted? && !source.changed? && timestamped?(source.class)
        end

        def timestamped?(model)
          model.column_names.include?("updated_at")
        end
      end
    end
  end
end
