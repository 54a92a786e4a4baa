# frozen_string_literal: true

require "active_support/log_subscriber"

module Katsu
  # Logs each render.katsu at the level info, as Rails logs its templates:
  #
  #     Rendered PostSerializer [50 records, 12.3 KB] (Duration: 1.2ms | GC: 0.0ms)
  class LogSubscriber < ActiveSupport::LogSubscriber
    def render(event)
      info { "  Rendered #{event.payload[:serializer] || "documents"}#{amount(event.payload)} (#{times(event)})" }
    end
    subscribe_log_level :render, :info

    # An error that on_error: of an attribute has dealt with. No level of the log silences the event: Rails knows none
    # for warnings, and that of info would silence them too.
    def field_error(event)
      error = event.payload[:error]
      warn { "  #{event.payload[:serializer]}##{event.payload[:field]} raised #{error.class}: #{error.message}" }
    end

    private

    # An event without bytes is of a document that raised.
    def amount(payload)
      return "" unless payload[:bytes]

      records = payload[:records]
      counted = "#{records} record#{"s" unless records == 1}, " if records
      hits = ", #{payload[:cache_hits]} cache hits" if payload[:cache_hits]
      " [#{counted}#{size(payload[:bytes])}#{hits}]"
    end

    def size(bytes)
      bytes < 1024 ? "#{bytes} bytes" : "#{(bytes / 1024.0).round(1)} KB"
    end

    def times(event)
      "Duration: #{event.duration.round(1)}ms | GC: #{event.gc_time.round(1)}ms"
    end
  end
end
