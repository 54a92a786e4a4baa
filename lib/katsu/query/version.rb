# frozen_string_literal: true

require_relative "../plan/digest"

module Katsu
  module Query
    # What tells one state of a document from another without writing it, for HTTP and for caches.
    module Version
      class << self
        # A String, or nil if what the document is made of has no versions: records have if their table has updated_at.
        def of(plan, source, context, scope)
          return unless versioned?(source)

          require "active_support/cache"
          places = [(::I18n.locale if defined?(::I18n)), (::Time.zone&.name if ::Time.respond_to?(:zone))]
          ::ActiveSupport::Cache.expand_cache_key(["katsu", Plan::Digest.of(plan), source, context, scope, places])
        end

        private

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
