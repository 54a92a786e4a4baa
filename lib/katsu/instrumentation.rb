# frozen_string_literal: true

require "active_support/notifications"

module Katsu
  # The event render.katsu of ActiveSupport::Notifications: one for each document that a controller renders. Its
  # payload: serializer (the class; nil for a Hash that holds documents), records (how many; nil if that would take a
  # query to tell), bytes (of the JSON); of cached serializers cache_hits and cache_reads (how many records were found
  # in the store, and how many were looked for). Without a subscriber nothing is measured and no payload is made.
  module Instrumentation
    EVENT = "render.katsu"

    class << self
      # Returns what the block returns, the JSON. subjects: the object or objects that are rendered.
      def render(serializer = nil, subjects = nil)
        return yield unless ActiveSupport::Notifications.notifier.listening?(EVENT)

        ActiveSupport::Notifications.instrument(EVENT, serializer: serializer) do |payload|
          json = Caching::Hits.count do |hits|
            yield.tap do
              payload.update(cache_hits: hits.found, cache_reads: hits.looked_up) if hits.looked_up.positive?
            end
          end
          payload[:records] = count(subjects)
          payload[:bytes] = json.bytesize
          json
        end
      end

      private

      def count(subjects)
        case subjects
        when nil then nil
        when Array then subjects.size
        when Stream, Enumerator then nil
        when Document then subjects.size
        else
          return 1 unless Serializer::Rendering.many?(subjects)

          subjects.size if subjects.respond_to?(:loaded?) && subjects.loaded?
        end
      end
    end
  end
end
